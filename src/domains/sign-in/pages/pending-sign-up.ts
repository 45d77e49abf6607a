/** A sign-up between its form and its code. In memory only, since it holds a password: a reload starts again. */
export interface PendingSignUp {
  name: string;
  mobile: string;
  password: string;
  /** A code, a link or a mobile, as typed or as the landing page found it. */
  referral: string;
  /** The state that the log-in would have been given (browser/links.ts). */
  returnState: unknown;
}

let pending: PendingSignUp | undefined;

export const pendingSignUp = () => pending;

export function setPendingSignUp(signUp: PendingSignUp | undefined) {
  pending = signUp;
}
