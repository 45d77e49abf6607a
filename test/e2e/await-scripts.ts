import type { BrowserContext, Page } from '@playwright/test';
import { DEFERRED_ID, HYDRATED_EVENT, SCRIPT_FAILED_NOTICE_ID } from '../../src/pre-hydration/handshake.ts';

/**
 * A page's scripts load after the first paint, later than its `load` event. `goto` and `reload`
 * wait for hydration, except with `waitUntil: 'commit'`, and if the page has no scripts or shows
 * that they failed.
 */
export async function awaitScripts(context: BrowserContext) {
  await context.addInitScript((hydrated) => {
    addEventListener(hydrated, () => Object.assign(window, { scriptsRun: true }));
  }, HYDRATED_EVENT);
  context.on('page', (page) => {
    page.goto = afterHydration(page, page.goto.bind(page), (_url, options) => options?.waitUntil);
    page.reload = afterHydration(page, page.reload.bind(page), (options) => options?.waitUntil);
  });
}

const afterHydration =
  <Args extends unknown[], Result>(
    page: Page,
    load: (...args: Args) => Promise<Result>,
    waitUntil: (...args: Args) => string | undefined,
  ) =>
  async (...args: Args) => {
    const result = await load(...args);
    if (waitUntil(...args) !== 'commit') await untilReady(page);
    return result;
  };

/**
 * `page.waitForFunction` would compile Playwright's script of 330 kB in the page's own world, which
 * nothing else needs there.
 */
async function untilReady(page: Page): Promise<void> {
  const names = { hydrated: HYDRATED_EVENT, deferred: DEFERRED_ID, notice: SCRIPT_FAILED_NOTICE_ID };
  try {
    await page.evaluate(ready, names);
  } catch (error) {
    // The page went to another document.
    if (!/Execution context was destroyed/.test(String(error))) throw error;
    await untilReady(page);
  }
}

/** Runs in the page, without access to the variables of this file. */
const ready = ({ hydrated, deferred, notice }: { hydrated: string; deferred: string; notice: string }) =>
  new Promise<void>((resolve) => {
    const check = () => {
      const failed = document.getElementById(notice)?.hidden === false;
      if (failed || 'scriptsRun' in window || !document.getElementById(deferred)) resolve();
    };
    addEventListener(hydrated, check);
    new MutationObserver(check).observe(document, { subtree: true, attributeFilter: ['hidden'] });
    check();
  });
