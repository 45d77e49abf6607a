/**
 * What the account screens keep from one page to the next: a sign-up between its form and its code, a reset between its code and the
 * new password. This provider in the root is the only owner. It keeps them in memory, because a sign-up holds a password: a reload
 * starts again.
 */
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { invariant } from '../../../lib/invariant.ts';

export interface PendingSignUp {
  name: string;
  mobile: string;
  password: string;
  /** A code, a link or a mobile, as typed or as the landing page found it. */
  referral: string;
  /** The state for the log-in page (browser/links.ts). */
  returnState: unknown;
}

export interface PendingReset {
  mobile: string;
  /** The handle that the look-up returned in place of the userid (design section 6, "getsingle.php"). */
  userid: string;
}

interface PendingSignIn {
  signUp: PendingSignUp | undefined;
  setSignUp(signUp: PendingSignUp | undefined): void;
  reset: PendingReset | undefined;
  setReset(reset: PendingReset | undefined): void;
}

const PendingSignInContext = createContext<PendingSignIn | undefined>(undefined);

export function PendingSignInProvider({ children }: { children: ReactNode }) {
  const [signUp, setSignUp] = useState<PendingSignUp>();
  const [reset, setReset] = useState<PendingReset>();
  const value = useMemo(() => ({ signUp, setSignUp, reset, setReset }), [signUp, reset]);
  return <PendingSignInContext value={value}>{children}</PendingSignInContext>;
}

export function usePendingSignIn(): PendingSignIn {
  const pending = use(PendingSignInContext);
  invariant(pending, 'the root provides PendingSignInContext');
  return pending;
}
