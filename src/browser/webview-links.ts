/** The addresses inside the native app. Apart from links.ts, which every visitor of the home page loads. */
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
