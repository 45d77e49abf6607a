/**
 * Fixtures of all browser tests: the built program, the check for problems of a page, the clock
 * that program and pages share, and the record of specified texts.
 */
import { expect, test as base, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { startWorkerProgram, type BrowserTestProgram } from './built-program.ts';
import { awaitScripts } from './await-scripts.ts';
import { signIn, type TestCustomer } from './sign-up.ts';
import { fillPlaceholders, SEEN, seenKey, type Screen, type TextOf } from './specified-texts.ts';
import { PageProblems } from './page-problems.ts';
import { closeOrders } from './ordering.ts';
import { createPageServer, type ServePage } from './serve-page.ts';

export { expect };
export { axe, fitsLargeText, fitsWidth } from './page-checks.ts';
export { sendCall } from './sign-up.ts';

interface SeenOptions {
  /** Values of the placeholders in the text. */
  values?: Record<string, string | number>;
  /** Default: the page. */
  within?: Locator;
}

interface Fixtures {
  /**
   * Allows a problem that matches the pattern (page-problems.ts). The test fails if it does not
   * occur.
   */
  expectProblem(pattern: RegExp): void;
  /** Returns a mobile number that no other test uses. */
  newMobile(): string;
  /** Advances the clock of the server and of the pages, and runs due timers of the pages. */
  passTime(seconds: number): Promise<void>;
  /**
   * Pauses the timers of the pages: only `passTime` runs them. For tests of delays, which a slow
   * machine would exceed.
   */
  stopTime(): Promise<void>;
  /** Opens a page of another browser, which has its own cookies. It closes after the test. */
  newBrowserPage(): Promise<Page>;
  /** Creates a customer and signs this browser in. */
  signedIn(who?: Partial<Omit<TestCustomer, 'userid'>>): Promise<TestCustomer>;
  /**
   * Expects an element with exactly this specified text to be visible, and records it for
   * specified-texts-reporter.ts.
   */
  seen<S extends Screen>(screen: S, text: TextOf<S>, options?: SeenOptions): Promise<void>;
  problems: PageProblems;
}

/** A file with other worker fixtures would start workers, and programs, of its own. */
interface WorkerFixtures {
  program: BrowserTestProgram;
  servePage: ServePage;
}

let mobiles = 0;

export const test = base.extend<Fixtures, WorkerFixtures>({
  program: [
    async ({}, use) => {
      const program = await startWorkerProgram();
      await use(program);
      await program.stop();
    },
    { scope: 'worker' },
  ],

  servePage: [
    async ({}, use) => {
      const pages = createPageServer();
      await use(pages.servePage);
      await pages.stop();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ program }, use) => use(program.url),

  problems: async ({}, use) => use(new PageProblems()),

  context: async ({ context, program, problems, javaScriptEnabled }, use) => {
    const logged = program.log.length;
    await problems.watch(context);
    if (javaScriptEnabled) await awaitScripts(context);
    await context.clock.install({ time: program.clock.now() });
    await use(context);
    problems.check(program.log.slice(logged));
    await closeOrders(program);
  },

  expectProblem: async ({ problems }, use) => use(problems.expect),

  newMobile: async ({}, use, { parallelIndex }) => use(() => `9${parallelIndex}${String(++mobiles).padStart(8, '0')}`),

  passTime: async ({ program, context }, use) =>
    use(async (seconds) => {
      program.clock.advance(seconds);
      await context.clock.runFor(seconds * 1000);
    }),

  // Closes the pages before `context` checks the problems of the test.
  newBrowserPage: async ({ browser, context: _closedLater }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      opened.push(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },

  // pauseAt accepts only a time in the future.
  stopTime: async ({ program, context }, use) => use(() => context.clock.pauseAt(program.clock.now().getTime() + 10_000)),

  signedIn: async ({ context, program, newMobile }, use) =>
    use((who = {}) => signIn(program, context, { name: 'Asha Verma', mobile: newMobile(), password: 'six chars', ...who })),

  seen: async ({ page }, use, testInfo) =>
    use(async (screen, text, { values = {}, within } = {}) => {
      const shown = (within ?? page).getByText(fillPlaceholders(text, values), { exact: true });
      await expect(shown.filter({ visible: true }).first()).toBeVisible();
      testInfo.annotations.push({ type: SEEN, description: seenKey(screen, text) });
    }),
});

export type { Page };
