/** What every browser test stands on: the built program, a page that stays silent, a clock both share, and what the page showed of the specification. */
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import { startWorkerProgram, type BrowserTestProgram } from './built-program.ts';
import { awaitScripts } from './await-scripts.ts';
import { signIn, type TestCustomer } from './sign-up.ts';
import { fillPlaceholders, SEEN, seenKey, type Screen, type TextOf } from './specified-texts.ts';
import { PageProblems } from './page-problems.ts';

export { expect };
export { axe, fitsWidth } from './page-checks.ts';
export { sendCall } from './sign-up.ts';

interface SeenOptions {
  /** Values for the {words} of the text. */
  values?: Record<string, string | number>;
  /** Where to look; the whole page by default. */
  within?: Locator;
}

interface Fixtures {
  /** A line of trouble that this test provokes on purpose, as a pattern (page-problems.ts); the test fails if it does not come. */
  expectProblem(pattern: RegExp): void;
  /** A mobile number that no other test uses. */
  newMobile(): string;
  /** Lets time pass for the server and for this test's pages alike: timers of the page run. */
  passTime(seconds: number): Promise<void>;
  /** From now on the timers of this test's pages run in `passTime` alone: for delays, which a slow machine would otherwise let pass. */
  stopTime(): Promise<void>;
  /** Creates a customer and signs this browser in. */
  signedIn(who?: Partial<Omit<TestCustomer, 'userid'>>): Promise<TestCustomer>;
  /** Expects a specified text to be visible as the whole text of an element, and notes that it was. */
  seen<S extends Screen>(screen: S, text: TextOf<S>, options?: SeenOptions): Promise<void>;
  problems: PageProblems;
}

let mobiles = 0;

export const test = base.extend<Fixtures, { program: BrowserTestProgram }>({
  program: [
    async ({}, use) => {
      const program = await startWorkerProgram();
      await use(program);
      await program.stop();
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
  },

  expectProblem: async ({ problems }, use) => use(problems.expect),

  newMobile: async ({}, use, { parallelIndex }) => use(() => `9${parallelIndex}${String(++mobiles).padStart(8, '0')}`),

  passTime: async ({ program, context }, use) =>
    use(async (seconds) => {
      program.clock.advance(seconds);
      await context.clock.runFor(seconds * 1000);
    }),

  // A page's clock only goes forward: it is stopped a little ahead of where it stands.
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
