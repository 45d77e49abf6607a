/** Paths inside the native app. Separate from links.ts, because the home page loads that file. */
export const webviewLinks = {
  signUp: () => '/webview/signup',
  verification: () => '/webview/verification',
  forgotPassword: () => '/webview/forgotpassword',
  newPassword: () => '/webview/newpassword',
  refer: () => '/webview/refer',
  flSignUp: () => '/webview/flsignup',
  flVerification: () => '/webview/flverification',
  flForgotPassword: () => '/webview/flforgotpassword',
  flNewPassword: () => '/webview/flnewpassword',
} as const;
