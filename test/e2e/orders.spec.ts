/**
 * The order list and the order detail. Specification sections 2 and 4; design section 6,
 * "Ordering".
 */
import { transaction } from '../../src/db/database.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { moveOrder } from '../../src/domains/orders/service.server.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { links } from '../../src/shared/links.ts';
import { handOverCode } from './order-steps.ts';
import { axe, expect, fitsLargeText, fitsWidth, test, type Page } from './fixtures.ts';
import { respondWith } from './codes.ts';
import { advanceOrder, placeGuestOrder, placeOrderAt, placeOrders } from './ordering.ts';

const cards = (page: Page) => page.getByRole('main').getByRole('listitem');
const loadMore = (page: Page) => page.getByRole('button', { name: 'Load more orders' });
/** Returns the element with the value of a label in the details. */
const value = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition');

test.describe('the order list', () => {
  test('shows the empty state with a link to the services', async ({ page, signedIn, seen }) => {
    await signedIn();
    await page.goto(links.orders());
    await seen('order list', "You don't have any recent orders.");
    await axe(page);
    await page.getByRole('link', { name: 'Order now' }).click();
    await expect(page).toHaveURL('/');
  });

  test('home, list and page of an order agree once it is weighed, before its next stage', async ({ page, program, signedIn }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    await advanceOrder(program, orderid, 'pickup');
    for (const path of ['/', links.orders(), links.order(orderid)]) {
      await page.goto(path);
      await expect(page.getByText('We have your clothes')).toBeVisible();
      await expect(page.getByRole('main')).toContainText('7.53');
      await expect(page.getByText('Weight calculated at pickup')).toHaveCount(0);
      if (path === links.order(orderid)) break;
      await expect(page.getByText('Collected', { exact: true })).toBeVisible();
      await expect(page.getByText('Pickup Pending')).toHaveCount(0);
    }
    const details = page.locator('section', { has: page.getByRole('heading', { name: 'Order details' }) }).locator('dt');
    await expect(details.filter({ hasText: /^(Collected|Order Status)$/ })).toHaveText(['Collected', 'Order Status']);
    await expect(value(page, 'Order Status')).toHaveText('Pickup Pending');
    await expect(value(page, 'Estimated Time')).toHaveText('Not Updated');
    await expect(
      page.getByText('Our rider has your clothes. Order Status and Estimated Time change once they are in our laundry.'),
    ).toBeVisible();
    const tracker = page.getByRole('list', { name: 'Order progress' });
    await expect(tracker.getByRole('listitem').first()).toHaveText(/^Collected, done/);
    await expect(tracker).not.toContainText('Pickup Pending');
    await expect(page.getByText('0%', { exact: true })).toHaveCount(0);
    // The amount is known, and so is when it can be paid.
    await expect(value(page, 'Left to pay')).toHaveText('₹286.14');
    await expect(page.getByText(/^You can pay here once your clothes are in our laundry/)).toBeVisible();
    await axe(page);
    await fitsWidth(page, 320);
    await moveOrder(program.db, orderid, 'queue', program.clock.now());
    await expect(page.getByText(/^Estimated Time is the usual length of this stage, .* the time under Back by\.$/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pay ₹286.14 by UPI' })).toBeVisible();
    // One line, also in the longer language.
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.context().addCookies([{ name: 'lang', value: 'hi', url: page.url() }]);
    await page.reload();
    const call = page.getByRole('main').locator('a[href^="tel:"]');
    await expect(call).toContainText('फ़ोन');
    expect((await call.boundingBox())?.height).toBeLessThan(50);
  });

  test('a card of a partly paid order names the rest and the whole amount, in English and in Hindi', async ({
    page,
    program,
    signedIn,
  }) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
    const cash = { orderid, method: 'cash', amountPaise: asPaise(10_000) } as const;
    await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
    await page.goto(links.orders());
    await expect(cards(page)).toContainText('Left to pay ₹186.14 of ₹286.14');
    await expect(cards(page).getByText('₹')).toHaveCount(1);
    await page.context().addCookies([{ name: 'lang', value: 'hi', url: page.url() }]);
    await page.reload();
    await expect(cards(page)).toContainText('₹286.14 में से ₹186.14 देना बाकी');
    await fitsWidth(page, 320);
    await fitsLargeText(page);
  });

  test('shows a card for each order with a link to its detail', async ({ page, program, signedIn }) => {
    const [first = '', second = ''] = await placeOrders(page.request, await signedIn(), 2);
    await advanceOrder(program, first, 'washing');
    await page.goto(links.orders());
    await expect(cards(page)).toHaveCount(2);
    await expect(cards(page).filter({ hasText: second })).toContainText('Pickup Nov 21, 2026, 05:00 - 09:00 PM');
    await expect(cards(page).filter({ hasText: second })).toContainText('Weight calculated at pickup');
    const washing = cards(page).filter({ hasText: first });
    for (const text of ['Wash', 'Washing/Drying', 'Back by Sun, Nov 22, 9 PM', '7.53 kg, 12 items', 'Left to pay ₹286.14'])
      await expect(washing).toContainText(text);
    await expect(washing.getByText('₹')).toHaveCount(1);
    await expect(cards(page).filter({ hasText: second })).not.toContainText('Left to pay');
    await expect(loadMore(page)).toBeHidden();
    await axe(page);
    await fitsWidth(page, 320);
    await fitsLargeText(page);
    await washing.getByRole('link', { name: 'Wash', exact: true }).click();
    await expect(page).toHaveURL(links.order(first));
    await expect(value(page, 'Order No')).toHaveText(first);
  });

  test('and home show a new stage within half a minute, with unbroken titles on a narrow phone', async ({
    page,
    program,
    passTime,
    signedIn,
  }) => {
    const [first = '', second = '', third = ''] = await placeOrders(page.request, await signedIn(), 3);
    await page.setViewportSize({ width: 320, height: 700 });
    for (const [path, orderid] of [
      [links.home(), first],
      [links.orders(), second],
    ] as const) {
      await page.goto(path);
      const card = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ has: page.locator(`a[href$="${orderid}"]`) });
      await expect(card).toContainText('Pickup Pending');
      // One line.
      expect((await card.getByRole('heading', { name: 'Wash' }).boundingBox())?.height).toBeLessThan(32);
      await advanceOrder(program, orderid, 'queue');
      await passTime(31);
      await expect(card).toContainText('In-Queue');
    }
    await page.goto(links.home());
    const strip = page.getByRole('region', { name: 'Your orders' }).getByRole('listitem');
    await expect(strip.filter({ has: page.locator(`a[href$="${third}"]`) })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your orders' }).getByRole('button', { name: /^Repeat last order: / })).toBeVisible();
  });

  test('shows Load more with ten orders, and removes it when there are no more', async ({ page, signedIn, seen }) => {
    await placeOrders(page.request, await signedIn(), 10);
    await page.goto(links.orders());
    await seen('order list', 'Load more orders');
    await loadMore(page).click();
    await expect(loadMore(page)).toBeHidden();
    await expect(cards(page)).toHaveCount(10);
  });

  test('pages through all orders without duplicates while one is placed, and moves the focus', async ({ page, program, signedIn }) => {
    const customer = await signedIn();
    const orderids = await placeOrders(page.request, customer, 21);
    // The card of this order has a second link, to the payment.
    await advanceOrder(program, orderids.at(-1) ?? '', 'washing');
    await page.goto(links.orders());
    await expect(cards(page)).toHaveCount(10);
    await placeOrders(page.request, customer, 1);
    await loadMore(page).press('Enter');
    await expect(cards(page)).toHaveCount(19);
    await expect(cards(page).nth(10).getByRole('link')).toBeFocused();
    await loadMore(page).click();
    await expect(cards(page)).toHaveCount(21);
    await loadMore(page).click();
    await expect(loadMore(page)).toBeHidden();
    for (const orderid of orderids) await expect(cards(page).filter({ hasText: orderid })).toHaveCount(1);
  });

  test('shows a skeleton while it loads, and offers a retry after a failure', async ({ page, signedIn, expectProblem }) => {
    await placeOrders(page.request, await signedIn(), 1);
    expectProblem(/request failed: POST .*getorder/);
    let action: 'abort' | 'continue' = 'abort';
    const release = Promise.withResolvers<void>();
    await page.route('**/orders/getorder.php', async (route) => {
      await release.promise;
      await route[action]();
    });
    await page.goto(links.orders());
    await expect(page.getByText('Loading your orders')).toBeAttached();
    release.resolve();
    await expect(page.getByText('We could not load your orders')).toBeVisible();
    await axe(page);
    action = 'continue';
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(cards(page)).toHaveCount(1);
  });

  test('asks a signed-out visitor to log in, and redirects after 3 s, not earlier', async ({ page, passTime, stopTime }) => {
    await stopTime();
    await page.goto(links.orders());
    await expect(page.getByText('Please login first')).toBeVisible();
    await passTime(2.9);
    await expect(page).toHaveURL(links.orders());
    await passTime(0.1);
    await expect(page).toHaveURL(links.login());
  });

  test('asks to log in if the session has ended', async ({ page, program, signedIn, expectProblem }) => {
    const { userid } = await signedIn();
    await page.goto(links.orders());
    await expect(page.getByText("You don't have any recent orders.")).toBeVisible();
    await program.db.deleteFrom('sessions').where('customer_id', '=', userid).execute();
    expectProblem(/response 401: POST .*getorder/);
    await page.reload();
    await expect(page.getByRole('main').getByText('Please login first')).toBeVisible();
  });
});

test.describe('the order detail', () => {
  test('before the pickup: shows the ordered values, and that the rest is calculated at pickup', async ({ page, signedIn, seen }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    const paymentCalls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/payments/')) paymentCalls.push(request.url());
    });
    await page.goto(links.order(orderid));
    for (const label of [
      'Order No',
      'Order Date',
      'Delivery Address',
      'Estimated Time',
      'Wash Program',
      'Order Status',
      'Items',
      'Weight (kg)',
      'Final Amount',
    ] as const) {
      await seen('order detail', label);
    }
    await seen('order detail', 'Pickup Pending');
    await seen('order detail', 'Not Updated');
    await expect(value(page, 'Order No')).toHaveText(orderid);
    await expect(value(page, 'Order Date')).toHaveText('Nov 21, 2026');
    await expect(value(page, 'Wash Program')).toHaveText('Wash');
    for (const label of ['Items', 'Weight (kg)', '₹38 × weight (kg)', 'Final Amount']) {
      await expect(value(page, label)).toHaveText('Calculated at pickup');
    }
    for (const line of ['Meera Nair', 'Flat 12, Tower B', 'Vatika India Next', '+91 9876501234']) {
      await expect(page.getByRole('main').getByText(line, { exact: true })).toBeVisible();
    }
    await expect(page.getByText(/You saved? about/)).toHaveCount(0);
    expect(paymentCalls).toEqual([]);
    await axe(page);
    await fitsWidth(page, 320);
  });

  for (const [stage, progress, label, expected] of [
    ['queue', '25', 'In-Queue', '14-16 Hour'],
    ['washing', '50', 'Washing/Drying', '11-13 Hour'],
    ['delivery', '75', 'Out for delivery', '3-5 Hour'],
    ['delivered', '100', 'Delivered', 'Delivered'],
  ] as const) {
    test(`at ${stage}: ${progress} % on the tracker, weight, items and amounts`, async ({ page, program, signedIn, seen }) => {
      const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
      await advanceOrder(program, orderid, stage);
      await page.goto(links.order(orderid));
      await seen('order detail', label);
      await seen('order detail', expected);
      await expect(value(page, 'Order Status')).toHaveText(label);
      await expect(value(page, 'Estimated Time')).toHaveText(expected);
      // Not beside the promise, which it would seem to contradict.
      await expect(page.locator('section', { has: page.getByText('Order Status', { exact: true }) })).not.toContainText('Estimated Time');
      await expect(page.getByRole('progressbar', { name: 'Order progress' })).toHaveAttribute('value', progress);
      await expect(page.locator('[aria-current=step]')).toContainText(label);
      await expect(value(page, 'Items')).toHaveText('12');
      await expect(value(page, 'Weight (kg)')).toHaveText('7.53');
      await expect(value(page, '₹38 × 7.53 kg')).toHaveText('₹286.14');
      await expect(value(page, 'Final Amount')).toHaveText('₹286.14');
      const verb = stage === 'delivered' ? 'saved' : 'save';
      await expect(page.getByText(`You ${verb} about 3 to 4 hours.`, { exact: true })).toBeVisible();
      // On a phone the payment is above the details.
      const top = async (name: string) => (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? Infinity;
      await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeVisible();
      expect(await top('Payment')).toBeLessThan(await top('Order details'));
      await axe(page);
      await fitsWidth(page, 320);
      await fitsLargeText(page);
    });
  }

  test('out for delivery: the hand-over code is visible on a phone without scrolling', async ({ page, program, signedIn }) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
    await page.setViewportSize({ width: 390, height: 664 });
    await page.goto(links.order(orderid));
    const code = handOverCode(page).getByText(/^\d{4}$/);
    await expect(code).toBeInViewport({ ratio: 1 });
    const bar = await page.getByRole('navigation').filter({ hasText: 'Contact' }).last().boundingBox();
    const box = await code.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  });

  test('with an offer: shows the discount and the amount after it', async ({ page, program, signedIn }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    const offer = { offer_id: 'O15', offer_percent: 15, order_rate_paise: 3230 };
    await program.db.updateTable('orders').set(offer).where('id', '=', orderid).execute();
    await page.goto(links.order(orderid));
    await expect(value(page, 'Offer')).toHaveText('15% off');
    await advanceOrder(program, orderid, 'queue');
    await page.reload();
    await expect(value(page, '₹38 × 7.53 kg')).toHaveText('₹286.14');
    await expect(value(page, 'Offer, 15% off')).toHaveText('-₹42.92');
    await expect(value(page, 'Final Amount')).toHaveText('₹243.22');
  });

  test('at an unknown stage: shows its name and 0 %', async ({ page, signedIn }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    await page.route('**/orders/getspecificorder.php', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"pickup"', '"starching"') });
    });
    await page.goto(links.order(orderid));
    await expect(value(page, 'Order Status')).toHaveText('starching');
    await expect(page.getByRole('progressbar', { name: 'Order progress' })).toHaveAttribute('value', '0');
  });

  test('shows an order of another customer like a missing one', async ({ page, signedIn, browser, baseURL, newMobile, seen }) => {
    await signedIn();
    const other = await browser.newContext({ baseURL: baseURL! });
    const guestOrder = await placeGuestOrder(other.request, newMobile());
    await other.close();
    for (const orderid of [guestOrder, 'NOSUCHORDER0']) {
      await page.goto(links.order(orderid));
      await seen('order detail', 'No order found with order number {id}', { values: { id: orderid } });
    }
    await axe(page);
    await page.getByRole('link', { name: 'See your orders' }).click();
    await expect(page).toHaveURL(links.orders());
  });

  test('shows the reason of a failed load and offers a retry', async ({ page, signedIn, seen, expectProblem }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    expectProblem(/request failed: POST .*getspecificorder/);
    await page.route('**/orders/getspecificorder.php', (route) => route.abort());
    await page.goto(links.order(orderid));
    await seen('order detail', 'Something went wrong while getting your order details, CAUSE - {cause}', {
      values: { cause: 'Failed to fetch' },
    });
    await axe(page);
    await page.unroute('**/orders/getspecificorder.php');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(value(page, 'Order No')).toHaveText(orderid);
  });

  test('shows the reason of a failed load in the language of the page', async ({ page, signedIn, expectProblem }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    expectProblem(/request failed: POST .*getspecificorder/);
    expectProblem(/response 500: POST .*getspecificorder/);
    await page.route('**/orders/getspecificorder.php', (route) => route.abort());
    await page.goto(links.order(orderid));
    await page.context().addCookies([{ name: 'lang', value: 'hi', url: page.url() }]);
    await page.reload();
    await expect(page.getByText('कारण - सर्वर से संपर्क नहीं हो सका')).toBeVisible();
    await respondWith(page, 'orders/getspecificorder.php', 500, 'internal-error');
    await page.reload();
    await expect(page.getByText('कारण - कुछ गड़बड़ हो गई, कृपया बाद में कोशिश करें')).toBeVisible();
  });

  test('redirects a signed-out visitor to the log-in after 2 s, not earlier, and returns afterwards', async ({
    page,
    passTime,
    stopTime,
    seen,
    signedIn,
  }) => {
    const customer = await signedIn();
    const [orderid = ''] = await placeOrders(page.request, customer, 1);
    await page.context().clearCookies();
    await stopTime();
    await page.goto(links.order(orderid));
    await seen('order detail', 'Please login first');
    await seen('order detail', 'User not found');
    const guest = page.getByRole('main').getByText('Did you order as a guest in another browser?');
    await expect(guest).toBeVisible();
    const title = (await page.getByText('User not found', { exact: true }).boundingBox())!;
    expect((await guest.boundingBox())!.y).toBeGreaterThan(title.y + title.height);
    await page.setViewportSize({ width: 390, height: 844 });
    await axe(page, { timeIsStopped: true });
    await passTime(1.9);
    await expect(page).toHaveURL(links.order(orderid));
    await passTime(0.1);
    await expect(page).toHaveURL(links.login());
    // The alert remains for its three seconds after the redirect.
    await expect(page.getByText('Please login first')).toBeVisible();
    await passTime(1);
    await expect(page.getByText('Please login first')).toBeHidden();
    await page.getByLabel('Mobile Number').fill(customer.mobile);
    await page.getByLabel('Password', { exact: true }).fill(customer.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(links.order(orderid));
    await expect(value(page, 'Order No')).toHaveText(orderid);
  });
});

for (const path of [links.orders(), links.order('NOSUCHORDER0')]) {
  test(`${path} is accessible for a signed-out visitor`, async ({ page, stopTime }) => {
    await stopTime();
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible();
    await axe(page, { timeIsStopped: true });
  });
}

test.describe('a guest', () => {
  test('lists the orders of this browser', async ({ page, newMobile }) => {
    const orderid = await placeGuestOrder(page.request, newMobile());
    await page.goto(links.orders());
    await expect(page.getByText('These are the orders of this browser.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Login/Signup' })).toBeVisible();
    await axe(page);
    await cards(page).filter({ hasText: orderid }).getByRole('link').click();
    await expect(value(page, 'Order No')).toHaveText(orderid);
  });

  test('forgets this device after a confirmation, from the list and from the order', async ({ page, newMobile }) => {
    const orderid = await placeGuestOrder(page.request, newMobile());
    const forget = page.getByRole('button', { name: 'Forget my details on this device' });
    const dialog = page.getByRole('alertdialog', { name: 'Forget my details on this device?' });
    await page.goto(links.orders());
    await forget.click();
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await axe(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(forget).toBeFocused();
    await page.goto(links.order(orderid));
    await forget.click();
    await dialog.getByRole('button', { name: 'Forget', exact: true }).click();
    await expect(page.getByText('This device is forgotten')).toBeVisible();
    await expect(page).toHaveURL(links.home());
    await page.goto(links.orders());
    await expect(page.getByText('Please login first')).toBeVisible();
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name).filter((name) => name !== 'lang')).toEqual([]);
  });

  test('is release to log in if the session has ended', async ({ page, program, newMobile, expectProblem }) => {
    const orderid = await placeGuestOrder(page.request, newMobile());
    await program.db.deleteFrom('sessions').where('kind', '=', 'guest').execute();
    expectProblem(/response 401: POST .*getspecificorder/);
    await page.goto(links.order(orderid));
    await expect(page.getByText('User not found')).toBeVisible();
    await page.goto(links.orders());
    await expect(page.getByText('Please login first')).toBeVisible();
  });
});

test('documents contain no customer data', async ({ page, signedIn }) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  for (const path of [links.orders(), links.order(orderid)]) {
    const own = await (await page.request.get(path)).text();
    for (const secret of [customer.userid, customer.mobile, 'Meera Nair', 'Flat 12']) expect(own).not.toContain(secret);
  }
});
