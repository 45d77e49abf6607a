/**
 * Home besides ordering: banners, price estimate, reviews, app and social links. Specification
 * sections 2 and 9.
 */
import { newId } from '../../src/lib/ids.ts';
import { defaultBrand } from '../../src/shared/brand.ts';
import { links } from '../../src/shared/links.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import { advanceOrder } from './ordering.ts';
import { cart, detail, goToOverview, proceed, saveAddress } from './order-steps.ts';

const strip = (page: Page) => page.getByRole('region', { name: 'Good to know' }).getByRole('list');
const scrolled = (page: Page) => strip(page).evaluate((list) => list.scrollLeft);

test.describe('the banners', () => {
  test('scroll once, four seconds after the load', async ({ page, stopTime, passTime }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/');
    // stopTime pauses ten seconds later.
    await stopTime();
    await expect.poll(() => scrolled(page)).toBeGreaterThan(100);
    // The animation does not use the paused clock: it has ended when two samples are equal.
    let once = -1;
    await expect(async () => {
      const before = once;
      once = await scrolled(page);
      expect(once).toBe(before);
    }).toPass({ intervals: [300] });
    await passTime(60);
    expect(await scrolled(page)).toBe(once);
  });

  test('do not scroll before four seconds', async ({ page, context, program }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await context.clock.pauseAt(program.clock.now().getTime() + 10_000);
    await page.goto('/');
    await page.clock.runFor(1);
    const begun = await page.evaluate(() => document.documentElement.outerHTML.length);
    expect(begun).toBeGreaterThan(0);
    await page.clock.runFor(3900);
    expect(await scrolled(page)).toBe(0);
    await page.clock.runFor(1000);
    await expect.poll(() => scrolled(page)).toBeGreaterThan(200);
  });

  for (const [event, trigger] of [
    ['a touch', (page: Page) => strip(page).dispatchEvent('pointerdown')],
    ['a keyboard focus', (page: Page) => page.getByRole('link', { name: 'Choose a service' }).focus()],
  ] as const) {
    test(`do not scroll after ${event}`, async ({ page, stopTime, passTime }) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.goto('/');
      await trigger(page);
      await stopTime();
      await passTime(30);
      expect(await scrolled(page)).toBe(0);
    });
  }

  test('do not scroll with reduced motion, and scroll to a focused link', async ({ page, stopTime, passTime }) => {
    await page.goto('/');
    await stopTime();
    await passTime(30);
    expect(await scrolled(page)).toBe(0);
    await page.getByRole('link', { name: 'Choose a service' }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Get your link' })).toBeFocused();
    await expect.poll(() => scrolled(page)).toBeGreaterThan(100);
  });
});

test('the estimate shows a price range for garments, service and area, and links to the order', async ({ page }) => {
  await page.goto(links.contact());
  await page.getByRole('link', { name: defaultBrand.name }).first().click();
  const open = page.getByRole('button', { name: 'Estimate my price' });
  await open.click();
  const sheet = page.getByRole('dialog', { name: 'What will it cost?' });
  await expect(sheet.getByText('Add what you have')).toBeVisible();
  // A navigation back closes the sheet; without an open sheet it leaves the page.
  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(links.home());
  await open.click();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect(sheet).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(links.contact());
  await page.goForward();
  await expect(page).toHaveURL(links.home());
  await open.click();
  await page.reload();
  await expect(sheet).toBeHidden();
  await open.click();
  await expect(sheet.getByText('Add what you have')).toBeVisible();
  expect(await sheet.getByRole('listitem').count()).toBeGreaterThanOrEqual(12);
  const more = (name: string) => sheet.getByRole('button', { name: `One more: ${name}` });
  for (let shirts = 0; shirts < 5; shirts += 1) await more('Shirt').click();
  for (let jeans = 0; jeans < 2; jeans += 1) await more('Jeans').click();
  await page.reload();
  await open.click();
  await expect(sheet.getByText(/^7 pieces, /)).toBeVisible();
  // Wash without an area: from the light load in Manesar (₹38) to the heavy one in Vatika India
  // Next (₹48).
  const outcome = sheet.getByRole('contentinfo').or(sheet.locator('footer')).first();
  await expect(outcome).toContainText('7 pieces, about 1.9 to 2.9 kg');
  await expect(outcome).toContainText('₹72 to ₹140');
  await sheet.getByRole('radio', { name: 'Manesar' }).check({ force: true });
  await expect(outcome).toContainText('₹72 to ₹111');
  await sheet.getByRole('radio', { name: 'Wash + Iron' }).check({ force: true });
  await expect(outcome).toContainText('₹117 to ₹180');
  await sheet.getByRole('button', { name: 'One less: Jeans' }).click();
  await expect(outcome).toContainText('6 pieces, about 1.4 to 2.2 kg');
  await axe(page);
  await fitsWidth(page, 320);
  await sheet.getByRole('button', { name: 'Order Wash + Iron' }).click();
  await expect(page.getByRole('dialog', { name: 'Wash + Iron' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Manesar' }).first()).toBeChecked();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(links.contact());
});

test('the estimate of home is shown from the cart to the page of the order, until it is weighed', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await page.goto('/');
  await page.getByRole('main').getByRole('radio', { name: 'Manesar' }).check();
  await page.getByRole('button', { name: 'Estimate my price' }).click();
  for (let jeans = 0; jeans < 2; jeans += 1) await page.getByRole('button', { name: 'One more: Jeans' }).click();
  await page.getByRole('button', { name: 'Order Wash' }).click();
  const estimate = '₹34 to ₹54 for 0.9 to 1.4 kg';
  await expect(cart(page).getByText(`about ${estimate}`)).toBeVisible();
  await expect(cart(page).getByText('It costs about')).toHaveCount(0);
  await proceed(page).click();
  await expect(cart(page).getByText(`It costs about ${estimate}; you pay after we have weighed it.`)).toBeVisible();
  await page.reload();
  await goToOverview(page, customer);
  await expect(detail(page, 'Estimate')).toHaveText(estimate);
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  await expect(detail(page, 'Estimate')).toHaveText(estimate);
  await page.reload();
  await expect(detail(page, 'Estimate')).toHaveText(estimate);
  await expect(detail(page, 'Amount')).toHaveText('Calculated at pickup');
  const orderid = await detail(page, 'Order No').innerText();
  await page.getByRole('link', { name: 'View order' }).click();
  await expect(detail(page, 'Final Amount')).toHaveText('Calculated at pickup');
  await expect(detail(page, 'Estimate')).toHaveText(estimate);
  await advanceOrder(program, orderid, 'queue');
  await page.reload();
  await expect(detail(page, 'Final Amount')).toHaveText(/₹/);
  await expect(detail(page, 'Estimate')).toHaveCount(0);
});

test('shows at most three reviews of four stars or more, newest first, and a link to all', async ({ page, program, signedIn }) => {
  const { userid } = await signedIn();
  await program.db.deleteFrom('reviews').execute();
  const rows = [5, 4, 3, 5, 2, 4, 5].map((star, index) => ({
    id: newId(),
    customer_id: userid,
    star,
    message: `Review ${index}`,
    created_at: new Date(program.clock.now().getTime() - (index + 1) * 60_000),
  }));
  await program.db.insertInto('reviews').values(rows).execute();
  program.clock.advance(2);
  await page.goto('/');
  const reviews = page.getByRole('region', { name: 'What customers say' });
  await expect(reviews.getByText(/^Review \d$/)).toHaveText(['Review 0', 'Review 1', 'Review 3']);
  await reviews.getByRole('link', { name: 'All reviews' }).click();
  await expect(page).toHaveURL('/reviews');

  await program.db.deleteFrom('reviews').where('star', '>=', 4).execute();
  program.clock.advance(2);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'What customers say' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'All reviews' })).toBeVisible();
});

test('the document contains the app, the social links and how it works', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get the app' })).toHaveAttribute('href', '/downloadourapplication');
  const { network, photos, chatNumber } = defaultBrand.social;
  for (const [name, href] of [
    ['Facebook', network],
    ['Instagram', photos],
    ['WhatsApp', `https://wa.me/${chatNumber}`],
  ] as const) {
    await expect(page.getByRole('contentinfo').getByRole('link', { name })).toHaveAttribute('href', href);
  }
  await expect(page.getByRole('region', { name: 'How it works' }).getByRole('listitem')).toHaveCount(3);
});
