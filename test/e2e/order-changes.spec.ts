/** Cancelling, bringing back and rescheduling an order on its page. */
import { cancelOrder as cancelOrderOf, returnClothes } from '../../src/domains/orders/cancelling-service.server.ts';
import { recordManualPaymentOnce, reverseManualPayment } from '../../src/domains/manual-payments/service.server.ts';
import { weighOrderAndAdjustCredit } from '../../src/domains/payments/weighing-service.server.ts';
import { setEarlierStage } from '../../src/domains/orders/changing-store.server.ts';
import { payOutOfWallet } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { readPaidPaise } from '../../src/domains/payments/store.server.ts';
import { transaction } from '../../src/db/database.server.ts';
import { kolkataDay } from '../../src/lib/dates.ts';
import { asPaise } from '../../src/lib/money.ts';
import { links } from '../../src/shared/links.ts';
import type { Locator } from '@playwright/test';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import { detail } from './order-steps.ts';
import { advanceOrder, placeGuestOrder, placeOrderAt, placeOrders } from './ordering.ts';
import { insertOrderEvent } from '../../src/domains/orders/events-store.server.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const dialogButton = (page: Page, dialog: string, name: string) =>
  page.getByRole(dialog === 'Cancel this order?' ? 'alertdialog' : 'dialog', { name: dialog }).getByRole('button', { name, exact: true });
const status = (page: Page) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText('Order Status', { exact: true }) })
    .getByRole('definition');
const cancel = async (page: Page) => {
  // A dialog that closes has a button of the same name.
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await button(page, 'Cancel order').click();
  await dialogButton(page, 'Cancel this order?', 'Cancel order').click();
};

for (const who of ['a customer', 'a guest'] as const) {
  test(`${who} cancels an order and brings it back within a minute, not later`, async ({ page, signedIn, newMobile, passTime }) => {
    const [orderid = ''] =
      who === 'a customer' ? await placeOrders(page.request, await signedIn(), 1) : [await placeGuestOrder(page.request, newMobile())];
    await page.goto(links.order(orderid));
    await expect(page.getByText(new RegExp(` · ${orderid}$`))).toBeInViewport();
    await button(page, 'Cancel order').click();
    await axe(page);
    await dialogButton(page, 'Cancel this order?', 'Keep order').click();
    await expect(status(page)).toHaveText('Pickup Pending');
    await cancel(page);
    await expect(status(page)).toHaveText('Cancelled');
    await expect(page.locator(':focus')).toContainText('This order is cancelled');
    await expect(button(page, 'Undo')).toBeInViewport();
    await expect(page.getByText('Calculated at pickup')).toHaveCount(0);
    await axe(page);
    await fitsWidth(page, 320);
    await page.setViewportSize({ width: 390, height: 500 });
    await button(page, 'Undo').click();
    await expect(status(page)).toHaveText('Pickup Pending');
    await expect(page.getByText(/^Pickup .* PM$/)).toBeInViewport();
    const history = page.locator('section').filter({ has: page.getByRole('heading', { name: 'What happened' }) });
    await expect(history.getByRole('listitem')).toHaveText([/^Order placed/, /^Order cancelled/, /^Cancellation undone/]);
    await cancel(page);
    await expect(page.getByText(/^You can undo this until \d+:\d\d [AP]M\.$/)).toBeVisible();
    await expect(button(page, 'Undo')).toBeVisible();
    await passTime(61);
    await expect(button(page, 'Undo')).toBeHidden();
    await expect(page.getByText(/^You cancelled this order on .* [AP]M\.$/)).toBeVisible();
    await expect(page.getByText('You can place a new order at any time.')).toBeVisible();
    await page.goto(links.orders());
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: orderid })).toContainText('This order is cancelled');
  });
}

test('the notice of a cancellation has the focus, also if an event shows it before the response', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  await page.route('**/orders/cancelorder', async (route) => {
    const response = await route.fetch();
    await expect(status(page)).toHaveText('Cancelled');
    await route.fulfill({ response });
  });
  const responded = page.waitForResponse('**/orders/cancelorder');
  await cancel(page);
  await responded;
  await expect(page.locator(':focus')).toContainText('This order is cancelled');
});

test('a cancelled order says that first, then the code, and nothing about an earlier move', async ({ page, program, signedIn }) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
  const now = program.clock.now();
  await transaction(program.db, (tx) => setEarlierStage(tx, orderid, { to: 'pickup', reason: 'The weight is wrong' }, now));
  await page.goto(links.order(orderid));
  const movedBack = page.getByText('We moved your order back to Pickup Pending', { exact: true });
  await expect(movedBack).toBeVisible();
  await cancelOrderOf({ db: program.db, readPaidPaise }, laundryCommand(), { orderid, reason: 'Our machine is broken' }, now);
  const cancelled = page.getByText('We have cancelled your order', { exact: true });
  await expect(cancelled).toBeVisible();
  await expect(movedBack).toHaveCount(0);
  const code = page.getByRole('heading', { name: 'Hand-over code' });
  const top = async (part: Locator) => (await part.boundingBox())!.y;
  expect(await top(cancelled)).toBeLessThan(await top(code));
  expect(await top(code)).toBeLessThan(await top(status(page)));
});

test('another pickup day is chosen from the seven on offer', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  await expect(page.getByText('Pickup Sat, Nov 21, 2026, 05:00 - 09:00 PM')).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 500 });
  await button(page, 'Change pickup day').click();
  const dialog = page.getByRole('dialog', { name: 'Change pickup day' });
  await expect(dialog.getByRole('radio')).toHaveCount(7);
  await expect(dialog.getByRole('radio', { name: 'Today, Sat, Nov 21, 2026' })).toBeChecked();
  await expect(dialogButton(page, 'Change pickup day', 'Change pickup day')).toBeDisabled();
  await expect(dialog).toContainText('Choose another day than Sat, Nov 21, 2026.');
  await axe(page);
  await fitsWidth(page, 320);
  await dialog.getByRole('radio', { name: 'Tue, Nov 24, 2026' }).check();
  await page.evaluate(() => scrollTo({ top: 150 }));
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(0);
  await dialogButton(page, 'Change pickup day', 'Change pickup day').click();
  await expect(page.getByText('Your pickup is now on Nov 24, 2026')).toBeVisible();
  await expect(page.getByText(/^Pickup .*Nov 24, 2026, 05:00 - 09:00 PM$/)).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await page.evaluate(() => scrollY)).toBe(before);
  await cancel(page);
  await expect(status(page)).toHaveText('Cancelled');
  await expect(page.getByText('Your pickup is now on Nov 24, 2026')).toBeHidden();
});

test('after a failed delivery, the new evening is first and the hand-over code is hidden until that day', async ({
  page,
  program,
  signedIn,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  await page.goto(links.order(orderid));
  const code = page.getByRole('heading', { name: 'Hand-over code' });
  await expect(code).toBeVisible();
  await transaction(program.db, (tx) => insertOrderEvent(tx, orderid, { kind: 'attempted', why: 'nobody-home', at: program.clock.now() }));
  await button(page, 'Choose the evening').click();
  const evenings = page.getByRole('dialog', { name: 'Choose the delivery evening' });
  await evenings.getByRole('radio').last().check();
  await evenings.getByRole('button', { name: 'Choose this evening' }).click();
  await expect(page.getByText(/^We bring your clothes on .* PM$/)).toBeInViewport();
  await expect(page.getByText('Your hand-over code is here on that day.')).toBeVisible();
  await expect(code).toHaveCount(0);
  await axe(page);
  await fitsWidth(page, 320);
  const today = kolkataDay(program.clock.now());
  await transaction(program.db, (tx) =>
    insertOrderEvent(tx, orderid, { kind: 'delivery-chosen', deliveryDay: today, at: program.clock.now() }),
  );
  await expect(code).toBeVisible();
});

test('the pickup opens in a calendar', async ({ page, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  const path = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
  const response = await page.request.get(path ?? '');
  expect(response.headers()['content-type']).toBe('text/calendar; charset=utf-8');
  expect(await response.text()).toContain('DTSTART:20261121T113000Z');
});

test('an order that was weighed since the page loaded is not cancelled, and the page says why', async ({
  page,
  program,
  signedIn,
  expectProblem,
}) => {
  // The page does not know yet that the order was weighed.
  await page.route('**/orders/events?*', (route) => route.abort());
  expectProblem(/request failed: GET .*orders\/events/);
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  await page.route('**/orders/cancelorder', async (route) => {
    await advanceOrder(program, orderid, 'pickup');
    await route.continue();
  });
  await cancel(page);
  await expect(page.getByText('Your clothes are picked up already, please call')).toBeVisible();
  await expect(status(page)).toHaveText('Pickup Pending');
  await expect(button(page, 'Cancel order')).toHaveCount(0);
});

for (const dialog of ['Cancel this order?', 'Change pickup day'] as const) {
  test(`the dialog '${dialog}' that is open while the clothes are weighed says that it is too late`, async ({
    page,
    program,
    signedIn,
  }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    await page.goto(links.order(orderid));
    await button(page, dialog === 'Change pickup day' ? dialog : 'Cancel order').click();
    await expect(page.getByRole(dialog === 'Change pickup day' ? 'dialog' : 'alertdialog', { name: dialog })).toBeVisible();
    await advanceOrder(program, orderid, 'pickup');
    const notice = page.getByRole('main').getByRole('status').filter({ hasText: 'This order can no longer be cancelled or moved' });
    await expect(notice).toContainText('Our rider has picked up and weighed your clothes meanwhile.');
    await expect(notice).toBeInViewport();
    await expect(page.locator(':focus')).toContainText('This order can no longer be cancelled or moved');
    await expect(page.getByRole('heading', { name: dialog })).toHaveCount(0);
    await axe(page);
    await fitsWidth(page, 320);
  });
}

for (const opener of ['a failed pickup', 'a pickup that the laundry moved'] as const) {
  test(`the days that are open after ${opener} close with a sentence when the clothes are weighed`, async ({ page, program, signedIn }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    const at = program.clock.now();
    await transaction(program.db, (tx) =>
      insertOrderEvent(
        tx,
        orderid,
        opener === 'a failed pickup'
          ? { kind: 'attempted', why: 'nobody-home', at }
          : { kind: 'rescheduled', pickupDay: '2026-11-23', fromDay: '2026-11-21', by: 'laundry', at },
      ),
    );
    await page.goto(links.order(orderid));
    // The days are above, in the notice.
    await expect(page.getByText('Until our rider weighs your clothes you can cancel, without a charge.')).toBeVisible();
    await button(page, 'Choose another day').click();
    await expect(page.getByRole('dialog', { name: 'Change pickup day' })).toBeVisible();
    await advanceOrder(program, orderid, 'pickup');
    await expect(page.locator(':focus')).toContainText('This order can no longer be cancelled or moved');
    await expect(page.getByRole('dialog', { name: 'Change pickup day' })).toHaveCount(0);
  });
}

test('the evenings of another delivery close with a sentence when the clothes are delivered', async ({ page, program, signedIn }) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  await transaction(program.db, (tx) => insertOrderEvent(tx, orderid, { kind: 'attempted', why: 'nobody-home', at: program.clock.now() }));
  await page.goto(links.order(orderid));
  await button(page, 'Choose the evening').click();
  await expect(page.getByRole('dialog', { name: 'Choose the delivery evening' })).toBeVisible();
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  await expect(page.locator(':focus')).toContainText('The delivery can no longer be moved');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await axe(page);
  await fitsWidth(page, 320);
});

test('a payment that was reversed after the delivery says so first, beside the amount and in the history, and is left to pay again', async ({
  page,
  program,
  signedIn,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivered');
  const cash = { orderid, method: 'cash', amountPaise: asPaise(28_614) } as const;
  const noted = await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  await page.goto(links.order(orderid));
  const card = page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Payment', exact: true }) });
  await expect(card).toContainText('Left to pay₹0');
  const reversal = { reference: noted.status === 'recorded' ? noted.reference : '', reason: 'It belongs to another order' };
  await reverseManualPayment(program.db, laundryCommand(), reversal, program.clock.now());
  const title = 'Your payment of ₹286.14 on Nov 21, 2026 was taken back';
  const words = `${title}: It belongs to another order`;
  const notice = page.getByRole('main').locator('[aria-live]').filter({ hasText: title });
  await expect(notice.getByText(title, { exact: true })).toBeInViewport();
  await expect(notice).toContainText(': It belongs to another orderWe gave you ₹286.14 back in cash.₹286.14 is due.');
  await expect(card).toContainText(words);
  await expect(card).toContainText('Left to pay₹286.14');
  await expect(card.getByRole('link', { name: 'Is this wrong? Tell us' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: words })).toHaveCount(1);
  await axe(page);
  await fitsWidth(page, 320);
  await page.goto(links.bill(orderid));
  await expect(page.getByRole('main')).toContainText(words);
  await expect(page.getByRole('main')).toContainText('Left to pay₹286.14');
  await page.goto(links.order(orderid));
  await notice.getByRole('link', { name: 'Pay ₹286.14' }).click();
  await expect(card.getByRole('button', { name: 'Pay ₹286.14 by UPI' })).toBeInViewport();
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  await expect(card).toContainText('Left to pay₹0');
  await expect(notice).toHaveCount(0);
});

test('a payment that a lower weight makes too much is in the wallet at once, and the open page says so', async ({
  page,
  program,
  signedIn,
}) => {
  const customer = await signedIn();
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  const now = program.clock.now();
  const cash = { orderid, method: 'cash', amountPaise: asPaise(28_614) } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, now));
  await transaction(program.db, (tx) => setEarlierStage(tx, orderid, { to: 'pickup', reason: 'The scale was wrong' }, now));
  await page.goto(links.order(orderid));
  await expect(page.getByText('We check the weight of this order again. What you have paid counts.')).toBeVisible();
  const weighing = { orderid, weightGrams: 5000, items: 12, reason: 'The scale was wrong' };
  await weighOrderAndAdjustCredit(program.db, laundryCommand(), weighing, now);
  await expect(detail(page, 'Paid too much, returned to your wallet')).toHaveText('-₹96.14');
  await expect(page.getByText('We have weighed this order again. What you have paid counts.')).toBeVisible();
  expect(await readBalance(program.db, customer.userid)).toBe(9614);
});

test('clothes of an order that was moved back to its pickup are with us, not on the way', async ({ page, program, signedIn }) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'pickup');
  const now = program.clock.now();
  await weighOrder(program.db, orderid, 7530, 16, now);
  await page.goto(links.order(orderid));
  await expect(page.getByText('16 pieces on the way to our laundry')).toBeVisible();
  await expect(page.getByText(/^Our rider has your clothes\./)).toBeVisible();
  await expect(page.getByText(/^You can pay here once your clothes are in our laundry,/)).toBeVisible();
  await moveOrder(program.db, orderid, 'queue', now, { bonusTime: 'sign-up' });
  await transaction(program.db, (tx) => setEarlierStage(tx, orderid, { to: 'pickup', reason: 'The scale was wrong' }, now));
  await expect(page.getByText('With us: 16 pieces')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/on the way to our laundry|Our rider has your clothes|are in our laundry/);
  await axe(page);
  await fitsWidth(page, 320);
});

test('a refund that was paid back is not said to be in the wallet', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  const now = program.clock.now();
  const cash = { orderid, method: 'cash', amountPaise: asPaise(10_000) } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, now));
  await cancelOrderOf({ db: program.db, readPaidPaise }, laundryCommand(), { orderid, reason: 'Our machine is broken' }, now);
  const payout = { customerId: customer.userid, amountPaise: asPaise(10_000), reason: 'By bank', reference: `payout:${orderid}`, at: now };
  await transaction(program.db, (tx) => payOutOfWallet(tx, payout));
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Returned to your wallet')).toHaveText('₹100');
  await expect(page.getByText(/^To have money of your wallet paid back, call us at /)).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/now in your wallet/i);
});

test('an order that is weighed again or cancelled by the laundry says so, and what was paid', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await advanceOrder(program, orderid, 'queue');
  const cash = { orderid, method: 'cash', amountPaise: asPaise(10_000) } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  // As if it was moved back for another weighing.
  await program.db.updateTable('orders').set({ stage: 'pickup' }).where('id', '=', orderid).execute();
  await page.goto(links.order(orderid));
  await expect(page.getByRole('list', { name: 'Order progress' }).getByRole('listitem').first()).toHaveText(/^Collected, done/);
  await expect(page.getByText('What you have paid counts.')).toBeVisible();
  await cancelOrderOf(
    { db: program.db, readPaidPaise },
    laundryCommand(),
    { orderid, reason: 'Our machine is broken' },
    program.clock.now(),
  );
  await page.goto(links.order(orderid));
  await expect(page.getByText(': Our machine is broken').first()).toBeVisible();
  await expect(page.getByText(/^We still have your clothes \(\d+ pieces\) and bring them back free of charge by .* 9 PM\.$/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Hand-over code' })).toBeVisible();
  await expect(button(page, 'Order again')).toBeVisible();
  await expect(status(page)).toHaveText('Cancelled');
  await expect(button(page, 'Undo')).toHaveCount(0);
  await expect(page.getByText('Returned to your wallet', { exact: true })).toBeVisible();
  await expect(page.getByText(/^To have money of your wallet paid back, call us at /)).toBeVisible();
  await expect(page.getByRole('main')).toContainText('₹100');
  await expect(page.getByRole('main').getByRole('button', { name: /^Pay/ })).toHaveCount(0);
  await axe(page);
  await returnClothes(program.db, laundryCommand(), orderid, program.clock.now());
  await expect(page.getByText(/^Your clothes were returned on /)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Hand-over code' })).toBeHidden();
  await page.goto(links.orders());
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: orderid });
  await expect(card).toContainText('Refund ₹100');
  await expect(card).toContainText(/Returned .* [AP]M/);
  await page.goto(links.walletPayment(orderid));
  await expect(page.getByText('This order is cancelled')).toBeVisible();
});
