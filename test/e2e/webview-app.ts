/** Webviews in their app: the page under test, and a second page that plays the app (webview-host/). */
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test as base } from './fixtures.ts';
import { servePage, type ServedPage } from './serve-page.ts';

export type Platform = 'React Native' | 'Flutter' | 'WebKit' | 'Android';

interface App {
  /** Everything that the app was told, parsed. */
  told(): Promise<unknown[]>;
  /** Waits until the app was told this, and nothing beside it since `ready`. */
  expectMessages(...messages: { type: string; payload: unknown }[]): Promise<void>;
  /** Hands a text to the page, as the app's own code does. */
  push(text: string): Promise<void>;
}

export const test = base.extend<{ startApp(platform: Platform): Promise<App> }, { hostPage: ServedPage }>({
  hostPage: [
    async ({}, use) => {
      const served = await servePage({
        root: path.join(import.meta.dirname, 'webview-host'),
        policy: "default-src 'none'; script-src 'self'; img-src data:",
      });
      await use(served);
      await served.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  startApp: async ({ page, context, hostPage }, use) =>
    use(async (platform) => openApp(page, await context.newPage(), hostPage.url, platform)),
});

async function openApp(webview: Page, app: Page, address: string, platform: Platform): Promise<App> {
  await app.exposeFunction('runInWebview', (script: string) => webview.evaluate(script));
  await app.goto(`${address}?platform=${encodeURIComponent(platform)}`);
  await expect(app.getByRole('heading')).toHaveText(platform);
  await webview.exposeFunction('tellApp', (text: string) => app.evaluate((sent) => window.app.receive(sent), text));
  await webview.addInitScript(await app.evaluate(() => window.app.channel));
  const told = async () => (await app.getByRole('listitem').allTextContents()).map((text) => JSON.parse(text) as unknown);
  return {
    told,
    expectMessages: (...messages) =>
      expect
        .poll(async () => (await told()).filter((message) => (message as { type: string }).type !== 'ready'))
        .toEqual(messages.map(({ type, payload }) => ({ v: 1, type, payload }))),
    push: async (text) => {
      await app.getByRole('textbox').fill(text);
      await app.getByRole('button', { name: 'Push' }).click();
    },
  };
}
