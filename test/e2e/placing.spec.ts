/**
 * One cart places one order (docs/security.md, O3 and O4), and the screens after a failure. Design
 * section 6, "Placing on load".
 */
import { defaultBrand } from '../../src/shared/brand.ts';
import { newestCode } from './codes.ts';
import {
  cart,
  detail,
  chooseService,
  goToGuestVerification,
  isAboveTabs,
  proceed,
  saveAddress,
  tile,
  goToOverview,
} from './order-steps.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import type { BrowserTestProgram } from './built-program.ts';
import type { TestCustomer } from './sign-up.ts';
import { DAY_SECONDS } from '../../src/lib/clock.ts';

const ordersOf = ({ db }: BrowserTestProgram, { userid }: TestCustomer) =>
  db.selectFrom('orders').select(['id', 'order_rate_paise']).where('customer_id', '=', userid).execute();

const ADD_ORDER = '**/orders/addorder.php';
const thankYou = (page: Page) => page.getByRole('heading', { name: /Thank you/ });

test('a hundred GET requests for /confirm, prefetches included, place nothing', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  const before = await program.db.selectFrom('orders').select('id').execute();
  const headerSets: Record<string, string>[] = [
    {},
    { 'sec-purpose': 'prefetch' },
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
  ];
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => page.request.get('/confirm', { headers: headerSets[index % 4]! })),
  );
  expect(new Set(responses.map((response) => response.status()))).toEqual(new Set([200]));
  expect(await program.db.selectFrom('orders').select('id').execute()).toHaveLength(before.length);
});

test('reload, back and forward show the same order', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(thankYou(page)).toBeVisible();
  const orderid = await detail(page, 'Order No').textContent();
  await expect(page.getByRole('main')).toContainText('Opposite the water tank');
  await page.reload();
  await expect(detail(page, 'Order No')).toHaveText(orderid!);
  // The tab does not store the address: it is read from the order.
  await expect(page.getByRole('main')).toContainText('Opposite the water tank');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Opposite the water tank');
  await page.getByRole('link', { name: 'Go to home' }).click();
  await expect(tile(page, 'Wash')).toBeVisible();
  await page.goBack();
  await expect(detail(page, 'Order No')).toHaveText(orderid!);
  await page.goBack();
  await page.goForward();
  await expect(detail(page, 'Order No')).toHaveText(orderid!);
  expect(await ordersOf(program, customer)).toEqual([{ id: orderid, order_rate_paise: 3800 }]);
});

test('a reload or navigation during the call places one order', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Iron', 'Manesar');
  await goToOverview(page, customer);
  let waiting = 0;
  // The order is stored, but its response is delayed until the page was left twice.
  await page.route(ADD_ORDER, async (route) => {
    const response = await route.fetch();
    if (++waiting > 2) await route.fulfill({ response });
  });
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect.poll(() => waiting).toBe(1);
  await page.reload();
  await expect.poll(() => waiting).toBe(2);
  await page.goBack();
  await page.goForward();
  await page.reload();
  await expect(thankYou(page)).toBeVisible();
  expect(await ordersOf(program, customer)).toHaveLength(1);
});

test('two tabs with the same cart show one order', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Vatika India Next');
  await goToOverview(page, customer);
  // A tab that a page opens starts with a copy of its session storage.
  const popup = page.waitForEvent('popup');
  await page.evaluate(() => void window.open('/overview'));
  const other = await popup;
  await expect(other.getByRole('heading', { name: 'Order summary' })).toBeVisible();
  await Promise.all([page, other].map((tab) => tab.getByRole('link', { name: 'Place Order' }).click()));
  for (const tab of [page, other]) {
    // A tab that is slower sees the order of the other one. With the same cart it places no other.
    const another = tab.getByRole('button', { name: 'Place another' });
    await expect(thankYou(tab).or(another)).toBeVisible();
    if (await another.isVisible()) await another.click();
    await expect(thankYou(tab)).toBeVisible();
  }
  const [order, ...more] = await ordersOf(program, customer);
  expect(more).toEqual([]);
  for (const tab of [page, other]) await expect(detail(tab, 'Order No')).toHaveText(order!.id);
});

const question = (page: Page) => page.getByRole('region', { name: 'Place another order?' });

test('a second order for the same evening and address is asked about, from the summary and from the cart', async ({
  page,
  program,
  signedIn,
}) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  const other = await page.context().newPage();
  await chooseService(other, 'Iron', 'Manesar');
  await goToOverview(other, customer);
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(thankYou(page)).toBeVisible();
  await other.getByRole('link', { name: 'Place Order' }).click();
  const [first] = await ordersOf(program, customer);
  await expect(question(other)).toContainText(`at Flat 12, Tower B (order ${first?.id}). Place another?`);
  await expect(question(other)).toBeFocused();
  await expect(detail(other, 'Wash Program')).toHaveText('Iron');
  await expect(detail(other, 'Address')).toContainText(customer.name);
  await expect(detail(other, 'Address')).toContainText('Flat 12, Tower B');
  await other.setViewportSize({ width: 390, height: 844 });
  await isAboveTabs(other, other.getByRole('link', { name: 'Do not place it' }));
  await isAboveTabs(other, other.getByRole('button', { name: 'Place another' }));
  await axe(other);
  await fitsWidth(other, 320);
  await other.reload();
  await expect(question(other)).toBeVisible();
  await other.getByRole('link', { name: 'Do not place it' }).click();
  await expect(other).toHaveURL('/overview');
  expect(await ordersOf(program, customer)).toHaveLength(1);
  await other.goto('/#cart');
  await proceed(other).click();
  await other.getByRole('button', { name: 'Place another' }).click();
  await expect(thankYou(other)).toBeVisible();
  expect(await ordersOf(program, customer)).toHaveLength(2);
});

test('a guest is asked about a second pickup after the code', async ({ page, newMobile }) => {
  const mobile = newMobile();
  await goToGuestVerification(page, mobile);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(thankYou(page)).toBeVisible();
  await chooseService(page, 'Wash', 'Vatika India Next');
  await proceed(page).click();
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(question(page)).toBeVisible();
  await page.getByRole('button', { name: 'Place another' }).click();
  await expect(thankYou(page)).toBeVisible();
});

test('a changed draft is a new order', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  for (const service of ['Wash', 'Iron'] as const) {
    await chooseService(page, service, 'Manesar');
    await goToOverview(page, customer);
    await page.getByRole('link', { name: 'Place Order' }).click();
    if (service === 'Iron') await page.getByRole('button', { name: 'Place another' }).click();
    await expect(thankYou(page)).toBeVisible();
  }
  expect(new Set((await ordersOf(program, customer)).map(({ order_rate_paise }) => order_rate_paise))).toEqual(new Set([3800, 4500]));
});

test('lost responses: retries, shows the retry, and places one order', async ({ page, program, signedIn, expectProblem }) => {
  expectProblem(/request failed: POST .*addorder/);
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  let lost = 0;
  await page.route(ADD_ORDER, async (route) => {
    const response = await route.fetch();
    if (++lost <= 2) return route.abort('connectionreset');
    return route.fulfill({ response });
  });
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByText(/it is placed only once/)).toBeVisible();
  await axe(page);
  await expect(thankYou(page)).toBeVisible();
  expect(lost).toBe(3);
  expect(await ordersOf(program, customer)).toHaveLength(1);
});

test('server unreachable: shows the alert and home; a retry from there places the order', async ({
  page,
  program,
  passTime,
  signedIn,
  seen,
  expectProblem,
}) => {
  expectProblem(/request failed: POST .*addorder/);
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  const tries: string[] = [];
  await page.route(ADD_ORDER, (route) => {
    tries.push(route.request().headers()['idempotency-key'] ?? 'none');
    return route.abort('connectionrefused');
  });
  await page.getByRole('link', { name: 'Place Order' }).click();
  // The first attempt and five retries, within half a minute.
  for (let seconds = 0; tries.length < 6 && seconds < 60; seconds++) await passTime(1);
  expect(tries).toEqual(Array.from({ length: 6 }, () => expect.stringMatching(/^[0-9A-Z]{20}$/)));
  expect(new Set(tries).size).toBe(1);
  await seen('confirm', 'Some error occured while placing order, please report it at {email} or try again', {
    values: { email: defaultBrand.email },
  });
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Your Wash order may not have been placed')).toBeVisible();
  await axe(page);
  expect(await ordersOf(program, customer)).toEqual([]);
  await page.unroute(ADD_ORDER);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(thankYou(page)).toBeVisible();
  expect(await ordersOf(program, customer)).toHaveLength(1);
  await page.getByRole('link', { name: 'Go to home' }).click();
  await expect(tile(page, 'Wash')).toBeVisible();
  await expect(page.getByText('may not have been placed')).toHaveCount(0);
});

test('placing on a hanging connection ends within a minute, with the alert and the draft kept', async ({
  page,
  program,
  passTime,
  signedIn,
  seen,
}) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  let tries = 0;
  await page.route(ADD_ORDER, () => void tries++);
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect.poll(() => tries).toBe(1);
  await passTime(45);
  await seen('confirm', 'Some error occured while placing order, please report it at {email} or try again', {
    values: { email: defaultBrand.email },
  });
  await expect(page).toHaveURL('/');
  await page.unroute(ADD_ORDER);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(thankYou(page)).toBeVisible();
  expect(await ordersOf(program, customer)).toHaveLength(1);
});

test('when every request hangs, home shows the failed order a few seconds after the attempt', async ({
  page,
  program,
  passTime,
  signedIn,
  seen,
}) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  // Home is not loaded in this document.
  await page.reload();
  const asked: string[] = [];
  await page.route(ADD_ORDER, (route) => void asked.push(route.request().url()));
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect.poll(() => asked.length).toBe(1);
  await page.route('**', (route) => void asked.push(route.request().url()));
  await passTime(45);
  await seen('confirm', 'Some error occured while placing order, please report it at {email} or try again', {
    values: { email: defaultBrand.email },
  });
  await passTime(4);
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Your Wash order may not have been placed')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('may not have been placed')).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
  expect(await ordersOf(program, customer)).toEqual([]);
});

test('when the scripts of the last step hang, the summary says so and keeps the order', async ({ page, program, passTime, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  let hanging = 0;
  await page.route(/\/assets\/confirm-/, () => void hanging++);
  await page.reload();
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect.poll(() => hanging).toBeGreaterThan(0);
  await passTime(15);
  await expect(page.getByText('Your order was not placed')).toBeVisible();
  await expect(page).toHaveURL('/overview');
  expect(await ordersOf(program, customer)).toEqual([]);
});

test('rejected by the server: shows the alert and home with the reason; the order can be corrected', async ({
  page,
  program,
  signedIn,
  seen,
}) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  await program.db.deleteFrom('addresses').where('customer_id', '=', customer.userid).execute();
  await page.getByRole('link', { name: 'Place Order' }).click();
  await seen('confirm', 'Some error occured while placing order, please report it at {email} or try again', {
    values: { email: defaultBrand.email },
  });
  await expect(page).toHaveURL('/');
  await expect(page.getByText('This address was deleted, please select another one')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/stages');
  await expect(page.locator('summary', { hasText: 'Wash program' })).toContainText('Wash, Manesar, ₹38 per kg');
});

test('a session that ended before the order is placed: home offers the log-in, which returns to the summary', async ({
  page,
  program,
  signedIn,
  expectProblem,
}) => {
  expectProblem(/response 401: POST/);
  await page.setViewportSize({ width: 390, height: 844 });
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  // In the moment of the request: the page notices an earlier end by itself.
  await page.route(
    '**/orders/addorder*',
    async (route) => {
      await program.db.deleteFrom('sessions').execute();
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page).toHaveURL('/');
  const main = page.getByRole('main');
  await expect(main.getByText('Please login first')).toBeVisible();
  // On a phone, the toast covers neither the reason nor the title.
  const toast = await page.getByText('Some error occured', { exact: false }).boundingBox();
  const title = await main.getByText('Your Wash order was not placed').boundingBox();
  expect(title!.y).toBeGreaterThan(toast!.y + toast!.height);
  await expect(main.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await axe(page);
  await main.getByRole('link', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Did you order as a guest', { exact: false })).toHaveCount(0);
  await page.getByLabel('Mobile Number').fill(customer.mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL('/overview');
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(thankYou(page)).toBeVisible();
  expect(await ordersOf(program, customer)).toHaveLength(1);
});

test('changed rate: shows the server’s message and the current rate, and places the order', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  const setRate = (rate_paise: number) => program.db.updateTable('programs').set({ rate_paise }).where('id', '=', 'wash').execute();
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  await setRate(4000);
  try {
    await page.getByRole('link', { name: 'Place Order' }).click();
    await expect(page.getByText('The rates have changed, please check them and place the order again')).toBeVisible();
    await expect(page).toHaveURL('/overview');
    await expect(detail(page, 'Rate')).toHaveText('₹40 per kg');
    expect(await ordersOf(program, customer)).toEqual([]);
    await page.getByRole('link', { name: 'Place Order' }).click();
    await expect(thankYou(page)).toBeVisible();
    expect(await ordersOf(program, customer)).toMatchObject([{ order_rate_paise: 4000 }]);
  } finally {
    await setRate(3800);
  }
});

test('closed pickup: shows the server’s message and the next day, and places the order', async ({ page, program, passTime, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await goToOverview(page, customer);
  await expect(detail(page, 'Pickup day')).toHaveText('Today, Nov 21, 2026');
  try {
    await passTime(6 * 60 * 60);
    await page.getByRole('link', { name: 'Place Order' }).click();
    await expect(
      page.getByText('The pickup you saw is now closed, the next one is on Nov 22, 2026. Please place the order again'),
    ).toBeVisible();
    await expect(detail(page, 'Pickup day')).toHaveText('Nov 22, 2026');
    await page.getByRole('link', { name: 'Place Order' }).click();
    await expect(thankYou(page)).toBeVisible();
    await expect(detail(page, 'Pickup day')).toHaveText('Nov 22, 2026');
  } finally {
    program.clock.advance(-6 * 60 * 60);
  }
});

test('a client clock that is a day behind does not change the pickup day', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await page.clock.setSystemTime(program.clock.now().getTime() - DAY_SECONDS * 1000);
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page)
    .getByRole('radio', { name: new RegExp(customer.name) })
    .check();
  await cart(page).getByRole('link', { name: 'Review details' }).click();
  await expect(page.locator('summary', { hasText: 'Time slot' })).toContainText('Nov 21, 2026');
  await page.getByRole('button', { name: 'Confirm Order' }).click();
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(thankYou(page)).toBeVisible();
  await expect(detail(page, 'Pickup day')).toHaveText(/Nov 21, 2026/);
});
