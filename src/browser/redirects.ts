/** Delayed redirects. Specification sections 2, 4 and 8; design section 6, "Redirect delays". */
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { ReturnState } from '../shared/links.ts';

export const REDIRECT_MS = {
  ordersToLogin: 3000,
  orderToLogin: 2000,
  walletPaymentToLogin: 1000,
  addressesToLogin: 3000,
  draftMissingToHome: 2000,
  signUpToVerification: 0,
  webviewSignUpToVerification: 1000,
  signUpCancelled: 1000,
  codeExpired: 1000,
  resetUserMissing: 1000,
  webviewResetUserMissing: 1500,
  newPasswordCancelled: 0,
  webviewNewPasswordCancelled: 1500,
  profileToLogin: 3000,
  walletToLogin: 3000,
} as const;

export type RedirectDelay = keyof typeof REDIRECT_MS;

interface RedirectOptions {
  /** The path to return to after the log-in. */
  returnTo?: string;
  /** As in `ReturnState`. */
  hadSession?: boolean;
  /** By default the redirect replaces the history entry, because the page would redirect again. */
  keepInHistory?: boolean;
}

/** Navigates to `to` after `when` has been true for `delay`. */
export function useDelayedRedirect(
  when: boolean,
  to: string,
  delay: RedirectDelay,
  { returnTo, hadSession = false, keepInHistory = false }: RedirectOptions = {},
) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!when) return;
    const state = returnTo ? ({ returnTo, hadSession } satisfies ReturnState) : null;
    const timer = setTimeout(() => void navigate(to, { replace: !keepInHistory, state }), REDIRECT_MS[delay]);
    return () => clearTimeout(timer);
  }, [when, to, delay, returnTo, hadSession, keepInHistory, navigate]);
}
