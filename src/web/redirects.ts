/** How long a page waits before it sends the customer on. Specification sections 2, 4 and 8; design section 6, "Redirect delays". */
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { ReturnState } from './links.ts';

export const REDIRECT_MS = {
  ordersToLogin: 3000,
  orderToLogin: 2000,
  walletPaymentToLogin: 1000,
  addressesToLogin: 3000,
  draftMissingToHome: 2000,
  signUpCancelled: 1000,
  codeExpired: 1000,
  resetUserMissing: 1000,
  profileToLogin: 3000,
  walletToLogin: 3000,
} as const;

/** Goes to `to` once `when` has been true for the time of the table. `returnTo` is where the log-in brings the customer back to. */
export function useDelayedRedirect(when: boolean, to: string, after: keyof typeof REDIRECT_MS, returnTo?: string) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!when) return;
    // In place of this page: it would only send on whoever came back to it.
    const state = returnTo ? ({ returnTo } satisfies ReturnState) : null;
    const timer = setTimeout(() => void navigate(to, { replace: true, state }), REDIRECT_MS[after]);
    return () => clearTimeout(timer);
  }, [when, to, after, returnTo, navigate]);
}
