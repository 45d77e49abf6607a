/**
 * The native app around a webview, played in a browser. What only a native shell can do, running scripts in the webview and hearing its channel, the test
 * does for it: webview-app.ts. The scripts are those of docs/webview-bridge.md.
 */
export interface Platform {
  /** Runs in the webview before the page: puts the app's channel where the platform puts it. */
  channel: string;
  /** Runs in the webview: hands `text` to the page as the platform does. */
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
    /** Given by the test: runs a script in the webview. */
    runInWebview(script: string): Promise<void>;
    app: { channel: string; receive(text: string): void };
  }
}

const platformName = new URLSearchParams(location.search).get('platform') ?? '';
const platform = platforms[platformName];
const find = <Found extends Element>(selector: string) => document.querySelector<Found>(selector);

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
