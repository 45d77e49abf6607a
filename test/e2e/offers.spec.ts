/**
 * An offer from the cart to the bill: the server applies it, and every screen shows the same
 * rates and amounts. Specification sections 3, 4 and 9.
 */
import { grantOffer } from '../../src/domains/offers/service.server.ts';
import { DAY_SECONDS, addSeconds } from '../../src/lib/clock.ts';
import { links } from '../../src/shared/links.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import { cart, detail, chooseService, saveAddress, goToOverview } from './order-steps.ts';
import { advanceOrder } from './ordering.ts';
import type { TestCustomer } from './sign-up.ts';

const grant = ({ db, clock }: BrowserTestProgram, { userid }: TestCustomer, startsAt = clock.now()) =>
  grantOffer(db, { customerId: userid, percent: 15, validDays: 7, reason: 'A test', startsAt }, clock.now());

const CHANGED = 'Your offer is not the one that was shown any more, please check the rate and place the order again';

const rows = async (page: Page, expected: Record<string, string>) => {
  for (const [label, value] of Object.entries(expected)) await expect(detail(page, label)).toHaveText(value);
};

test('shows the same offer in the cart, the summary, the confirmation, the order and the bill', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  const offerid = await grant(program, customer);
  // The estimate includes the offer. Without it: ₹71.82 to ₹139.20.
  await page.goto('/');
  await page.getByRole('button', { name: 'Estimate my price' }).click();
  for (let shirts = 0; shirts < 5; shirts += 1) await cart(page).getByRole('button', { name: 'One more: Shirt' }).click();
  for (let jeans = 0; jeans < 2; jeans += 1) await cart(page).getByRole('button', { name: 'One more: Jeans' }).click();
  await expect(cart(page)).toContainText('15% off counted');
  await expect(cart(page)).toContainText('₹61 to ₹119');
  await axe(page);
  await chooseService(page, 'Wash', 'Vatika India Next');
  await expect(cart(page)).toContainText('₹40.80 per kg');
  await expect(cart(page)).toContainText('15% off');
  await expect(cart(page).locator('s')).toHaveText('₹48 per kg');
  await axe(page);
  await fitsWidth(page, 320);
  await goToOverview(page, customer);
  await rows(page, { Rate: '₹48 per kg', Offer: '15% off', 'Rate after offer': '₹40.80 per kg' });
  await axe(page);
  const sent = page.waitForRequest('**/orders/addorder.php');
  await page.getByRole('link', { name: 'Place Order' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ programrate: 48, orderrate: 40.8, offerid, offerrate: 15 });
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  await rows(page, { Rate: '₹48 per kg', Offer: '15% off', 'Rate after offer': '₹40.80 per kg' });
  const orderid = (await detail(page, 'Order No').textContent()) ?? '';

  await page.goto(links.order(orderid));
  await rows(page, { Offer: '15% off', 'Final Amount': 'Calculated at pickup' });
  await expect(page.getByRole('link', { name: 'See the bill' })).toHaveCount(0);
  await advanceOrder(program, orderid, 'delivered');
  await page.reload();
  const amounts = { '₹48 × 7.53 kg': '₹361.44', 'Offer, 15% off': '-₹54.22', 'Final Amount': '₹307.22' };
  await rows(page, amounts);
  await page.getByRole('link', { name: 'See the bill' }).click();
  await expect(page).toHaveURL(links.bill(orderid));
  await rows(page, { 'Order No': orderid, Delivered: 'Nov 21, 2026', ...amounts, 'Left to pay': '₹307.22' });
  await axe(page);
  await fitsWidth(page, 320);
});

test('the printed bill has no controls and is black on white, also in dark mode', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Iron', 'Manesar');
  await goToOverview(page, customer);
  await page.getByRole('link', { name: 'Place Order' }).click();
  const orderid = (await detail(page, 'Order No').textContent()) ?? '';
  await page.goto(links.bill(orderid));
  await expect(page.getByText('This bill is not ready yet')).toBeVisible();
  await axe(page);
  await advanceOrder(program, orderid, 'delivered');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Print or save' })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute('data-printed', 'yes') }));
  await page.getByRole('button', { name: 'Print or save' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await rows(page, { 'Final Amount': '₹338.85' });
  for (const control of [
    page.getByRole('button'),
    page.getByRole('banner'),
    page.getByRole('contentinfo'),
    page.getByRole('main').getByRole('link'),
  ]) {
    await expect(control.filter({ visible: true })).toHaveCount(0);
  }
  const ink = await page
    .getByText('Billed to')
    .locator('xpath=following-sibling::p[1]')
    .evaluate((element) => getComputedStyle(element).color);
  expect(ink).toBe('rgb(23, 24, 28)');
  await page.emulateMedia({ media: null, colorScheme: null });
});

test('shows no bill to signed-out visitors and other customers', async ({ page, signedIn, stopTime, passTime }) => {
  await signedIn();
  await page.goto(links.bill('NOSUCHORDER0'));
  await expect(page.getByText('No order found with order number NOSUCHORDER0')).toBeVisible();
  await page.context().clearCookies();
  await stopTime();
  await page.goto(links.bill('NOSUCHORDER0'));
  await expect(page.getByText('User not found')).toBeVisible();
  await passTime(2);
  await expect(page).toHaveURL(links.login());
});

test('rejects an order with an expired offer, and the summary shows the current rate', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  // The offer expires in two minutes.
  await grant(program, customer, addSeconds(program.clock.now(), 120 - 7 * DAY_SECONDS));
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  await rows(page, { 'Rate after offer': '₹32.30 per kg' });
  const morning = program.clock.now();
  program.clock.advance(121);
  try {
    await page.getByRole('link', { name: 'Place Order' }).click();
    await expect(page.getByText(CHANGED)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Order summary' })).toBeVisible();
    await rows(page, { Rate: '₹38 per kg' });
    await expect(detail(page, 'Offer')).toHaveCount(0);
    expect(await program.db.selectFrom('orders').select('id').where('customer_id', '=', customer.userid).execute()).toEqual([]);
    await page.getByRole('link', { name: 'Place Order' }).click();
    await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  } finally {
    program.clock.set(morning);
  }
});

test('is requested for customers only, and documents do not depend on it', async ({ page, program, signedIn }) => {
  const requests: string[] = [];
  page.on('request', (request) => request.url().includes('getoffertransaction') && requests.push(request.url()));
  const stranger = await (await page.request.get('/')).text();
  await page.goto('/');
  await page.getByRole('main').getByRole('radio', { name: 'Manesar' }).check();
  await page.getByRole('main').getByRole('button', { name: /^Iron/ }).click();
  await expect(cart(page)).toContainText('₹45 per kg');
  expect(requests).toEqual([]);
  await grant(program, await signedIn());
  expect(await (await page.request.get('/')).text()).toBe(stranger);
});
