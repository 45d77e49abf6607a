/**
 * Payments: half from the wallet, the rest online or by UPI, and the result page. Specification
 * sections 2, 4, 7 and 8.
 */
import jsQR from 'jsqr';
import { login, signUp } from '../../src/domains/accounts/contract.ts';
import { transaction } from '../../src/db/database.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { setEarlierStage } from '../../src/domains/orders/changing-store.server.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { startPayment } from '../../src/domains/payments/contract.ts';
import { giveReferralBonus } from '../../src/domains/referrals/contract.ts';
import { confirmCode, sendCode } from '../../src/domains/verification/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import type { Mobile } from '../../src/lib/mobile.ts';
import { encodeReferralCode } from '../../src/lib/referral-code.ts';
import { defaultBrand } from '../../src/shared/brand.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { axe, expect, fitsWidth, sendCall, test, type Page } from './fixtures.ts';
import { hindi } from './hindi.ts';
import { confirmUpiPayment, detail } from './order-steps.ts';
import { advanceOrder, placeGuestOrder, placeOrderAt, placeOrders } from './ordering.ts';
import { signIn, type TestCustomer } from './sign-up.ts';
import { openConsole } from './staff-steps.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const PRODUCT = { product: 'Dhulai' };
const walletLink = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Pay with Dhulai wallet' });
/** The buttons name the amount that they take. */
const PAY_ONLINE = /^Pay ₹[\d,.]+ online$/;
const PAY_BY_UPI = /^Pay ₹[\d,.]+ by UPI$/;
const REPORTED = 'We check it against our bank statement, usually within 24 hours. You need not pay again.';
const payButton = (page: Page) => page.getByRole('button', { name: 'Pay', exact: true });

const credit = ({ db, clock }: BrowserTestProgram, { userid }: TestCustomer, rupees: number) =>
  creditWallet(db, {
    customerId: userid,
    kind: 'compensation',
    amountPaise: asPaise(rupees * 100),
    reason: 'A test',
    reference: `test:${userid}`,
    at: clock.now(),
  });

const receiveCash = ({ db, clock }: BrowserTestProgram, orderid: string, rupees: number) =>
  transaction(db, (tx) =>
    recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise: asPaise(rupees * 100) }, clock.now()),
  );

test('referral bonus, half from the wallet, rest at the gateway: every screen shows the same amounts', async ({
  page,
  program,
  signedIn,
  newMobile,
  browser,
  baseURL,
  seen,
}) => {
  const customer = await signedIn();
  const friend = await browser.newContext({ baseURL: baseURL! });
  const mobile = newMobile();
  await sendCall(friend.request, sendCode, { mobile, purpose: 'signup', challenge: '' });
  const [message] = (await (await friend.request.get(`/outbox.json?mobile=${mobile}`)).json()) as { code: string }[];
  await sendCall(friend.request, confirmCode, { mobile, purpose: 'signup', code: message?.code ?? '' });
  const referral = encodeReferralCode(customer.mobile as Mobile);
  await sendCall(friend.request, signUp, { name: 'Ravi', mobile, password: 'six chars', referral });
  await sendCall(friend.request, login, { mobile, password: 'six chars' });
  await sendCall(friend.request, giveReferralBonus, { mob: referral, newuser: mobile });
  await friend.close();

  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await weighOrder(program.db, orderid, 2030, 6, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());

  await page.goto(links.order(orderid));
  await seen('order detail', 'Pay with {product} wallet', { values: PRODUCT });
  await expect(walletLink(page)).toContainText('It pays ₹38.57 of this. Balance ₹50');
  await page.goto(links.orders());
  await seen('order list', 'Pay with {product} wallet', { values: PRODUCT });
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('₹77.14');
  await walletLink(page).click();
  await expect(page).toHaveURL(links.walletPayment(orderid));
  await expect(page.getByRole('main').locator('section').filter({ hasText: 'Wallet balance' })).toContainText('₹50');
  await expect(detail(page, 'Rate')).toHaveText('₹38 per kg');
  await expect(detail(page, 'Final Amount')).toHaveText('₹77.14');
  await expect(detail(page, 'From the wallet')).toHaveText('₹38.57');
  await expect(detail(page, 'Left for UPI or cash')).toHaveText('₹38.57');
  await seen('wallet payment', 'Pay');
  await seen('wallet payment', 'Cancel');
  await axe(page);
  await fitsWidth(page, 320);
  await payButton(page).click();
  await seen('wallet payment', 'Paid ₹{amount} for order {id} with wallet', { values: { amount: '38.57', id: orderid } });
  await expect(page.getByText('You have paid ₹38.57 for this order with wallet')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await expect(page.getByRole('main').locator('section').filter({ hasText: 'Wallet balance' })).toContainText('₹11.43');
  await expect
    .poll(() => page.evaluate(() => (JSON.parse(sessionStorage.getItem('userdata') ?? '{}') as { wallet?: number }).wallet))
    .toBe(11.43);
  await axe(page);
  await page.reload();
  await seen('wallet payment', 'You had already paid ₹{amount} for this order with wallet', { values: { amount: '38.57' } });

  await page.goto(links.orders());
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('₹38.57');
  await expect(walletLink(page)).toHaveCount(0);
  await page.goto(links.walletPayment(orderid));
  await page.getByRole('link', { name: 'See your order' }).click();
  await expect(page).toHaveURL(links.order(orderid));
  await expect(walletLink(page)).toHaveCount(0);
  await expect(detail(page, 'Final Amount')).toHaveText('₹77.14');
  await expect(detail(page, 'Wallet, Nov 21, 2026, .*')).toHaveText('₹38.57');
  await expect(detail(page, 'Left to pay')).toHaveText('₹38.57');
  await axe(page);
  await fitsWidth(page, 320);

  await page.getByRole('button', { name: 'Pay ₹38.57 online' }).click();
  await expect(page.getByRole('heading', { name: 'Sandbox payment' })).toBeVisible();
  await expect(page.getByText('₹38.57')).toBeVisible();
  await axe(page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page).toHaveURL(/\/pay\/[\w-]{22}\/38\.57$/);
  await seen('payment result', 'Payment received');
  await expect(detail(page, 'Order No')).toHaveText(orderid);
  await expect(detail(page, 'Final Amount')).toHaveText('₹77.14');
  await expect(detail(page, 'Paid now')).toHaveText('₹38.57');
  await expect(detail(page, 'Weight (kg)')).toHaveText('2.03');
  await expect(detail(page, 'Items')).toHaveText('6');
  await expect(detail(page, 'Payment date')).toHaveText(/^Nov 21, 2026, \d+:\d\d [AP]M$/);
  await axe(page);
  await fitsWidth(page, 320);

  await page.goto(links.order(orderid));
  await expect(detail(page, 'Paid online, Nov 21, 2026, .*')).toHaveText('₹38.57');
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
  await expect(page.getByRole('button', { name: PAY_ONLINE })).toHaveCount(0);

  for (const stage of ['washing', 'delivery', 'delivered'] as const)
    await moveOrder(program.db, orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });
  await page.goto(links.bill(orderid));
  await expect(detail(page, 'Final Amount')).toHaveText('₹77.14');
  await expect(detail(page, 'Wallet, Nov 21, 2026, .*')).toHaveText('₹38.57');
  await expect(detail(page, 'Paid online, Nov 21, 2026, .*')).toHaveText('₹38.57');

  await page.goto(links.wallet());
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
    `PaidNov 21, 2026 · Order ${orderid}-₹38.57`,
    'PromotionFor a friend who joinedNov 21, 2026+₹50',
  ]);
  await page.getByRole('link', { name: `Order ${orderid}` }).click();
  await expect(page).toHaveURL(links.order(orderid));
});

test.describe('the wallet payment', () => {
  for (const [stage, offered] of [
    ['pickup', false],
    ['queue', true],
    ['washing', true],
    ['delivery', true],
    ['delivered', false],
  ] as const) {
    test(`is ${offered ? '' : 'not '}offered at ${stage}, on the card, on the order and by the server`, async ({
      page,
      program,
      signedIn,
    }) => {
      const customer = await signedIn();
      await credit(program, customer, 200);
      const [orderid = ''] = await placeOrders(page.request, customer, 1);
      if (stage !== 'pickup') await advanceOrder(program, orderid, stage);
      for (const path of [links.orders(), links.order(orderid)]) {
        await page.goto(path);
        await expect(page.getByRole('main').getByText(orderid).first()).toBeVisible();
        await expect(walletLink(page)).toHaveCount(offered ? 1 : 0);
      }
      await page.goto(links.walletPayment(orderid));
      if (offered) return expect(payButton(page)).toBeEnabled();
      await expect(page.getByText(stage === 'pickup' ? /once your clothes are weighed/ : /is delivered and cannot be paid/)).toBeVisible();
      await expect(payButton(page)).toHaveCount(0);
      await axe(page);
    });
  }

  test('shows the message and disables the payment if the balance is too low', async ({ page, program, signedIn, seen }) => {
    const customer = await signedIn();
    await credit(program, customer, 143);
    await page.goto(links.walletPayment(await placeOrderAt({ page, program }, customer, 'queue')));
    await seen('wallet payment', "You can't use this payment method due to insufficient balance");
    const ways = await page.getByRole('link', { name: 'Pay another way' }).boundingBox();
    expect(ways!.y + ways!.height).toBeLessThan((await page.locator('.bottom-bar').boundingBox())!.y);
    await expect(payButton(page)).toBeDisabled();
    await axe(page);
    await fitsWidth(page, 320);
    await expect(page.getByRole('link', { name: '₹50 for every friend' })).toHaveAttribute('href', links.refer());
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(links.orders());
    await page.goBack();
    await page.getByRole('link', { name: 'Pay another way' }).click();
    await expect(page.getByRole('button', { name: PAY_ONLINE })).toBeVisible();
  });

  test('names an online payment that is not confirmed yet, also in Hindi', async ({ page, context, baseURL, program, signedIn }) => {
    const customer = await signedIn();
    await credit(program, customer, 200);
    const orderid = await placeOrderAt({ page, program }, customer, 'queue');
    await page.goto(links.walletPayment(orderid));
    await expect(payButton(page)).toBeEnabled();
    await expect(page.getByText('is not confirmed yet')).toHaveCount(0);
    const { tid, amount } = await sendCall(page.request, startPayment, {
      userid: customer.userid,
      orderid,
      method: 'gateway',
      amount: asPaise(28_614),
    });
    await page.reload();
    const text = 'Your online payment of {amount} from {day} is not confirmed yet';
    await expect(page.getByText('Your online payment of ₹286.14 from Nov 21, 2026 is not confirmed yet')).toBeVisible();
    await expect(page.getByRole('link', { name: 'See how it stands' })).toHaveAttribute('href', links.paymentResult(tid, amount));
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(payButton(page)).toBeEnabled();
    await axe(page);
    await fitsWidth(page, 320);
    await context.addCookies([{ name: 'lang', value: 'hi', url: baseURL! }]);
    await page.reload();
    await expect(page.getByText(hindi(text).split('{amount}')[1]!.trim())).toBeVisible();
    await fitsWidth(page, 320);
  });

  test('shows balance and result from the top after the payment', async ({ page, program, signedIn }) => {
    await page.setViewportSize({ width: 390, height: 700 });
    const customer = await signedIn();
    await credit(program, customer, 200);
    await page.goto(links.walletPayment(await placeOrderAt({ page, program }, customer, 'queue')));
    await expect(payButton(page)).toBeEnabled();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
    await payButton(page).click();
    const result = page.getByRole('main').getByText('You have paid ₹143.07 for this order with wallet');
    await expect(result).toBeInViewport({ ratio: 1 });
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await expect(page.getByText('Wallet balance')).toBeInViewport({ ratio: 1 });
    const toast = (await page.locator('.toast').boundingBox())!;
    expect(toast.y + toast.height).toBeLessThan((await page.getByText('Wallet balance').boundingBox())!.y);
    await expect(page.getByRole('main').locator(':focus')).toContainText('You have paid');
  });

  test('is not offered if less than half is left, and the amounts of a partly paid order add up', async ({ page, program, signedIn }) => {
    const customer = await signedIn();
    await credit(program, customer, 200);
    const orderid = await placeOrderAt({ page, program }, customer, 'queue');
    await receiveCash(program, orderid, 100);
    await page.goto(links.orders());
    await walletLink(page).click();
    await expect(detail(page, 'Final Amount')).toHaveText('₹286.14');
    await expect(detail(page, 'Paid another way')).toHaveText('₹100');
    await expect(detail(page, 'From the wallet')).toHaveText('₹143.07');
    await expect(detail(page, 'Left for UPI or cash')).toHaveText('₹43.07');
    await receiveCash(program, orderid, 50);
    for (const path of [links.orders(), links.order(orderid)]) {
      await page.goto(path);
      await expect(page.getByRole('main').getByText(orderid).first()).toBeVisible();
      await expect(walletLink(page)).toHaveCount(0);
    }
    await page.goto(links.walletPayment(orderid));
    await expect(payButton(page)).toHaveCount(0);
    await page.getByRole('main').getByRole('link', { name: 'See your order' }).click();
    await expect(detail(page, 'Left to pay')).toHaveText('₹136.14');
  });

  test('shows why the server rejected a payment', async ({ page, program, signedIn }) => {
    const customer = await signedIn();
    await credit(program, customer, 200);
    const orderid = await placeOrderAt({ page, program }, customer, 'delivery');
    await page.goto(links.walletPayment(orderid));
    await expect(payButton(page)).toBeEnabled();
    // In the moment of the payment: the page follows an earlier change.
    await page.route('**/combinedata/paywithwallet', async (route) => {
      await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
      await route.continue();
    });
    await payButton(page).click();
    await expect(page.getByRole('alert').getByText('This order is delivered and cannot be paid with the wallet any more')).toBeVisible();
    await expect(page.getByText(/Something went wrong/)).toHaveCount(0);
  });

  test('shows a corrected weight at once, and names the amount if it changes at the payment', async ({ page, program, signedIn }) => {
    const customer = await signedIn();
    await credit(program, customer, 400);
    const orderid = await placeOrderAt({ page, program }, customer, 'queue');
    const weigh = async (grams: number) => {
      const now = program.clock.now();
      await transaction(program.db, (tx) => setEarlierStage(tx, orderid, { to: 'pickup', reason: 'It was wet' }, now));
      await weighOrder(program.db, orderid, grams, 12, now, { reason: 'It was wet' });
      await moveOrder(program.db, orderid, 'queue', now);
    };
    await page.goto(links.walletPayment(orderid));
    await expect(detail(page, 'From the wallet')).toHaveText('₹143.07');
    await weigh(5000);
    await expect(detail(page, 'From the wallet')).toHaveText('₹95');
    await expect(page.getByText('The amount is now ₹95. Please check it and pay.')).toBeVisible();
    // Corrected again in the moment of the payment.
    await page.route('**/combinedata/paywithwallet', async (route) => {
      await weigh(4000);
      await route.continue();
    });
    await payButton(page).click();
    const notice = page.getByText('The amount is now ₹76. Please check it and pay.');
    await expect(page.locator(':focus').filter({ has: notice })).toBeVisible();
    await expect(page.getByText(/Something went wrong/)).toHaveCount(0);
    await axe(page);
    await fitsWidth(page, 320);
    await page.unroute('**/combinedata/paywithwallet');
    await payButton(page).click();
    await expect(page.getByText(/₹76(\.00)? for (this )?order/).first()).toBeVisible();
  });

  test('shows the alert of a failed payment and reloads the amounts', async ({ page, program, signedIn, seen, expectProblem }) => {
    const customer = await signedIn();
    await credit(program, customer, 200);
    const orderid = await placeOrderAt({ page, program }, customer, 'queue');
    await page.goto(links.walletPayment(orderid));
    await page.route('**/combinedata/paywithwallet', (route) => route.abort());
    expectProblem(/request failed: POST .*paywithwallet/);
    await payButton(page).click();
    await seen('wallet payment', 'Something went wrong please report it at {email}', { values: { email: 'support@dhulai.example' } });
    await expect(payButton(page)).toBeEnabled();
    await page.unroute('**/combinedata/paywithwallet');

    // Another tab has paid: the server rejects the payment, and the page reloads.
    await page.route('**/combinedata/paywithwallet', async (route) => {
      await route.fetch();
      await route.continue();
    });
    await payButton(page).click();
    await seen('wallet payment', 'You had already paid ₹{amount} for this order with wallet', { values: { amount: '143.07' } });
    await expect(page.getByRole('main').locator('section').filter({ hasText: 'Wallet balance' })).toContainText('₹56.93');
  });

  test('shows a payment as paid if its response was lost', async ({ page, program, signedIn, expectProblem }) => {
    const customer = await signedIn();
    await credit(program, customer, 200);
    const orderid = await placeOrderAt({ page, program }, customer, 'queue');
    await page.goto(links.walletPayment(orderid));
    await page.route('**/combinedata/paywithwallet', async (route) => {
      await route.fetch();
      await route.abort();
    });
    expectProblem(/request failed: POST .*paywithwallet/);
    await payButton(page).click();
    await expect(page.getByText(`Paid ₹143.07 for order ${orderid} with wallet`)).toBeVisible();
    await expect(page.getByText('You had already paid ₹143.07 for this order with wallet')).toBeVisible();
    await expect(page.getByText(/Something went wrong/)).toHaveCount(0);
  });

  test('keeps the figures if neither the payment nor the reload reaches the server', async ({ page, program, signedIn, expectProblem }) => {
    const customer = await signedIn();
    await credit(program, customer, 200);
    // Without events, the page does not reload the figures by itself.
    await page.route('**/orders/events*', (route) => route.abort());
    expectProblem(/request failed: GET .*orders\/events/);
    await page.goto(links.walletPayment(await placeOrderAt({ page, program }, customer, 'queue')));
    await expect(payButton(page)).toBeEnabled();
    await page.route(/\/combinedata\/(paywithwallet|walletpayment)$/, (route) => route.abort(), { times: 2 });
    expectProblem(/request failed: POST .*paywithwallet/);
    expectProblem(/request failed: POST .*walletpayment/);
    await payButton(page).click();
    await expect(page.getByRole('alert').getByText('We could not load this payment')).toBeVisible();
    await expect(detail(page, 'From the wallet')).toHaveText('₹143.07');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('We could not load this payment')).toBeHidden();
    await expect(payButton(page)).toBeEnabled();
  });

  test('ignores a second tap', async ({ page, program, signedIn }) => {
    const customer = await signedIn();
    await credit(program, customer, 200);
    await page.goto(links.walletPayment(await placeOrderAt({ page, program }, customer, 'queue')));
    const calls: string[] = [];
    page.on('request', (request) => void (request.url().endsWith('/paywithwallet') && calls.push(request.url())));
    await payButton(page).dblclick();
    await expect(page.getByText('You have paid ₹143.07 for this order with wallet')).toBeVisible();
    expect(calls).toHaveLength(1);
  });

  test('shows the message for an unknown order', async ({ page, signedIn }) => {
    await signedIn();
    await page.goto(links.walletPayment('NOSUCHORDER0'));
    await expect(page.getByText('No order found with order number NOSUCHORDER0')).toBeVisible();
  });

  test('is accessible for a signed-out visitor', async ({ page, stopTime }) => {
    await stopTime();
    await page.goto(links.walletPayment('NOSUCHORDER0'));
    await expect(page.getByText('Please login first')).toBeVisible();
    await axe(page, { timeIsStopped: true });
  });

  test('redirects a signed-out visitor to the log-in after 1 s, not earlier', async ({ page, passTime, stopTime }) => {
    await stopTime();
    await page.goto(links.walletPayment('NOSUCHORDER0'));
    await expect(page.getByText('Please login first')).toBeVisible();
    await passTime(0.9);
    await expect(page).toHaveURL(links.walletPayment('NOSUCHORDER0'));
    await passTime(0.1);
    await expect(page).toHaveURL(links.login());
  });
});

test.describe('the payment result', () => {
  test('a slow payment changes from pending to received without input', async ({ page, program, signedIn, seen, passTime }) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
    await page.goto(links.order(orderid));
    await page.getByRole('button', { name: PAY_ONLINE }).click();
    await page.getByRole('button', { name: 'Pay, and let the shop wait 20 seconds' }).click();
    await seen('payment result', 'Payment pending');
    await seen('payment result', 'We cannot confirm your payment right now, it may take 24 hours to update your transaction');
    await seen('payment result', 'Stay calm your money is in safe hands!');
    await axe(page);
    await fitsWidth(page, 320);
    const resultPage = page.url();
    await page.getByRole('link', { name: 'See your order' }).click();
    await expect(page).toHaveURL(links.order(orderid));
    await expect(page.getByText('Your online payment of ₹286.14 from Nov 21, 2026 is not confirmed yet')).toBeVisible();
    await axe(page);
    // Only this link of the notice and the payment methods is in the colour of a primary button.
    const result = page.getByRole('link', { name: 'See how it stands' });
    await expect(result).toHaveClass(/ bg-accent /);
    await expect(page.getByRole('button', { name: PAY_ONLINE })).not.toHaveClass(/ bg-accent /);
    await result.click();
    await expect(page).toHaveURL(resultPage);
    await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
    await passTime(26);
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await expect(detail(page, 'Paid now')).toHaveText('₹286.14');
  });

  test('an open order page shows a payment that the gateway confirms late', async ({ page, program, signedIn, passTime }) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
    await page.goto(links.order(orderid));
    await page.getByRole('button', { name: PAY_ONLINE }).click();
    await page.getByRole('button', { name: 'Pay, and let the shop wait 20 seconds' }).click();
    await page.getByRole('link', { name: 'See your order' }).click();
    await expect(page.getByText('Your online payment of ₹286.14 from Nov 21, 2026 is not confirmed yet')).toBeVisible();
    await passTime(26);
    await expect(detail(page, 'Left to pay')).toHaveText('₹0');
    await expect(page.getByText('is not confirmed yet')).toBeHidden();
  });

  test('a late response does not replace a received payment; a page that becomes visible polls at once', async ({
    page,
    program,
    signedIn,
    passTime,
  }) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
    await page.goto(links.order(orderid));
    await page.getByRole('button', { name: PAY_ONLINE }).click();
    await page.getByRole('button', { name: 'Pay, and let the shop wait 20 seconds' }).click();
    await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
    const release = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const polls: string[] = [];
    await page.route('**/payments/getorderdetails.php', async (route) => {
      polls.push(route.request().url());
      if (polls.length > 1) return route.continue();
      const response = await route.fetch();
      late.resolve();
      await release.promise;
      await route.fulfill({ response });
    });
    await passTime(5);
    await late.promise;
    // The next poll starts after this one has ended.
    await passTime(15);
    expect(polls).toHaveLength(1);
    program.clock.advance(6);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    const finished = page.waitForEvent('requestfinished');
    release.resolve();
    await finished;
    await passTime(1);
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  });

  test('a failed payment says so, an unknown one is pending; the order can be paid again', async ({ page, context, program, signedIn }) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
    await page.goto(links.order(orderid));
    await page.getByRole('button', { name: PAY_ONLINE }).click();
    await page.getByRole('button', { name: 'Fail' }).click();
    await expect(page.getByRole('heading', { name: 'This payment failed' })).toBeVisible();
    await expect(page.getByRole('main').getByText(`for order ${orderid}`)).toHaveText(/^₹[\d,.]+ for order /);
    await expect(page.getByRole('main')).not.toContainText('Payment pending');
    await expect(page.getByRole('main')).not.toContainText('Stay calm');
    await expect(page.getByRole('link', { name: `Questions? Call ${defaultBrand.mobile}` })).toBeVisible();
    await expect(page.getByRole('link', { name: 'See your order' })).toHaveAttribute('href', links.order(orderid));
    await axe(page);
    await fitsWidth(page, 320);
    // Only the tab that started the payment knows its order. The URL alone reveals nothing.
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
    await expect(other.getByText(/^We cannot confirm yet which payment this link belongs to\./)).toBeVisible();
    const failed = await other.getByRole('main').innerText();
    await other.goto('/any/thing/0');
    await expect(other.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
    expect(await other.getByRole('main').innerText()).toBe(failed);
    await other.close();
    await page.getByRole('link', { name: 'Pay again' }).click();
    await expect(page).toHaveURL(links.orderPayment(orderid));
    // Over the gateway, which leads to the result of its payment, once.
    await page.goBack();
    await expect(page).toHaveURL(/\/pay\//);
    await page.goBack();
    await expect(page).toHaveURL(links.order(orderid));
    await expect(page.getByRole('heading', { name: 'Your order' })).toBeVisible();
    await expect(page.getByText('Your online payment of ₹286.14 from Nov 21, 2026 was not completed')).toBeVisible();
    await axe(page);
    await fitsWidth(page, 320);
    await page.getByRole('button', { name: /^Pay ₹286.14 (again|online)$/ }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await page.goto(links.order(orderid));
    await expect(detail(page, 'Left to pay')).toHaveText('₹0');
    await expect(page.getByText('Your online payment')).toHaveCount(0);
  });

  test('shows only the logo above, is not cached and not indexed', async ({ page }) => {
    const response = await page.goto('/abc/AAAAAAAAAAAAAAAAAAAAAA/100');
    expect(response?.status()).toBe(200);
    expect(response?.headers()).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link')).toHaveText(['Dhulai']);
    await expect(page.getByRole('banner').getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toHaveCount(0);
  });

  test('does not handle the paths of pages, files and calls', async ({ page, expectProblem }) => {
    expectProblem(/response 404: GET/);
    for (const path of ['/auth/no/page', '/webview/no/page', '/staff/no/page', '/assets/no/file', '/docs/no/page', '/payments/no/call']) {
      expect((await page.request.get(path)).status(), path).toBe(404);
    }
    await page.goto('/auth/no/page');
    await expect(page.getByText('404 not found')).toBeVisible();
  });

  test('stays pending while the server is unreachable', async ({ page, passTime, expectProblem }) => {
    await page.goto('/pay/AAAAAAAAAAAAAAAAAAAAAA/100');
    await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
    expectProblem(/request failed: POST .*getorderdetails/);
    await page.route('**/payments/getorderdetails.php', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed');
    await passTime(5);
    await failed;
    await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
  });
});

test('the QR code of the rest contains the UPI link with the exact amount, and the owner notes the payment', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const customer = await signedIn();
  const orderid = await placeOrderAt({ page, program }, customer, 'delivery');
  await credit(program, customer, 200);
  await page.goto(links.walletPayment(orderid));
  await payButton(page).click();
  await expect(page.getByText('You have paid ₹143.07 for this order with wallet')).toBeVisible();
  await page.goto(links.order(orderid));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.getByRole('button', { name: PAY_BY_UPI }).click();
    await expect(page.getByRole('link', { name: 'Open UPI app' })).toBeFocused();
    const link = (await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href')) ?? '';
    const { reference } = await program.db
      .selectFrom('payments')
      .select('reference')
      .where('order_id', '=', orderid)
      .where('method', '=', 'upi')
      .executeTakeFirstOrThrow();
    expect(link).toBe(`upi://pay?pa=laundry@example&pn=Dhulai%20Laundry%20Services&tr=${reference}&tn=Order%20${orderid}&am=143.07&cu=INR`);
    expect(await scanQrCode(page)).toBe(link);
  }
  await expect(page.getByText('₹143.07 to Dhulai Laundry Services')).toBeVisible();
  await expect(page.getByText('laundry@example')).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByRole('dialog').getByRole('button', { name: 'I have paid' }).click();
  const question = page.getByRole('dialog', { name: 'Have you paid ₹143.07 by UPI already?' });
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('link', { name: 'Open UPI app' })).toBeFocused();
  // Back closes the code. Opening it is no payment.
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(links.order(orderid));
  await expect(page.getByText('Have you paid ₹143.07 by UPI already?')).toBeVisible();
  await expect(page.getByText('you said that you have paid')).toHaveCount(0);
  await page.getByRole('button', { name: 'I have paid' }).click();
  await expect(question).toContainText('We check it against our bank statement.');
  await expect(question.getByRole('button', { name: 'Back' })).toBeFocused();
  await axe(page);
  await fitsWidth(page, 320);
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText('you said that you have paid')).toHaveCount(0);
  await confirmUpiPayment(page);
  await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
  await expect(page.getByText(REPORTED)).toBeVisible();
  await expect(page.getByText(/If you have not paid, or the payment failed/)).toHaveCount(0);
  await axe(page);
  await expect(page.getByText(`₹143.07 for order ${orderid}`)).toBeVisible();
  await expect(page.getByRole('link', { name: `Questions? Call ${defaultBrand.mobile}` })).toBeVisible();
  await page.goto(links.order(orderid));
  await expect(page.getByText(/: you said that you have paid ₹143\.07 by UPI/)).toBeVisible();
  await expect(detail(page, 'Paid by UPI, being checked')).toHaveText('₹143.07');
  await expect(detail(page, 'Left to pay')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Pay ₹/ })).toHaveCount(0);
  await axe(page);
  await page.getByRole('button', { name: 'Pay anyway' }).click();
  await expect(page.locator(':focus')).toContainText('Pay ');
  await expect(page.getByRole('button', { name: PAY_BY_UPI })).toBeVisible();

  await openConsole(page, program, { role: 'owner', mobile: newMobile(), path: staffLinks.upi() });
  const payments = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `Order ${orderid}` }) });
  const waiting = page.getByRole('region', { name: 'Begun by customers, not noted yet' }).locator(payments);
  await expect(waiting).toHaveCount(1);
  await expect(waiting).toContainText(/₹143.07.*The customer says: paid .*[0-9A-Z]{20}/);
  await axe(page);
  await fitsWidth(page, 360, 1440);
  await waiting.getByRole('button', { name: 'The statement has it: note ₹143.07' }).click();
  await expect(page.getByText('The payment is noted')).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await expect(payments).toHaveCount(1);
  await expect(payments).toContainText('Anita Desai');
});

/** Decodes the QR code from a screenshot. */
async function scanQrCode(page: Page): Promise<string | undefined> {
  const picture = await page.getByRole('img', { name: 'QR code of the UPI payment' }).screenshot();
  const { pixels, width, height } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return { pixels: [...data], width: bitmap.width, height: bitmap.height };
  }, picture.toString('base64'));
  return jsQR(new Uint8ClampedArray(pixels), width, height)?.data;
}

test('shows payment to the rider until delivery, and the bill has amounts only', async ({ page, program, signedIn }) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  await page.goto(links.order(orderid));
  await expect(page.getByText('Or pay the rider in cash or by UPI when your clothes come back.')).toBeVisible();
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  await page.reload();
  await expect(page.getByRole('button', { name: PAY_ONLINE })).toBeVisible();
  await expect(page.getByText(/Or pay the rider/)).toHaveCount(0);
  await page.goto(links.bill(orderid));
  await expect(detail(page, 'Left to pay')).toHaveText('₹286.14');
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0);
  await expect(page.getByText(/Or pay the rider/)).toHaveCount(0);
});

test('a guest without a wallet pays online', async ({ page, program, newMobile }) => {
  const orderid = await placeGuestOrder(page.request, newMobile());
  await advanceOrder(program, orderid, 'washing');
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Left to pay')).toHaveText('₹286.14');
  await expect(walletLink(page)).toHaveCount(0);
  await page.getByRole('button', { name: PAY_ONLINE }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});

test('rejects the payment of an outdated rest, and shows the current one', async ({ page, program, signedIn, expectProblem }) => {
  const customer = await signedIn();
  // Without a stream the page does not follow the other payment.
  await page.route('**/orders/events?*', (route) => route.abort());
  expectProblem(/request failed: GET .*orders\/events/);
  await credit(program, customer, 200);
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Left to pay')).toHaveText('₹286.14');
  const other = await page.context().newPage();
  await other.goto(links.walletPayment(orderid));
  await payButton(other).click();
  await expect(other.getByText('You have paid ₹143.07 for this order with wallet')).toBeVisible();
  await page.getByRole('button', { name: PAY_ONLINE }).click();
  await expect(page.getByText('What is left to pay has changed, please look again')).toBeVisible();
  await expect(detail(page, 'Left to pay')).toHaveText('₹143.07');
});

test('an order paid twice at once shows the refund', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await credit(program, customer, 200);
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  await page.goto(links.order(orderid));
  await page.getByRole('button', { name: PAY_ONLINE }).click();
  await expect(page.getByRole('heading', { name: 'Sandbox payment' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(links.walletPayment(orderid));
  await payButton(other).click();
  await expect(other.getByText('You have paid ₹143.07 for this order with wallet')).toBeVisible();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Paid too much, returned to your wallet')).toHaveText('-₹143.07');
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
  await page.goto(links.walletPayment(orderid));
  await expect(detail(page, 'Paid another way')).toHaveText('₹286.14');
  await expect(detail(page, 'Paid too much, returned to your wallet')).toHaveText('-₹143.07');
  await expect(detail(page, 'Left for UPI or cash')).toHaveText('₹0');

  for (const stage of ['washing', 'delivery', 'delivered'] as const)
    await moveOrder(program.db, orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });
  await page.goto(links.order(orderid));
  await expect(page.getByText(`To have money of your wallet paid back, call us at ${defaultBrand.mobile}.`)).toBeVisible();
  await axe(page);
  await page.goto(links.bill(orderid));
  await expect(detail(page, 'Paid too much, returned to your wallet')).toHaveText('-₹143.07');
});

for (const width of [390, 1280]) {
  test(`at ${width} px, the toast of a payment covers no bar and no amount, and Pay is the last of the actions`, async ({
    page,
    program,
    signedIn,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const customer = await signedIn();
    await credit(program, customer, 200);
    const orderid = await placeOrderAt({ page, program }, customer, 'queue');
    await page.goto(links.walletPayment(orderid));
    await expect(page.locator('.bottom-bar').locator('a, button')).toHaveText(['Cancel', 'Pay']);
    await payButton(page).click();
    await expect(page.locator('.toast')).toContainText('Paid ₹143.07');
    const toast = (await page.locator('.toast').boundingBox())!;
    const bar = (await page.getByRole('banner').boundingBox())!;
    expect(toast.y).toBeGreaterThanOrEqual(bar.y + bar.height);
    const paid = (await detail(page, 'Paid from the wallet').boundingBox())!;
    expect(toast.y + toast.height).toBeLessThan(paid.y);
    await expect(page.locator('.bottom-bar').locator('a, button')).toHaveText(['Your orders', 'See your order']);
  });

  test(`at ${width} px, the cards of an order are read in the order in which they are seen`, async ({ page, program, signedIn }) => {
    await page.setViewportSize({ width, height: 844 });
    const customer = await signedIn();
    const orderid = await placeOrderAt({ page, program }, customer, 'delivered');
    await page.goto(links.order(orderid));
    await expect(page.getByRole('button', { name: PAY_ONLINE })).toBeVisible();
    const cards = await page
      .getByRole('main')
      .locator('section')
      .evaluateAll((sections) =>
        sections.map((section) => {
          const { left, top } = section.getBoundingClientRect();
          return { left, top, text: section.textContent.slice(0, 20) };
        }),
      );
    // The first and the last one are as wide as the page, the others in columns.
    const between = cards.slice(1, -1);
    expect(between.length).toBeGreaterThan(5);
    expect(between).toEqual(between.toSorted((one, other) => one.left - other.left || one.top - other.top));
  });
}

test('forged userdata in the session storage does not change the wallet or show data of others (I1)', async ({
  page,
  program,
  signedIn,
  newMobile,
  browser,
  baseURL,
  stopTime,
  expectProblem,
}) => {
  const own = await signedIn();
  const ownOrder = await placeOrderAt({ page, program }, own, 'queue');
  const otherContext = await browser.newContext({ baseURL: baseURL! });
  const other = await signIn(program, otherContext, { name: 'Ravi Kumar', mobile: newMobile(), password: 'six chars' });
  const [otherOrder = ''] = await placeOrders(otherContext.request, other, 1);
  await otherContext.close();
  await advanceOrder(program, otherOrder, 'queue');
  await credit(program, other, 200);
  const storeForged = ({ userid, name, mobile }: TestCustomer) => {
    const userdata = JSON.stringify({ loggedin: true, userid, name, mobile, email: '', wallet: 99_999 });
    return page.addInitScript((forged) => sessionStorage.setItem('userdata', forged), userdata);
  };
  const main = page.getByRole('main');
  await stopTime();

  await storeForged(own);
  await page.goto(links.wallet());
  await expect(main.locator('section').filter({ hasText: 'Total Balance' })).toContainText('₹0');
  await page.goto(links.walletPayment(ownOrder));
  await expect(main.locator('section').filter({ hasText: 'Wallet balance' })).toContainText('₹0');
  await expect(payButton(page)).toBeDisabled();

  await storeForged(other);
  expectProblem(/response 401: POST .*(?:walletpayment|getspecificorder|getorderpayments)/);
  for (const [path, said] of [
    [links.walletPayment(otherOrder), 'Please login first'],
    [links.order(otherOrder), 'User not found'],
    [links.bill(otherOrder), 'User not found'],
  ] as const) {
    await page.goto(path);
    await expect(main.getByText(said)).toBeVisible();
    await expect(main).not.toContainText('₹');
  }
});

test('offers the wallet only if its balance covers its part', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await credit(program, customer, 143);
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  await page.goto(links.order(orderid));
  await expect(page.getByRole('button', { name: 'Pay ₹286.14 online' })).toBeVisible();
  await expect(walletLink(page)).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('offers the UPI app first, and opens it with the amount', async ({ page, program, signedIn }) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
    await page.goto(links.order(orderid));
    await expect(page.getByRole('button', { name: /^Pay ₹/ })).toHaveText(['Pay ₹286.14 with a UPI app', 'Pay ₹286.14 online']);
    // This browser has no UPI app: it reports the navigation only to its developer tools.
    const tools = await page.context().newCDPSession(page);
    await tools.send('Page.enable');
    const navigation = new Promise<string>((resolve) => tools.once('Page.frameRequestedNavigation', ({ url }) => resolve(url)));
    await page.getByRole('button', { name: 'Pay ₹286.14 with a UPI app' }).click();
    expect(await navigation).toMatch(/^upi:\/\/pay\?.*am=286\.14&cu=INR$/);
    await expect(page.getByRole('button', { name: 'I have paid' })).toBeVisible();
    await axe(page);
  });
});
