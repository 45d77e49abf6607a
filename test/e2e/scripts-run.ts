import type { BrowserContext, Page } from '@playwright/test';
import { DEFERRED_ID, HYDRATED_EVENT, SCRIPT_FAILED_NOTICE_ID } from '../../src/pre-hydration/handshake.ts';

/**
 * A page's scripts are fetched when it is painted, later than its `load`. Tests do as people do, and begin when the page is ready: `goto` and `reload` wait
 * for that, but not where a test asks for an earlier moment by name, nor where the page has no scripts or says that they failed.
 */
export async function awaitScripts(context: BrowserContext) {
  await context.addInitScript((hydrated) => {
    addEventListener(hydrated, () => Object.assign(window, { scriptsRun: true }));
  }, HYDRATED_EVENT);
  context.on('page', (page) => {
    page.goto = waiting(page, page.goto.bind(page), (_url, options) => options?.waitUntil);
    page.reload = waiting(page, page.reload.bind(page), (options) => options?.waitUntil);
  });
}

const waiting =
  <Args extends unknown[], Answer>(
    page: Page,
    load: (...args: Args) => Promise<Answer>,
    waitUntil: (...args: Args) => string | undefined,
  ) =>
  async (...args: Args) => {
    const answer = await load(...args);
    if (waitUntil(...args) !== 'commit') await page.waitForFunction(isReady, { deferred: DEFERRED_ID, notice: SCRIPT_FAILED_NOTICE_ID });
    return answer;
  };

/** Runs in the page, where it knows nothing but what it is given. */
const isReady = ({ deferred, notice }: { deferred: string; notice: string }) =>
  'scriptsRun' in window || !document.getElementById(deferred) || document.getElementById(notice)?.hidden === false;
