import { useEffect, type ReactNode } from 'react';
import { showToast } from '../../../../ui/feedback/toast.ts';
import { RequireLogin } from '../../../../site/require-login.tsx';
import type { RedirectDelay } from '../../../../browser/redirects.ts';
import { useMayBeGuest, useSession } from '../../../../browser/session-user.ts';
import { protocolError } from '../../../../contract/protocol-errors.ts';

interface OrdererGateProps {
  after: RedirectDelay;
  waiting: ReactNode;
  /** Where the specification asks for an alert and other words when nobody is there. */
  alerting?: { title: string };
  /** A guest has no userid; the session alone says which orders are this browser's. */
  children(userid: string | undefined): ReactNode;
}

/** Orders are followed by the customer who is logged in, or by the guest who placed them in this browser. Anyone else is taken to the log-in. */
export function RequireOrderer({ after, waiting, alerting, children }: OrdererGateProps) {
  const session = useSession();
  const mayBeGuest = useMayBeGuest();
  if (session === 'signed-out' && mayBeGuest) return children(undefined);
  return (
    <>
      {alerting && session === 'signed-out' && <LoginFirstAlert />}
      <RequireLogin after={after} waiting={waiting} {...alerting}>
        {({ userid }) => children(userid)}
      </RequireLogin>
    </>
  );
}

function LoginFirstAlert() {
  useEffect(() => showToast({ text: protocolError('login-required'), theme: 'red' }), []);
  return null;
}
