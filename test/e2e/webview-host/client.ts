/**
 * A stand-in for the native app around a webview. The test runs its scripts in the webview and
 * forwards the messages of its channel (webview-app.ts). The scripts are those of
 * docs/webview-bridge.md.
 */
export interface Platform {
  /** Runs in the webview before the page: defines the channel of the platform. */
  channel: string;
  /** Returns a script for the webview that passes `text` to the page like the platform. */
  push(text: string): string;
}

const platforms: Record<string, Platform> = {
  'React Native': {
    channel: 'window.ReactNativeWebView = { postMessage: (text) => tellApp(text) };',
    push: (text) => `document.dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(text)} }));`,
  },
  Flutter: {
    channel: 'window.FlutterHost = { postMessage: (text) => tellApp(text) };',
    push: (text) => `window.postMessage(${JSON.stringify(text)}, window.location.origin);`,
  },
  WebKit: {
    channel: 'window.webkit = { messageHandlers: { host: { postMessage: (text) => tellApp(text) } } };',
    push: (text) => `window.postMessage(${JSON.stringify(text)}, window.location.origin);`,
  },
  Android: {
    channel: 'window.AndroidHost = { postMessage: (text) => tellApp(text) };',
    push: (text) => `window.dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(text)} }));`,
  },
};

declare global {
  interface Window {
    /** Defined by the test: runs a script in the webview. */
    runInWebview(script: string): Promise<void>;
    app: { channel: string; receive(text: string): void };
  }
}

const platformName = new URLSearchParams(location.search).get('platform') ?? '';
const platform = platforms[platformName];
const find = <Result extends Element>(selector: string) => document.querySelector<Result>(selector);

if (platform) {
  find('h1')?.replaceChildren(platformName);
  window.app = {
    channel: platform.channel,
    receive: (text) => {
      const item = document.createElement('li');
      item.append(text);
      find('ol')?.append(item);
    },
  };
  find('button')?.addEventListener('click', () => {
    const text = find<HTMLTextAreaElement>('textarea')?.value ?? '';
    void window.runInWebview(platform.push(text));
  });
}
