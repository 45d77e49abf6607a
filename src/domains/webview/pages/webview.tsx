import { createContext, use, useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { NativeAppContext, type NativeApp } from '../../sign-in/pages/native-app.ts';
import type { PushedUser } from '../contract.ts';
import { listenToHost, sendToHost } from './bridge.ts';

const nativeApp: NativeApp = {
  openLogin: () => sendToHost('open-login', {}),
  accountCreated: (mobile) => sendToHost('Account Created', { mobile }),
};

const PushedUserContext = createContext<PushedUser | undefined>(undefined);

/** Returns the user that the app pushed. For display only. It is lost on a full page load. */
export const usePushedUser = () => use(PushedUserContext);

/**
 * The layout of pages inside the native app: connects them with the app. They share their code with
 * the site (sign-in/pages/flow.ts).
 */
export default function Webview() {
  const [user, setUser] = useState<PushedUser>();
  useEffect(() => {
    const stop = listenToHost(setUser);
    sendToHost('ready', {});
    return stop;
  }, []);
  return (
    <NativeAppContext value={nativeApp}>
      {/* Not for search engines: these pages do not work without the app. */}
      <meta name="robots" content="noindex" />
      <PushedUserContext value={user}>
        <Outlet />
      </PushedUserContext>
    </NativeAppContext>
  );
}
