/**
 * `npm run pictures`: takes the pictures of the README from a running program (ADDRESS, default
 * port 3000).
 */
import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from '@playwright/test';
import { chromiumPath } from './chromium-path.mjs';

const address = process.env.ADDRESS ?? 'http://localhost:3000';
const folder = 'docs/pictures';

/** The sample customer. A demonstration prints mobile and password at start. */
const sample = { mobile: process.env.SAMPLE_MOBILE ?? '', password: process.env.SAMPLE_PASSWORD ?? '' };

const pictures: Record<string, (page: Page) => Promise<void>> = {
  home: async (page) => {
    await page.goto('/', { waitUntil: 'networkidle' });
  },
  cart: async (page) => {
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.getByText('Manesar', { exact: true }).first().click();
    await page.getByRole('button', { name: /Wash \+ Iron/ }).click();
    await page.getByRole('dialog').waitFor();
  },
  order: async (page) => {
    await page.goto('/auth/login', { waitUntil: 'networkidle' });
    await page.getByLabel('Mobile Number').fill(sample.mobile);
    await page.getByLabel('Password', { exact: true }).fill(sample.password);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await page.getByRole('heading', { name: /Welcome back/ }).waitFor();
    await page.goto('/auth/orders', { waitUntil: 'networkidle' });
    // The link covers the whole card, including the text.
    await page.getByText('Out for delivery', { exact: true }).click({ force: true });
    await page.getByText('Final Amount').waitFor();
  },
};

const executablePath = chromiumPath();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
await mkdir(folder, { recursive: true });
for (const [name, openPage] of Object.entries(pictures)) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await openPage(page);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
}
await browser.close();
