import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Accessibility: axe finds nothing in what the page shows now, in light and in dark (design section 8). */
export async function axe(page: Page, { timeIsStopped = false } = {}) {
  // From the top: what a bar covers halfway down the page can be scrolled out from under it.
  await page.evaluate(() => window.scrollTo(0, 0));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Halfway between two colours nothing has the contrast it will have.
    await page.evaluate(async () => {
      const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(passing.map(({ finished }) => finished));
    });
    const builder = new AxeBuilder({ page }).setLegacyMode().options({ rules: { 'target-size': { enabled: true } } });
    // In the dark only the colours are others.
    const analysis = (colorScheme === 'dark' ? builder.withRules(['color-contrast', 'link-in-text-block']) : builder).analyze();
    const { violations } = timeIsStopped ? await tickingUntil(page, analysis) : await analysis;
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} at ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
    expect(found, `axe, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** axe waits on timers of the page: where the test has stopped those, they run a millisecond at a time. */
async function tickingUntil<Result>(page: Page, work: Promise<Result>): Promise<Result> {
  const done = work.then(
    () => true,
    () => true,
  );
  // Its last tick may outlive the page.
  const tick = () =>
    page.clock.runFor(1).then(
      () => false,
      () => false,
    );
  while (!(await Promise.race([done, tick()])));
  return work;
}

/** Nothing is wider than the screen: the page never scrolls sideways. */
export async function fitsWidth(page: Page, width: number) {
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 700 });
  const { scrolled, visible } = await page.evaluate(() => ({
    scrolled: document.documentElement.scrollWidth,
    visible: document.documentElement.clientWidth,
  }));
  expect(scrolled, `content is wider than a screen of ${width} px`).toBeLessThanOrEqual(visible);
  if (before) await page.setViewportSize(before);
}
