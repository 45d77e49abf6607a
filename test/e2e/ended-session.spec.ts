/** A session that ends in the middle of an action of the customer. */
import { addClaim } from '../../src/domains/claims/contract.ts';
import { cancelOrder } from '../../src/domains/orders/contract.ts';
import { payWithWallet, startPayment } from '../../src/domains/payments/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { links } from '../../src/shared/links.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { axe, expect, test, type Page } from './fixtures.ts';
import { placeGuestOrder, placeOrderAt, placeOrders } from './ordering.ts';

const endSessions = ({ db }: BrowserTestProgram) => db.deleteFrom('sessions').execute();

/** Expects the page to show the end of the session and a link to the log-in, without a report. */
async function expectLogin(page: Page, reports: readonly string[]) {
  const main = page.getByRole('main');
  await expect(main.getByText('Your session has ended.', { exact: false })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Login', exact: true })).toBeVisible();
  await expect(page.getByText('posted to developers')).toHaveCount(0);
  expect(reports).toEqual([]);
}

/** Returns the error reports that the page sends. */
function watchReports(page: Page): string[] {
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/error/adderror.php')) reports.push(request.postData() ?? '');
  });
  return reports;
}

/**
 * Ends all sessions in the moment in which the page sends this call. Earlier, the page could notice
 * it by itself.
 */
const endSessionsAt = (page: Page, program: BrowserTestProgram, { path }: { path: string }) =>
  page.route(
    `**/${path}`,
    async (route) => {
      await endSessions(program);
      await route.continue();
    },
    { times: 1 },
  );

async function logInAgain(page: Page, { mobile }: { mobile: string }) {
  await page.getByRole('main').getByRole('link', { name: 'Login', exact: true }).click();
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

test.beforeEach(async ({ expectProblem }) => expectProblem(/response 401: POST/));

for (const who of ['a customer', 'a guest'] as const) {
  test(`${who} who cancels an order after the session has ended is asked to log in`, async ({
    page,
    program,
    signedIn,
    newMobile,
    stopTime,
  }) => {
    const [orderid = ''] =
      who === 'a customer' ? await placeOrders(page.request, await signedIn(), 1) : [await placeGuestOrder(page.request, newMobile())];
    const reports = watchReports(page);
    await page.goto(links.order(orderid));
    await page.getByRole('main').getByRole('button', { name: 'Cancel order', exact: true }).click();
    await stopTime();
    await endSessionsAt(page, program, cancelOrder);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel order', exact: true }).click();
    await expectLogin(page, reports);
    await axe(page, { timeIsStopped: true });
    await page.getByRole('main').getByRole('link', { name: 'Login', exact: true }).click();
    await expect(page.getByLabel('Mobile Number')).toBeVisible();
    await expect(page.getByText('Did you order as a guest', { exact: false })).toHaveCount(who === 'a guest' ? 1 : 0);
  });
}

test('a report that is sent after the session has ended is kept, with its kind, until the customer is back', async ({
  page,
  program,
  signedIn,
  stopTime,
}) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  const reports = watchReports(page);
  await page.goto(links.claims(orderid, 'damaged'));
  const message = page.getByRole('textbox', { name: 'What happened?' });
  await message.fill('A button of the shirt is broken');
  await stopTime();
  await endSessionsAt(page, program, addClaim);
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expectLogin(page, reports);
  await logInAgain(page, customer);
  await expect(page).toHaveURL(links.claims(orderid, 'damaged'));
  await expect(message).toHaveValue('A button of the shirt is broken');
  await expect(page.getByRole('radio', { name: 'Something is damaged' })).toBeChecked();
});

test('a payment from the wallet after the session has ended leads back to it', async ({ page, program, signedIn, stopTime }) => {
  const customer = await signedIn();
  const credit = { kind: 'compensation', amountPaise: asPaise(20_000), reason: 'A test', reference: `test:${customer.userid}` } as const;
  await creditWallet(program.db, { ...credit, customerId: customer.userid, at: program.clock.now() });
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  const reports = watchReports(page);
  await page.goto(links.walletPayment(orderid));
  const pay = page.getByRole('button', { name: 'Pay', exact: true });
  await expect(pay).toBeEnabled();
  await stopTime();
  await endSessionsAt(page, program, payWithWallet);
  await pay.click();
  await expectLogin(page, reports);
  await logInAgain(page, customer);
  await expect(page).toHaveURL(links.walletPayment(orderid));
  await expect(pay).toBeEnabled();
});

test('a payment that is begun after the session has ended shows the log-in from its top, with the focus on it', async ({
  page,
  program,
  signedIn,
  stopTime,
}) => {
  await page.setViewportSize({ width: 390, height: 500 });
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
  const reports = watchReports(page);
  await page.goto(links.order(orderid));
  const pay = page.getByRole('button', { name: 'Pay ₹286.14 online' });
  await pay.scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await stopTime();
  await endSessionsAt(page, program, startPayment);
  await pay.click();
  await expectLogin(page, reports);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(page.getByRole('heading', { name: 'Your order' })).toBeInViewport();
  await expect(page.getByRole('main')).toBeFocused();
});
