import { createContext, use, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { HostContext, type Host } from '../../sign-in/pages/host.ts';
import type { PushedUser } from '../contract.ts';
import { listenToHost, tellHost } from './bridge.ts';

const host: Host = {
  openLogin: () => tellHost('open-login', {}),
  accountCreated: (mobile) => tellHost('Account Created', { mobile }),
};

const PushedUserContext = createContext<PushedUser | undefined>(undefined);

/** Whom the app says it shows: for display only, and forgotten with the page. */
export const usePushedUser = () => use(PushedUserContext);

/** Around every page inside the native app: the bridge to it. The pages themselves are those of the site (sign-in/pages/flow.ts). */
export default function Webview() {
  const [user, setUser] = useState<PushedUser>();
  useEffect(() => {
    const stop = listenToHost(setUser);
    tellHost('ready', {});
    return stop;
  }, []);
  return (
    <HostContext value={host}>
      {/* Nobody should find these by searching: without the app they lead nowhere. */}
      <meta name="robots" content="noindex" />
      <PushedUserContext value={user}>
        <Outlet />
      </PushedUserContext>
    </HostContext>
  );
}
