/** The Hindi of a text, and whether a page is in Hindi. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';

const { texts, errors } = JSON.parse(readFileSync('src/i18n/hi.json', 'utf8')) as Record<'texts' | 'errors', Record<string, string>>;

/** With the value of its only name, where it has one. */
export function hindi(key: string, value = ''): string {
  const text = texts[key];
  if (!text) throw new Error(`no Hindi for '${key}'`);
  return text.replace(/\{\w+\}/, value);
}

/** The Hindi of an error without values. */
export function hindiError(code: string): string {
  const text = errors[code];
  if (!text) throw new Error(`no Hindi for the error '${code}'`);
  return text;
}

/** What is written in Latin letters in Hindi, too: names, short forms that everyone says so, addresses, and the number of an order. */
const LATIN =
  /Dhulai(?: Laundry Services)?|Vatika India Next, Gurugram, Haryana|\S+@\S+|https?:\S+|WhatsApp|Facebook|Instagram|Google Analytics|Google|Apple|Android|iPhone|iPad|Play Store|App Store|English|UPI|SMS|OTP|QR|\b[0-9A-Z]{12}\b/g;

/** What is seen and heard of a page, in Latin letters. A skeleton says that there is more to come. */
const inLatin = (page: Page) =>
  page.evaluate(() => {
    const told: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: parent, textContent: text } = texts.currentNode;
      if (parent && !parent.closest('script, style, [hidden]') && parent.checkVisibility()) told.push(text ?? '');
    }
    for (const name of ['aria-label', 'alt', 'placeholder', 'title', 'aria-valuetext']) {
      for (const element of document.querySelectorAll(`[${name}]`)) told.push(element.getAttribute(name) ?? '');
    }
    return [document.title, ...told];
  });

/** Nothing that is ours is told in English, and nothing is wider than the screen. */
export async function expectHindi(page: Page, where: string) {
  await expect(page.locator('html'), where).toHaveAttribute('lang', 'hi');
  await expect(page.locator('.skeleton'), where).toHaveCount(0);
  const found = (await inLatin(page)).filter((text) => /[A-Za-z]{2}/.test(text.replaceAll(LATIN, '')));
  expect.soft(found, where).toEqual([]);
  const [scrolled, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect.soft(scrolled, `${where} scrolls sideways`).toBeLessThanOrEqual(visible ?? 0);
}
