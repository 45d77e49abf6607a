import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axeCore from 'axe-core';

/**
 * The source without characters that V8 stores in two bytes: one of them would double the size of
 * the whole text, which each checked document parses.
 */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').replaceAll(
  /[^\0-\x7f]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** The values that `prepare` stores in the page for `runAxe` and `restoreTransitions`. */
interface AxeWindow {
  axe?: typeof axeCore;
  withoutTransitions?: CSSStyleSheet;
}

/**
 * Expects no axe violations in the current state of the page, in light and dark (design section 8).
 * Begins with the scheme that the page shows, and leaves it in the other one: each change restyles
 * the whole page.
 */
export async function axe(page: Page, { timeIsStopped = false } = {}) {
  await loadAxe(page);
  const current = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  const other = current === 'light' ? 'dark' : 'light';
  for (const colorScheme of [current, other] as const) {
    if (colorScheme === other) await page.emulateMedia({ colorScheme });
    // The schemes differ only in colours.
    const analysis = page.evaluate(runAxe, colorScheme === other ? ['color-contrast', 'link-in-text-block'] : undefined);
    const faults = timeIsStopped ? await runTimersUntil(page, analysis) : await analysis;
    expect(faults, `axe, ${colorScheme}`).toEqual([]);
  }
  for (const frame of page.frames()) await frame.evaluate(restoreTransitions);
}

/** Loads axe once per document: its source is large. */
async function loadAxe(page: Page) {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(prepare))) await frame.evaluate(axeSource);
  }
}

/** Runs in the page. Returns whether axe is loaded. */
function prepare(): boolean {
  // At the top of the page the bars cover no content.
  window.scrollTo(0, 0);
  // A browser does not restyle a skipped section (`below-fold`) when the colours change.
  for (const skipped of document.querySelectorAll<HTMLElement>('.below-fold')) skipped.style.contentVisibility = 'visible';
  const running = () =>
    document
      .getAnimations()
      .filter(({ effect, playState }) => playState !== 'finished' && effect?.getComputedTiming().endTime !== Infinity);
  // The end of a transition can start one of an element that inherits the colour.
  for (let animations = running(); animations.length > 0; animations = running()) {
    for (const animation of animations) animation.finish();
  }
  // Colours in a transition can have a lower contrast, and the change to dark would start one for
  // each element.
  const sheet = ((window as AxeWindow).withoutTransitions ??= new CSSStyleSheet());
  sheet.replaceSync('*, ::before, ::after, ::backdrop { transition-property: none !important; }');
  document.adoptedStyleSheets.push(sheet);
  return 'axe' in window;
}

/** Runs in the page. */
function restoreTransitions() {
  const { withoutTransitions } = window as AxeWindow;
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== withoutTransitions);
}

/** Runs in the page. Returns the violations of these rules, or of all default rules. */
async function runAxe(rules?: string[]): Promise<string[]> {
  const options: axeCore.RunOptions = {
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: location.pathname.startsWith('/staff') } },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  const { axe } = window as unknown as { axe: typeof axeCore };
  const { violations } = await axe.run(document, options);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} at ${target.join(' ')} ${failureSummary}`),
  );
}

/** Runs the page's paused timers, which axe needs, until the work is done. */
async function runTimersUntil<Result>(page: Page, work: Promise<Result>): Promise<Result> {
  const done = work.then(
    () => true,
    () => true,
  );
  // The last tick can fail because the page was closed.
  const tick = () =>
    page.clock.runFor(1).then(
      () => false,
      () => false,
    );
  while (!(await Promise.race([done, tick()])));
  return work;
}

/** Expects that the page does not scroll horizontally at these widths. */
export async function fitsWidth(page: Page, ...widths: readonly number[]) {
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 });
    const { scrolled, visible } = await page.evaluate(() => ({
      scrolled: document.documentElement.scrollWidth,
      visible: document.documentElement.clientWidth,
    }));
    expect(scrolled, `content is wider than a screen of ${width} px`).toBeLessThanOrEqual(visible);
  }
  if (before) await page.setViewportSize(before);
}

/** Returns the elements whose text is cut off at their edge. */
export const cutTexts = (page: Page, within = 'body') =>
  page.evaluate(
    (root) =>
      [...document.querySelectorAll<HTMLElement>(`${root} *`)]
        .filter((element) => element.checkVisibility() && !element.closest('.sr-only, svg') && element.textContent?.trim())
        // `sr-only` for narrow screens only.
        .filter((element) => getComputedStyle(element).clipPath !== 'inset(50%)')
        .filter((element) => {
          const { overflowX, overflowY } = getComputedStyle(element);
          const cutsX = overflowX === 'hidden' || overflowX === 'clip';
          const cutsY = overflowY === 'hidden' || overflowY === 'clip';
          return (cutsX && element.scrollWidth > element.clientWidth + 1) || (cutsY && element.scrollHeight > element.clientHeight + 1);
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    within,
  );

/** Returns the elements that overflow a page with horizontal scrolling. */
export const overflowing = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => element.outerHTML.slice(0, 120))
      .concat(`${scrollWidth} px`);
  });

export async function setTextSize(page: Page, size: '100%' | '200%') {
  await page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), size);
  // A transition first shows the old size.
  await expect(page.locator('html')).toHaveCSS('font-size', size === '200%' ? '32px' : '16px');
}

/** Expects that twice the text size fits a phone: nothing is cut (WCAG 1.4.4). */
export async function fitsLargeText(page: Page) {
  await setTextSize(page, '200%');
  expect(await overflowing(page), 'wider than the screen with large text').toEqual([]);
  // The bar shortens the name of the customer.
  expect(await cutTexts(page, 'main'), 'cut with large text').toEqual([]);
  await setTextSize(page, '100%');
}
