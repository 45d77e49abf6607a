/** How long a page waits before it sends the customer on. Specification sections 2, 4 and 8; design section 6, "Redirect delays". */
import { useEffect } from 'react';
import { useNavigate } from 'react-router';

export const REDIRECT_MS = {
  ordersToLogin: 3000,
  orderToLogin: 2000,
  addressesToLogin: 3000,
  draftMissingToHome: 2000,
  signUpCancelled: 1000,
  codeExpired: 1000,
} as const;

/** Goes to `to` once `when` has been true for the time of the table. */
export function useDelayedRedirect(when: boolean, to: string, after: keyof typeof REDIRECT_MS, state?: unknown) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!when) return;
    const timer = setTimeout(() => void navigate(to, { state }), REDIRECT_MS[after]);
    return () => clearTimeout(timer);
    // The state is built anew at every render and never changes what is waited for.
  }, [when, to, after, navigate]);
}
