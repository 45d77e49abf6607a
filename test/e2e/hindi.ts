/** Hindi translations for tests, and the check that a page is in Hindi. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';

const { texts, errors } = JSON.parse(readFileSync('src/i18n/hi.json', 'utf8')) as Record<'texts' | 'errors', Record<string, string>>;

/**
 * Returns the Hindi text of a key. `value` replaces the placeholder, of which the text may have
 * one.
 */
export function hindi(key: string, value = ''): string {
  const text = texts[key];
  if (!text) throw new Error(`no Hindi text for '${key}'`);
  return text.replace(/\{\w+\}/, value);
}

/** Returns the Hindi text of an error code without values. */
export function hindiError(code: string): string {
  const text = errors[code];
  if (!text) throw new Error(`no Hindi text for the error '${code}'`);
  return text;
}

/**
 * Text in Latin letters that is allowed in Hindi: names, abbreviations, addresses, and numbers of
 * orders and reports, with the short codes of labels.
 */
const LATIN =
  /\b(?:[0-9A-Z]{12}|[0-9A-Z]{10})\b|^लेबल [0-9A-Z]{4}$|Dhulai(?: Laundry Services)?|\S+@\S+|https?:\S+|WhatsApp|Facebook|Instagram|Google Analytics|Google|Apple|Android|iPhone|iPad|Play Store|App Store|English|UPI|SMS|OTP|QR|JSON|ZIP/g;

/** Returns the visible texts and the accessible names of a page. */
const readTexts = (page: Page) =>
  page.evaluate(() => {
    const values: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, textContent: text } = walker.currentNode;
      if (parent && !parent.closest('script, style, [hidden]') && parent.checkVisibility()) values.push(text ?? '');
    }
    for (const name of ['aria-label', 'alt', 'placeholder', 'title', 'aria-valuetext']) {
      for (const element of document.querySelectorAll(`[${name}]`)) values.push(element.getAttribute(name) ?? '');
    }
    return [document.title, ...values];
  });

/**
 * Waits for the page's heading, then expects no English text and no horizontal scrolling. `where`
 * is for the message. `except` is another text in Latin letters that is allowed.
 */
export async function expectHindi(page: Page, where: string, except = '') {
  await expect(page.locator('html'), where).toHaveAttribute('lang', 'hi');
  // The empty document of the console has neither a skeleton nor a title in Hindi.
  await expect(page.getByRole('heading', { level: 1 }).first(), where).toBeVisible();
  await expect(page.locator('.skeleton'), where).toHaveCount(0);
  const english = (await readTexts(page)).filter((text) => /[A-Za-z]{2}/.test(text.replaceAll(LATIN, '').replace(except, '')));
  expect.soft(english, where).toEqual([]);
  const [scrolled, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect.soft(scrolled, `${where} scrolls sideways`).toBeLessThanOrEqual(visible ?? 0);
}
