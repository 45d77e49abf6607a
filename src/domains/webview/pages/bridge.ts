/**
 * Sends messages to the native app and receives its messages. docs/webview-bridge.md defines their
 * format.
 */
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { BRIDGE_VERSION, type HostMessages, type HostMessageType, type PushedUser } from '../contract.ts';
import { readPushedUser } from '../rules.ts';

/** The channel to an app. Unlike `window.postMessage`, it has no target origin. */
interface Channel {
  postMessage(text: string): void;
}

declare global {
  interface Window {
    /** Provided by react-native-webview. */
    ReactNativeWebView?: Channel;
    /** A JavaScript channel of webview_flutter. */
    FlutterHost?: Channel;
    /** A script message handler of WKWebView. */
    webkit?: { messageHandlers?: { host?: Channel } };
    /** An object of addJavascriptInterface. */
    AndroidHost?: Channel;
  }
}

const channels: Readonly<Record<string, () => Channel | undefined>> = {
  'React Native': () => window.ReactNativeWebView,
  Flutter: () => window.FlutterHost,
  WebKit: () => window.webkit?.messageHandlers?.host,
  Android: () => window.AndroidHost,
};

/**
 * Sends a message through the first available channel. Returns false if there is none or all fail.
 */
export function sendToHost<Type extends HostMessageType>(type: Type, payload: HostMessages[Type]): boolean {
  for (const [platform, getChannel] of Object.entries(channels)) {
    const channel = getChannel();
    if (!channel) continue;
    try {
      channel.postMessage(JSON.stringify({ v: BRIDGE_VERSION, type, payload }));
      return true;
    } catch (error) {
      reportProblem(error, { doing: `sending to the app, ${platform}` });
    }
  }
  return false;
}

/**
 * Calls `onUser` with every user that the app pushes, and returns a function that stops it. React
 * Native dispatches messages to the document on Android and to the window elsewhere.
 */
export function listenToHost(onUser: (user: PushedUser) => void): () => void {
  const page = { origin: window.location.origin, window };
  const onMessage = (event: Event) => {
    const user = readPushedUser(event as MessageEvent, page);
    if (user) onUser(user);
  };
  for (const target of [window, document]) target.addEventListener('message', onMessage);
  return () => {
    for (const target of [window, document]) target.removeEventListener('message', onMessage);
  };
}
