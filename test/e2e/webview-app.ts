/**
 * A webview with its app: the page under test, and a second page as a stand-in for the app
 * (webview-host/).
 */
import type { Page } from '@playwright/test';
import { expect, test as base } from './fixtures.ts';

export type Platform = 'React Native' | 'Flutter' | 'WebKit' | 'Android';

interface App {
  /** Returns all messages that the app has received, parsed. */
  receivedMessages(): Promise<unknown[]>;
  /** Expects the app to have received exactly these messages after `ready`. */
  expectMessages(...messages: { type: string; payload: unknown }[]): Promise<void>;
  /** Passes a text to the page like the code of the app. */
  push(text: string): Promise<void>;
}

const policy = "default-src 'none'; script-src 'self'; img-src data:";

export const test = base.extend<{ startApp(platform: Platform): Promise<App> }>({
  startApp: async ({ page, context, servePage }, use) =>
    use(async (platform) => openApp(page, await context.newPage(), await servePage({ folder: 'webview-host', policy }), platform)),
});

async function openApp(webview: Page, app: Page, address: string, platform: Platform): Promise<App> {
  await app.exposeFunction('runInWebview', (script: string) => webview.evaluate(script));
  await app.goto(`${address}?platform=${encodeURIComponent(platform)}`);
  await expect(app.getByRole('heading')).toHaveText(platform);
  await webview.exposeFunction('tellApp', (text: string) => app.evaluate((sent) => window.app.receive(sent), text));
  await webview.addInitScript(await app.evaluate(() => window.app.channel));
  const receivedMessages = async () => (await app.getByRole('listitem').allTextContents()).map((text) => JSON.parse(text) as unknown);
  return {
    receivedMessages,
    expectMessages: (...messages) =>
      expect
        .poll(async () => (await receivedMessages()).filter((message) => (message as { type: string }).type !== 'ready'))
        .toEqual(messages.map(({ type, payload }) => ({ v: 1, type, payload }))),
    push: async (text) => {
      await app.getByRole('textbox').fill(text);
      await app.getByRole('button', { name: 'Push' }).click();
    },
  };
}
