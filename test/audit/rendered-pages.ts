/** Every page as Chromium renders it for a signed-in customer, in each language. */
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { chromium, type Browser } from '@playwright/test';
import { chromiumPath } from '../../tools/chromium-path.mjs';
import { inParallel, type AuditTarget, type Page } from './tool.ts';

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  /** Absolute addresses. */
  readonly links: readonly string[];
}

const PAGE_TIMEOUT_MS = 45_000;

/** English, and the language of each catalogue. */
const LANGUAGES = ['en', ...readdirSync('src/i18n').flatMap((file) => /^(\w+)\.json$/.exec(file)?.[1] ?? [])];

const rendered = new WeakMap<AuditTarget, Promise<RenderedPage[]>>();

/** Renders the pages of the target. The second call returns the result of the first. */
export function renderPages(target: AuditTarget): Promise<RenderedPage[]> {
  const pages = rendered.get(target) ?? renderAll(target);
  rendered.set(target, pages);
  return pages;
}

async function renderAll(target: AuditTarget): Promise<RenderedPage[]> {
  const executablePath = chromiumPath();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const work = LANGUAGES.flatMap((language) => target.pages.map((page) => ({ page, language })));
    return await inParallel(work, 2, ({ page, language }) => renderPage(browser, target, page, language));
  } finally {
    await browser.close();
  }
}

async function renderPage(browser: Browser, { url, cookie }: AuditTarget, { title, path }: Page, language: string): Promise<RenderedPage> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const cookies = `${cookie}; lang=${language}`.split('; ').filter((pair) => pair.includes('='));
  await context.addCookies(cookies.map((pair) => ({ name: pair.split('=', 1)[0] ?? '', value: pair.slice(pair.indexOf('=') + 1), url })));
  try {
    const page = await context.newPage();
    await page.goto(`${url}${path}`, { waitUntil: 'networkidle', timeout: PAGE_TIMEOUT_MS });
    const links = await page.locator('a[href]').evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).href));
    return { title: `${title} (${language})`, html: await page.content(), links };
  } finally {
    await context.close();
  }
}
