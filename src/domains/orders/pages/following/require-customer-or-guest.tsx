import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { showToast } from '../../../../ui/feedback/toast.ts';
import { RequireLogin } from '../../../../site/require-login.tsx';
import type { RedirectDelay } from '../../../../browser/redirects.ts';
import { useMayBeGuest, useSession } from '../../../../browser/session-user.ts';
import { protocolError } from '../../../../contract/protocol-errors.ts';
import { GuestOrderNotice, mayHaveGuestOrder } from '../../../sign-in/pages/guest-notice.tsx';

interface RequireCustomerOrGuestProps {
  delay: RedirectDelay;
  fallback: ReactNode;
  /** Set where the specification requires an alert for signed-out visitors, and another title. */
  alertTitle?: string;
  /** `userid` is undefined for a guest: the session identifies the orders of this browser. */
  children(userid: string | undefined): ReactNode;
}

/** Renders its children for a customer or a guest. Redirects other visitors to log-in. */
export function RequireCustomerOrGuest({ delay, fallback, alertTitle, children }: RequireCustomerOrGuestProps) {
  const session = useSession();
  const mayBeGuest = useMayBeGuest();
  const isGuest = session === 'signed-out' && mayBeGuest;
  const { pathname } = useLocation();
  const note = mayHaveGuestOrder(pathname) && <GuestOrderNotice />;
  const [wasGuest, setWasGuest] = useState(false);
  if (isGuest && !wasGuest) setWasGuest(true);
  if (isGuest) return children(undefined);
  return (
    <>
      {alertTitle && session === 'signed-out' && <LoginFirstAlert />}
      <RequireLogin delay={delay} fallback={fallback} title={alertTitle} hasGuestSessionEnded={wasGuest} note={note}>
        {({ userid }) => children(userid)}
      </RequireLogin>
    </>
  );
}

function LoginFirstAlert() {
  useEffect(() => showToast({ text: protocolError('login-required'), theme: 'red' }), []);
  return null;
}
