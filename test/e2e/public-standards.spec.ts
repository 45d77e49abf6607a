/**
 * Standards for every public page: valid HTML, readable without scripts, no cut text on a narrow
 * screen with large text, strict headers (docs/security.md, S3), and no policy violation.
 */
import { HtmlValidate } from 'html-validate';
import { addReview } from '../../src/domains/reviews/contract.ts';
import { expect, sendCall, test } from './fixtures.ts';
import { cutTexts, overflowing, setTextSize } from './page-checks.ts';

const PAGES = {
  '/': 'Laundry day, off your hands.',
  '/home': 'Laundry day, off your hands.',
  '/reviews': 'Reviews',
  '/refer': 'Refer karo, Earn karo',
  '/contact': 'Get in touch!',
  '/privacy': 'Privacy policy',
  '/downloadourapplication': 'Get the Dhulai app',
  '/auth/login': 'Login',
  '/auth/signup': 'Sign up',
  '/offline': 'You are offline',
  '/nowhere/at/all/of/it': '404 not found',
} as const;

const paths = Object.keys(PAGES) as (keyof typeof PAGES)[];
const READABLE = paths.filter((path) => !path.startsWith('/auth/'));

test('every public page is valid HTML', async ({ page }) => {
  const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });
  const found: string[] = [];
  for (const path of [...paths, '/stages', '/docs/api', '/outbox']) {
    const { results } = await validator.validateString(await (await page.request.get(path)).text());
    for (const { messages } of results) {
      found.push(...messages.map(({ ruleId, message, line, column }) => `${path} ${line}:${column} ${ruleId}: ${message}`));
    }
  }
  expect(found).toEqual([]);
  // The validator finds faults.
  const broken = await validator.validateString('<p><div id="a"></div><img id="a"></p>');
  expect(broken.valid).toBe(false);
});

test('every response has strict headers', async ({ page }) => {
  for (const path of [...paths, '/sw.js', '/icons/192.png', '/robots.txt', '/sitemap.xml', '/manifest.webmanifest']) {
    const headers = (await page.request.get(path)).headers();
    expect(headers, path).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(headers['referrer-policy'], path).toBe('strict-origin-when-cross-origin');
    expect(headers['content-security-policy'] ?? '', path).not.toMatch(/unsafe-|\*|https?:/);
    if (headers['content-type']?.startsWith('text/html')) expect(headers['content-security-policy'], path).toContain("default-src 'none'");
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every public page shows its text and links', async ({ page, expectProblem }) => {
    expectProblem(/response 404: GET .*nowhere/);
    for (const path of READABLE) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(PAGES[path]);
      if (path === '/offline') continue;
      await expect(page.locator('noscript p')).toBeVisible();
      const bar = page.getByRole('navigation', { name: 'Main' });
      for (const name of ['Home', 'Reviews', 'Refer', 'Contact']) await expect(bar.getByRole('link', { name })).toBeVisible();
    }
    await page.goto('/');
    await expect(page.getByText('from ₹38 per kg')).toBeVisible();
    await page.getByRole('link', { name: 'All reviews' }).click();
    await expect(page).toHaveURL('/reviews');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Privacy policy' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy policy' })).toBeVisible();
  });
});

test('no page scrolls horizontally or cuts text at 320 px, twice the text size, or 320 px at 200 % zoom', async ({
  page,
  context,
  signedIn,
  program,
  expectProblem,
}) => {
  const { userid } = await signedIn({ name: 'Vasundhara Raghunathan' });
  for (const message of ['Fine.', 'Steam ironed, folded and back before breakfast.', 'w'.repeat(60)])
    await sendCall(context.request, addReview, { userid, star: 5, message });
  await context.clearCookies();
  program.clock.advance(2);
  expectProblem(/response 404: GET .*nowhere/);
  for (const path of paths) {
    await page.goto(path);
    // WCAG 1.4.10: 320 px is 1280 px at 400 %. A 320 px phone at 200 % has 160 CSS pixels, where
    // only text must fit (1.4.4).
    for (const [width, textSize] of [
      [320, '100%'],
      [320, '200%'],
      [768, '200%'],
      [1280, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await setTextSize(page, textSize);
      expect.soft(await overflowing(page), `wider than ${width} px: ${path}, text ${textSize}`).toEqual([]);
      expect.soft(await cutTexts(page), `${path} at ${width} px, text ${textSize}`).toEqual([]);
    }
  }
});

test('an order can be placed with the keyboard alone', async ({ page, signedIn }) => {
  await signedIn();
  await page.goto('/');
  const pressUntil = async (key: string, reached: () => Promise<boolean>) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await reached()) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} does not reach the element`);
  };
  const focused = (name: RegExp) => async () =>
    name.test(
      await page.evaluate(() => {
        const at = document.activeElement;
        return (
          at?.getAttribute('aria-label') ??
          (at instanceof HTMLInputElement ? (at.labels?.[0]?.textContent ?? at.value) : (at?.textContent ?? ''))
        );
      }),
    );

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await pressUntil('Tab', focused(/^Manesar/));
  await page.keyboard.press('Space');
  await pressUntil('Tab', focused(/^Wash/));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await pressUntil('Tab', focused(/^Proceed$/));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add new address' })).toBeVisible();
  await pressUntil('Tab', focused(/Add new address/));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Landmark')).toBeVisible();
  const fields = {
    Name: 'Asha Verma',
    Mobile: '9876501234',
    'Address 1': 'Flat 12, Tower B',
    'Address 2': 'Vatika India Next',
    Landmark: 'Opposite the water tank',
  };
  for (const [label, text] of Object.entries(fields)) {
    await pressUntil('Tab', focused(new RegExp(`^${label}`)));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Address added successfully')).toBeVisible();
  const saved = page.getByRole('radio', { name: /Asha Verma/ });
  await expect(saved).toBeVisible();
  if (!(await saved.isChecked())) {
    await pressUntil('Tab', () => saved.evaluate((radio) => radio === document.activeElement));
    await page.keyboard.press('Space');
  }
  await pressUntil('Tab', focused(/^Proceed$/));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Order placed successfully')).toBeVisible();
});
