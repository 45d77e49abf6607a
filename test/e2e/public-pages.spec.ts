/** Contact, privacy policy and the app download page. Specification section 2, "Other pages". */
import { defaultBrand } from '../../src/shared/brand.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';

test('contact shows e-mail, mobile, office address and a link to the privacy policy', async ({ page, seen }) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click();
  await expect(page).toHaveURL('/contact');
  await seen('contact', 'Get in touch!');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: defaultBrand.email })).toHaveAttribute('href', `mailto:${defaultBrand.email}`);
  await expect(main.getByRole('link', { name: defaultBrand.mobile })).toHaveAttribute(
    'href',
    `tel:${defaultBrand.mobile.replaceAll(' ', '')}`,
  );
  await expect(main.getByText(defaultBrand.address)).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await main.getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy policy' })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
});

test('the navigation bar links to every page and marks the current one', async ({ page }) => {
  await page.goto('/');
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect(bar.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
  for (const [name, path] of [
    ['Reviews', '/reviews'],
    ['Refer', '/refer'],
    ['Contact', '/contact'],
    ['Home', '/home'],
  ] as const) {
    await bar.getByRole('link', { name }).click();
    await expect(page).toHaveURL(path);
    await expect(bar.locator('[aria-current=page]')).toHaveText(name);
  }
  await page.getByRole('link', { name: defaultBrand.name, exact: true }).click();
  await expect(page).toHaveURL('/');
});

const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

test.describe('the app download page', () => {
  for (const [device, userAgent, store] of [
    ['Android', ANDROID, defaultBrand.stores.android],
    ['an iPhone', IPHONE, defaultBrand.stores.ios],
  ] as const) {
    test(`redirects ${device} to its store`, async ({ browser, program }) => {
      const context = await browser.newContext({ baseURL: program.url, userAgent });
      await context.route(store, (route) => route.fulfill({ contentType: 'text/html', body: '<title>the store</title>' }));
      const page = await context.newPage();
      await page.goto('/downloadourapplication');
      await expect(page).toHaveURL(store);
      await context.close();
    });
  }

  test('redirects other devices to home', async ({ browser, program }) => {
    const context = await browser.newContext({ baseURL: program.url, userAgent: DESKTOP });
    const page = await context.newPage();
    await page.goto('/downloadourapplication');
    await expect(page).toHaveURL(`${program.url}/`);
    await context.close();
  });

  test('shows the store links in in-app browsers and without scripts', async ({ browser, program }) => {
    for (const options of [{ userAgent: `${IPHONE} Instagram 350.0.0.0` }, { userAgent: ANDROID, javaScriptEnabled: false }]) {
      const context = await browser.newContext({ baseURL: program.url, ...options });
      const page = await context.newPage();
      await page.goto('/downloadourapplication', { waitUntil: 'networkidle' });
      await expect(page).toHaveURL(`${program.url}/downloadourapplication`);
      const links = page.getByRole('main').getByRole('link');
      expect(await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')))).toEqual([
        defaultBrand.stores.android,
        defaultBrand.stores.ios,
        '/',
      ]);
      if (!('javaScriptEnabled' in options)) {
        await axe(page);
        await fitsWidth(page, 320);
      }
      await context.close();
    }
  });
});
