/** The page of an order follows its changes. Decision 45. */
import { transaction } from '../../src/db/database.server.ts';
import { insertOrderEvent } from '../../src/domains/orders/events-store.server.ts';
import { rescheduleOrder } from '../../src/domains/orders/pickup-service.server.ts';
import { addClaim } from '../../src/domains/claims/contract.ts';
import { answerClaim, settleClaim } from '../../src/domains/claims/service.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { links } from '../../src/shared/links.ts';
import type { BrowserTestProgram } from './built-program.ts';
import type { Locator } from '@playwright/test';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import { hindi } from './hindi.ts';
import { detail } from './order-steps.ts';
import { sendCall } from './sign-up.ts';
import { advanceOrder, placeOrders } from './ordering.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const historyOf = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'What happened' }) });

const step = (page: Page, label: string) =>
  page
    .getByRole('list', { name: 'Order progress' })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${label}`) });

/** The innermost element that gets the focus when a button in it disappears. */
const regionOf = (content: Locator) => content.locator('xpath=ancestor::*[@tabindex="-1"][1]');

const failVisit = ({ db, clock }: BrowserTestProgram, orderid: string) =>
  transaction(db, (tx) => {
    const visit = { why: 'nobody-home', visitedAt: new Date('2026-11-21T13:10:00.000Z') };
    return insertOrderEvent(tx, orderid, { kind: 'attempted', ...visit, at: clock.now() });
  });

test('shows each change without a reload: weight, stage with its time, amounts', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Order Status')).toHaveText('Pickup Pending');
  await expect(detail(page, 'Back by')).toHaveText('Sun, Nov 22, 9 PM');
  await expect(step(page, 'Pickup Pending')).toContainText('Sat, Nov 21, ');
  await expect(step(page, 'In-Queue')).not.toContainText('Nov');
  // As the commands of the laundry do, in another process than the one that serves the page.
  await failVisit(program, orderid);
  await expect(page.getByText('We came on Sat, Nov 21, 6:40 PM and met nobody.')).toBeVisible();
  // No day is chosen: there is no promise, and one button.
  await expect(detail(page, 'Back by')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change pickup day' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Add to calendar' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Choose another day' }).click();
  await expect(page.getByRole('dialog', { name: 'Change pickup day' })).toContainText('Choose a day first.');
  await page.goBack();
  await expect(page.getByRole('dialog', { name: 'Change pickup day' })).toBeHidden();
  const moved = { day: '2026-11-24', reason: 'A machine is broken' };
  await rescheduleOrder(program.db, laundryCommand(), orderid, moved, program.clock.now());
  await expect(page.getByText('We moved the pickup from Sat, Nov 21, 2026 to Tue, Nov 24, 2026', { exact: true })).toBeVisible();
  await expect(page.getByText('We came on')).toHaveCount(0);
  await expect(detail(page, 'Back by')).toHaveText('Wed, Nov 25, 9 PM');
  await expect(page.getByRole('button', { name: 'Change pickup day' })).toHaveCount(0);
  const history = historyOf(page);
  await expect(history).toContainText('to Tue, Nov 24, 2026: A machine is broken');
  await expect(history).toContainText('Our rider came and met nobody');
  await page.getByRole('button', { name: 'Choose another day' }).click();
  await expect(page.getByRole('dialog', { name: 'Change pickup day' })).toBeVisible();
  await page.goBack();
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await expect(detail(page, 'Weight (kg)')).toHaveText('7.53');
  await expect(page.getByRole('button', { name: 'Choose another day' })).toHaveCount(0);
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  await expect(detail(page, 'Order Status')).toHaveText('In-Queue');
  await expect(step(page, 'In-Queue')).toContainText('Sat, Nov 21, ');
  await expect(detail(page, 'Left to pay')).toHaveText('₹286.14');
  for (const stage of ['washing', 'delivery'] as const) await moveOrder(program.db, orderid, stage, program.clock.now());
  await failVisit(program, orderid);
  await expect(page.getByText('We could not bring back your clothes')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call us' })).toHaveCount(2);
  await expect(detail(page, 'Back by')).toHaveText('Wed, Nov 25, 9 PM');
  await expect(detail(page, 'Estimated Time')).toHaveCount(0);
  await page.getByRole('button', { name: 'Choose the evening' }).click();
  const evenings = page.getByRole('dialog', { name: 'Choose the delivery evening' });
  await evenings.getByRole('radio').nth(1).check();
  await evenings.getByRole('button', { name: 'Choose this evening' }).click();
  await expect(page.getByText(/^We bring your clothes on .*, 05:00 - 09:00 PM$/)).toBeVisible();
  await expect(regionOf(page.getByText(/^We bring your clothes on .*, 05:00 - 09:00 PM$/))).toBeFocused();
  await expect(detail(page, 'Back by')).toHaveText(/, 9 PM$/);
  await expect(page.getByText('We could not bring back your clothes')).toHaveCount(0);
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up', reason: 'The guard took them' });
  await expect(detail(page, 'Order Status')).toHaveText('Delivered');
  await expect(page.getByText('Handed over without your code', { exact: true })).toBeVisible();
  await expect(history).toContainText('Handed over without your code: The guard took them');
  await expect(detail(page, 'Back by')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Rate this order' })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByRole('link', { name: 'I did not get my clothes' }).click();
  await expect(page.getByRole('radio', { name: 'Something is missing' })).toBeChecked();
});

test('after the choice of another pickup evening the focus is on the page', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await failVisit(program, orderid);
  await page.goto(links.order(orderid));
  await page.getByRole('button', { name: 'Choose another day' }).click();
  const evenings = page.getByRole('dialog', { name: 'Change pickup day' });
  await evenings.getByRole('radio').nth(1).check();
  await evenings.getByRole('button', { name: 'Change pickup day' }).click();
  await expect(page.getByText(/^Your pickup is now on/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose another day' })).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('shows a payment that another page makes', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await advanceOrder(program, orderid, 'queue');
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Left to pay')).toHaveText('₹286.14');
  const other = await page.context().newPage();
  await other.goto(links.order(orderid));
  await other.getByRole('button', { name: 'Pay ₹286.14 online' }).click();
  await other.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(other.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
  await expect(historyOf(page).getByText('₹286.14 paid online', { exact: true })).toBeVisible();
});

test('shows payments, refunds and reports in the history, also in Hindi', async ({ page, program, signedIn, baseURL }) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await advanceOrder(program, orderid, 'queue');
  for (const [method, paise] of [
    ['cash', 10_000],
    ['upi', 20_000],
  ] as const) {
    const payment = { orderid, method, amountPaise: asPaise(paise), mayOverpay: true };
    await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, program.clock.now()));
  }
  const report = { userid: customer.userid, orderid, kind: 'damaged', message: 'The blue shirt has a hole.' } as const;
  const { claimid } = await sendCall(page.request, addClaim, report);
  await answerClaim(program.db, claimid, 'Which shirt?', program.clock.now());
  await settleClaim(program.db, { id: claimid, amountPaise: asPaise(25_000), message: 'We are sorry.' }, program.clock.now());
  await page.goto(links.order(orderid));
  const texts = {
    '{amount} paid in cash': '₹100',
    '{amount} paid by UPI': '₹200',
    '{amount} went into your wallet': '₹13.86',
    'Problem reported': '',
    'Report answered': '',
    'Report settled, {amount} went into your wallet': '₹250',
  };
  for (const [text, amount] of Object.entries(texts)) {
    await expect(historyOf(page).getByText(text.replace('{amount}', amount), { exact: true })).toBeVisible();
  }
  await axe(page);
  await fitsWidth(page, 320);
  await page.context().addCookies([{ name: 'lang', value: 'hi', url: baseURL! }]);
  await page.reload();
  for (const [text, amount] of Object.entries(texts)) {
    await expect(page.getByText(hindi(text, amount), { exact: true })).toBeVisible();
  }
});

test.describe('without a stream', () => {
  test.beforeEach(async ({ page, expectProblem }) => {
    await page.route('**/orders/events?*', (route) => route.abort());
    expectProblem(/request failed: GET .*orders\/events/);
  });

  test('shows a change within 30 s', async ({ page, program, signedIn, passTime }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    await page.goto(links.order(orderid));
    await expect(detail(page, 'Order Status')).toHaveText('Pickup Pending');
    await advanceOrder(program, orderid, 'queue');
    await passTime(30);
    await expect(detail(page, 'Order Status')).toHaveText('In-Queue');
  });

  test('shows a change when the page becomes visible again', async ({ page, program, signedIn, stopTime }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
    await stopTime();
    const noStream = page.waitForEvent('requestfailed', (request) => request.url().includes('/orders/events'));
    await page.goto(links.order(orderid));
    await expect(detail(page, 'Order Status')).toHaveText('Pickup Pending');
    await noStream;
    await advanceOrder(program, orderid, 'queue');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(detail(page, 'Order Status')).toHaveText('In-Queue');
  });
});

test('a hidden page closes its stream, and opens one when it is visible again', async ({ page, signedIn }) => {
  await page.addInitScript(() => {
    const opened: EventSource[] = [];
    class RecordedEventSource extends EventSource {
      constructor(url: string) {
        super(url);
        opened.push(this);
      }
    }
    Object.assign(window, { EventSource: RecordedEventSource, opened });
  });
  const states = () => page.evaluate(() => (window as unknown as { opened: EventSource[] }).opened.map(({ readyState }) => readyState));
  const setVisibility = (state: DocumentVisibilityState) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  await expect.poll(states).toEqual([1]);
  await setVisibility('hidden');
  expect(await states()).toEqual([2]);
  await setVisibility('visible');
  await expect.poll(states).toEqual([2, 1]);
  // Another page of the site needs no stream.
  await page.getByRole('link', { name: 'Your orders' }).first().click();
  await expect(page).toHaveURL(links.orders());
  await expect.poll(states).toEqual([2, 2]);
});

test('keeps the order and says so if it cannot be updated', async ({ page, signedIn, passTime, expectProblem }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  expectProblem(/request failed: GET .*orders\/events/);
  expectProblem(/request failed: POST .*getspecificorder/);
  await page.route('**/orders/events?*', (route) => route.abort());
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Order No')).toHaveText(orderid);
  await page.route('**/orders/getspecificorder.php', (route) => route.abort());
  await passTime(30);
  await expect(page.getByText('We could not update this order')).toBeVisible();
  await expect(detail(page, 'Order No')).toHaveText(orderid);
  await page.unroute('**/orders/getspecificorder.php');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('We could not update this order')).toHaveCount(0);
});

test('says that an order is late after the promised time', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Back by')).toHaveText('Sun, Nov 22, 9 PM');
  await expect(page.getByText(/late, and we are sorry/)).toHaveCount(0);
  await program.db.updateTable('orders').set({ pickup_day: '2026-11-19' }).where('id', '=', orderid).execute();
  await page.reload();
  await expect(detail(page, 'Back by')).toHaveText('Fri, Nov 20, 9 PM');
  await expect(page.getByText('Our pickup is late, and we are sorry')).toBeVisible();
  await axe(page);
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await expect(page.getByText('Your clothes are late, and we are sorry')).toBeVisible();
  await expect(page.getByText('Please call us, and we will tell you when to expect them.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call us' })).toHaveCount(2);
  await page.goto(links.orders());
  await expect(page.getByRole('listitem').filter({ hasText: orderid })).toContainText('We are late, please call us');
  await page.goto(links.home());
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `Track ${orderid}` }) });
  await expect(card).toContainText('We are late, please call us');
  await expect(card).not.toContainText('Back by');
});

test('a delivered order is rated as a verified order, once, and ordered again', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn({ name: 'Meera Nair' }), 1);
  await advanceOrder(program, orderid, 'delivered');
  await page.goto(links.order(orderid));
  const rate = async () => {
    await page.getByRole('button', { name: 'Rate this order' }).click();
    await page.getByRole('dialog').getByRole('radio', { name: '5' }).check({ force: true });
    await page.getByRole('dialog').getByLabel('Message').fill(`Fresh and folded ${orderid}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  };
  await rate();
  await expect(page.getByText('Thank you for your review')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rate this order' })).toHaveCount(0);
  await expect(regionOf(page.getByText('Your rating'))).toBeFocused();
  await page.goto(links.reviews());
  const card = page.getByRole('region', { name: 'Your reviews' }).getByRole('listitem').filter({ hasText: orderid });
  await expect(card).toContainText('Verified order');
  await axe(page);
  await page.goto(links.order(orderid));
  await expect(page.getByRole('button', { name: 'Order again' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rate this order' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Withdraw this review' }).click();
  await axe(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText('Your review is withdrawn')).toBeVisible();
  await expect(regionOf(page.getByRole('button', { name: 'Rate this order' }))).toBeFocused();
  await rate();
  await expect(page.getByText('Thank you for your review')).toBeVisible();
  await page.getByRole('button', { name: 'Order again' }).click();
  await expect(page).toHaveURL(links.cart());
  await expect(page.getByRole('dialog')).toContainText('Wash');
});
