/**
 * State that the account screens share: a sign-up before its code is confirmed, and a confirmed
 * reset before its new password is set. It is in memory only, because a sign-up contains a
 * password: a reload discards it.
 */
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { invariant } from '../../../lib/invariant.ts';

export interface PendingSignUp {
  name: string;
  mobile: string;
  password: string;
  /**
   * A code, a link or a mobile, as typed or as in the address of the referral page. May be empty.
   */
  referral: string;
  /** The history state for the log-in page (shared/links.ts). */
  returnState: unknown;
}

export interface PendingReset {
  mobile: string;
  /** The handle that the look-up returned as userid (design section 6, "getsingle.php"). */
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
