/**
 * Home for a customer or guest of this browser: orders under way, preselected area and address, and
 * the last order to repeat. docs/decisions/0042.
 */
import { addAddress, deleteAddress } from '../../src/domains/addresses/contract.ts';
import { transaction } from '../../src/db/database.server.ts';
import { insertOrderEvent } from '../../src/domains/orders/events-store.server.ts';
import { DAY_SECONDS } from '../../src/lib/clock.ts';
import { home } from '../support/ordering.ts';
import { advanceOrder, placeGuestOrder, placeOrders } from './ordering.ts';
import { cart, detail, proceed, saveAddress, tile } from './order-steps.ts';
import { axe, expect, fitsWidth, sendCall, test, type Page } from './fixtures.ts';

const recent = (page: Page) => page.getByRole('region', { name: 'Your orders' });
const repeat = (page: Page) => recent(page).getByRole('button', { name: 'Repeat last order' });
const addressCard = (page: Page) => cart(page).getByRole('radio', { name: /Flat 12, Tower B/ });

const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Counts the taps of a journey. */
function countTaps() {
  let taps = 0;
  return {
    tap: async (target: ReturnType<typeof tile>) => {
      taps += 1;
      await target.click();
    },
    count: () => taps,
  };
}

test('a returning customer orders with three taps from home, or repeats the last order with two', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const [first] = await placeOrders(page.request, customer, 1);
  await advanceOrder(program, first!, 'delivered');
  await page.goto('/');
  await expect(repeat(page)).toBeVisible();
  const usual = countTaps();
  await usual.tap(tile(page, 'Wash'));
  await usual.tap(proceed(page));
  await expect(cart(page).getByText('Proceed places your order.')).toBeVisible();
  await usual.tap(proceed(page));
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  expect(usual.count()).toBe(3);

  const orderid = (await page.getByRole('main').innerText()).match(/[0-9A-Z]{12}/)?.[0];
  await advanceOrder(program, orderid!, 'washing');
  await page.getByRole('link', { name: 'Go to home' }).click();
  const again = countTaps();
  await again.tap(repeat(page));
  await expect(addressCard(page)).toBeChecked();
  await again.tap(proceed(page));
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  expect(again.count()).toBe(2);
  const orders = await program.db
    .selectFrom('orders')
    .select(['program_id', 'area', 'ship_address1'])
    .where('customer_id', '=', customer.userid)
    .execute();
  expect(orders).toEqual(Array.from({ length: 3 }, () => ({ program_id: 'wash', area: 'manesar', ship_address1: home.address1 })));
});

test('the repeated order has the rate of today and about the weight of the last one', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const [order] = await placeOrders(page.request, customer, 1);
  await advanceOrder(program, order!, 'delivered');
  await program.db.updateTable('programs').set({ rate_paise: 4000 }).where('id', '=', 'wash').execute();
  try {
    program.clock.advance(2);
    await page.goto('/');
    await expect(recent(page).getByText('₹40 per kg')).toBeVisible();
    await expect(recent(page).getByText('about ₹302 for 7.53 kg')).toBeVisible();
    await expect(recent(page).getByText('Today, Nov 21, 2026')).toBeVisible();
    await axe(page);
    await fitsWidth(page, 320);
    await repeat(page).click();
    await expect(cart(page).getByText('It costs about ₹302 for 7.53 kg; you pay after we have weighed it.')).toBeVisible();
    await axe(page);
  } finally {
    await program.db.updateTable('programs').set({ rate_paise: 3800 }).where('id', '=', 'wash').execute();
    program.clock.advance(2);
  }
});

test('shows each order under way with stage, time, amount due, Track and Pay', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const [delivered, washing, pickup] = await placeOrders(page.request, customer, 3);
  await advanceOrder(program, delivered!, 'delivered');
  await advanceOrder(program, washing!, 'washing');
  await page.goto('/');
  const card = (orderid: string) => recent(page).getByRole('listitem').filter({ hasText: orderid });
  await expect(card(pickup!)).toContainText('Pickup Pending');
  await expect(card(pickup!)).toContainText('Pickup Nov 21, 2026, 05:00 - 09:00 PM');
  await expect(card(pickup!).getByRole('link', { name: 'Pay' })).toHaveCount(0);
  await expect(card(washing!)).toContainText('Washing/Drying');
  await expect(card(washing!)).toContainText('Back by Sun, Nov 22, 9 PM');
  await expect(card(washing!)).toContainText('₹286.14');
  await expect(card(delivered!)).toHaveCount(0);
  // The order that is returned first.
  await expect(recent(page).getByRole('listitem').first()).toContainText(washing!);
  await axe(page);
  await card(washing!).getByRole('link', { name: 'Pay' }).click();
  await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeInViewport();
  await page.goBack();
  await card(pickup!).getByRole('link', { name: 'Track' }).click();
  await expect(detail(page, 'Order No')).toHaveText(pickup!);
});

test('a phone shows the order that waits for its customer and the last one without scrolling sideways', async ({
  page,
  program,
  signedIn,
}) => {
  const [waiting = '', washing = ''] = await placeOrders(page.request, await signedIn(), 2);
  await advanceOrder(program, washing, 'washing');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const first = recent(page).getByRole('listitem').first();
  await expect(first).toContainText(washing);
  await transaction(program.db, (tx) => insertOrderEvent(tx, waiting, { kind: 'attempted', why: 'nobody-home', at: program.clock.now() }));
  await page.reload();
  await expect(first).toContainText('Please choose a new evening');
  await expect(first.getByRole('link', { name: `Track ${waiting}` })).toBeInViewport({ ratio: 1 });
  await expect(repeat(page)).toHaveAccessibleName(
    'Repeat last order: Wash, Manesar ₹38 per kg · about ₹287 for 7.53 kg · Today, Nov 21, 2026',
  );
  await expect(repeat(page)).toBeInViewport({ ratio: 1 });
  await axe(page);
  await fitsWidth(page, 320);
  await repeat(page).click();
  await expect(cart(page).getByRole('heading', { name: 'Pickup and delivery address' })).toBeVisible();
});

test('on a wide screen the orders are a grid, also after another page was loaded first', async ({ page, signedIn }) => {
  await placeOrders(page.request, await signedIn(), 2);
  await page.setViewportSize({ width: 1280, height: 800 });
  // The document of this page has no rules of the layer with the carousel.
  await page.goto('/contact');
  await page.getByRole('banner').getByRole('link', { name: 'Dhulai' }).click();
  await expect(recent(page).getByRole('listitem')).toHaveCount(3);
  await expect(recent(page).getByRole('list')).toHaveCSS('display', 'grid');
});

test('an order under way has its card also behind ten newer orders', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const [oldest = ''] = await placeOrders(page.request, customer, 1);
  // A customer places ten orders a day.
  program.clock.advance(DAY_SECONDS);
  const newer = await placeOrders(page.request, customer, 10);
  program.clock.advance(-DAY_SECONDS);
  const cancelled = { stage: 'cancelled', cancelled_at: program.clock.now(), cancelled_by: 'customer', cancelled_from: 'pickup' } as const;
  await program.db.updateTable('orders').set(cancelled).where('id', 'in', newer).execute();
  await page.goto('/');
  await expect(recent(page).getByRole('link', { name: `Track ${oldest}` })).toBeVisible();
  await expect(recent(page).getByRole('link', { name: /^Track / })).toHaveCount(1);
});

test('a guest of this browser has the area and address of the last order', async ({ page, newMobile }) => {
  const mobile = newMobile();
  await placeGuestOrder(page.request, mobile);
  await page.goto('/');
  await expect(recent(page).getByText('Pickup Pending')).toBeVisible();
  await tile(page, 'Iron').click();
  await proceed(page).click();
  await expect(cart(page).getByText(`+91 ${mobile}`)).toBeVisible();
  await expect(cart(page).getByText('Proceed verifies your mobile number by SMS and then places your order.')).toBeVisible();
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: 'Verify your mobile number' })).toBeVisible();
});

test('the only saved address is selected; a customer without one sees the hints', async ({ page, signedIn }) => {
  const customer = await signedIn();
  await page.goto('/');
  await expect(page.getByRole('button', { name: /^Hi, / })).toBeVisible();
  await page.getByRole('radio', { name: 'Manesar' }).check();
  await expect(recent(page)).toHaveCount(0);
  await tile(page, 'Wash').click();
  await proceed(page).click();
  await expect(cart(page).getByText('You have no saved address')).toBeVisible();
  await saveAddress(page.request, customer);
  await page.goto('/');
  await tile(page, 'Wash').click();
  await proceed(page).click();
  await expect(addressCard(page)).toBeChecked();
});

test('an area that was selected in this tab stays, and the address of another area is not selected', async ({ page, signedIn }) => {
  const customer = await signedIn();
  await sendCall(page.request, addAddress, { ...home, area: 'manesar', userid: customer.userid });
  await page.goto('/stages');
  await page.getByRole('radio', { name: 'Vatika India Next' }).check();
  await page.goto('/');
  await tile(page, 'Wash').click();
  await proceed(page).click();
  await expect(addressCard(page)).not.toBeChecked();
  await expect(cart(page).getByText('Vatika India Next', { exact: true }).first()).toBeVisible();
});

test('the deleted address of the last order gets a sentence, and another one can be selected', async ({ page, signedIn }) => {
  const customer = await signedIn();
  const { userid } = customer;
  const { addressid } = await saveAddress(page.request, customer);
  await placeOrders(page.request, customer, 1, addressid);
  for (const address1 of ['Flat 7', 'Flat 8']) await sendCall(page.request, addAddress, { ...home, address1, userid });
  await sendCall(page.request, deleteAddress, { userid, addressid });
  await page.goto('/');
  await expect(
    recent(page)
      .getByText('The address of this order is no longer saved. You choose another one in the next step.')
      .filter({ visible: true }),
  ).toHaveCount(1);
  await repeat(page).click();
  await expect(cart(page).getByText('* Please select a pickup & delivery address, or add a new one here')).toBeVisible();
  await cart(page)
    .getByRole('radio', { name: /Flat 8/ })
    .check();
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
});

test('an address that is deleted while it is selected gets a sentence', async ({ page, signedIn }) => {
  const customer = await signedIn();
  const { addressid } = await saveAddress(page.request, customer);
  await placeOrders(page.request, customer, 1, addressid);
  await page.goto('/');
  await expect(repeat(page)).toBeVisible();
  await sendCall(page.request, deleteAddress, { userid: customer.userid, addressid });
  await repeat(page).click();
  await expect(cart(page).getByText('The selected address has been deleted. Please select another one.')).toBeVisible();
  await expect(cart(page).getByText('You have no saved address')).toBeVisible();
});

test('a program that is not offered any more gets a sentence and leads to the services', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await placeOrders(page.request, customer, 1);
  const rows = await program.db
    .selectFrom('area_variations')
    .select(['program_id', 'area', 'surcharge_paise'])
    .where('program_id', '=', 'wash')
    .execute();
  await program.db.deleteFrom('area_variations').where('program_id', '=', 'wash').execute();
  try {
    program.clock.advance(2);
    await page.goto('/');
    await expect(recent(page).getByText(/^Wash is no longer offered\./)).toBeVisible();
    await expect(repeat(page)).toHaveCount(0);
    await recent(page).getByRole('link', { name: 'Choose a service' }).click();
    await tile(page, 'Iron').click();
    await proceed(page).click();
    await expect(addressCard(page)).toBeChecked();
  } finally {
    await program.db.insertInto('area_variations').values(rows).execute();
    program.clock.advance(2);
  }
});

test('orders that fail to load get a sentence, and home works', async ({ page, signedIn, expectProblem }) => {
  expectProblem(/response 503: POST .*getorder/);
  const customer = await signedIn();
  await placeOrders(page.request, customer, 1);
  await page.route('**/orders/getorder.php', (route) =>
    route.fulfill({ status: 503, json: { response: 'error', message: 'no', data: null } }),
  );
  await page.goto('/');
  await expect(page.getByText('We could not load your orders')).toBeVisible();
  await page.unroute('**/orders/getorder.php');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(repeat(page)).toBeVisible();
});

test('other visitors load none of it, and their page does not shift visibly', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await recordShifts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(requests.filter((url) => /recent-orders|getorder|getaddress/.test(url))).toEqual([]);
  expect(sumOf(await shiftsOf(page))).toBeLessThan(0.01);
});

test('the page of a customer with an order under way shifts little', async ({ page, signedIn }) => {
  const customer = await signedIn();
  await placeOrders(page.request, customer, 1);
  await recordShifts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(recent(page).getByText('Pickup Pending')).toBeVisible();
  expect(sumOf(await shiftsOf(page))).toBeLessThan(0.05);
});

test('on a wide screen the services stay where they are for a customer with many orders under way', async ({ page, signedIn }) => {
  const customer = await signedIn();
  await placeOrders(page.request, customer, 5);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await recordShifts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  const cards = recent(page).getByRole('listitem');
  await expect(cards).toHaveCount(6);
  expect(sumOf(await shiftsOf(page))).toBeLessThan(0.05);
  const tops = await cards.evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await cards.last().scrollIntoViewIfNeeded();
  await expect(cards.last()).toBeInViewport({ ratio: 0.99 });
  await fitsWidth(page, 1024);
});
