/** The wallet page. Specification sections 2, 4 and 9; design section 6, "Load more". */
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import type { CreditKind } from '../../src/domains/wallet/contract.ts';
import { payWithWallet } from '../../src/domains/payments/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { links } from '../../src/shared/links.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { axe, expect, fitsLargeText, fitsWidth, test, type Page } from './fixtures.ts';
import { advanceOrder, placeOrders } from './ordering.ts';
import { sendCall } from './sign-up.ts';

const rows = (page: Page) => page.getByRole('main').getByRole('listitem');
const loadMore = (page: Page) => page.getByRole('button', { name: 'Load more transactions' });
const balance = (page: Page) => page.getByRole('main').locator('section').filter({ hasText: 'Total Balance' });

const credit = ({ db, clock }: BrowserTestProgram, customerId: string, kind: CreditKind, paise: number) =>
  creditWallet(db, { customerId, kind, amountPaise: asPaise(paise), reason: 'A test', reference: `test:${newId()}`, at: clock.now() });

test('the menu opens the wallet, which shows the empty state', async ({ page, signedIn, seen }) => {
  await signedIn({ name: 'Asha Verma' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Hi, Asha Verma' }).click();
  await page.getByRole('link', { name: 'Wallet' }).click();
  await expect(page).toHaveURL(links.wallet());
  await seen('wallet', 'Total Balance');
  await seen('wallet', 'Recent Transactions');
  await seen('wallet', 'No transactions');
  await expect(balance(page)).toContainText('₹0');
  await expect(loadMore(page)).toBeHidden();
  await axe(page);
  await fitsWidth(page, 320);
});

test('shows credits in green with plus, payments in red with minus, and the balance', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await advanceOrder(program, orderid, 'queue');
  const kinds = { promotion: 50_00, compensation: 75_50, change: 3_25, cashback: 1200_00 } as const;
  for (const [kind, paise] of Object.entries(kinds)) await credit(program, customer.userid, kind as CreditKind, paise);
  await sendCall(page.request, payWithWallet, { userid: customer.userid, orderid, walletpayment: asPaise(143_07) });

  await page.goto(links.wallet());
  await expect(rows(page)).toHaveText([
    `PaidNov 21, 2026 · Order ${orderid}-₹143.07`,
    'CashbackNov 21, 2026+₹1,200',
    'ChangeNov 21, 2026+₹3.25',
    'CompensationNov 21, 2026+₹75.50',
    'PromotionNov 21, 2026+₹50',
  ]);
  await expect(balance(page)).toContainText('₹1,185.68');
  const colourOf = async (amount: string) =>
    (await page.getByText(amount, { exact: true }).evaluate((element) => getComputedStyle(element).color)).match(/\d+/g)?.map(Number) ?? [];
  const [paidRed = 0, paidGreen = 0] = await colourOf('-₹143.07');
  expect(paidRed).toBeGreaterThan(paidGreen);
  for (const amount of ['+₹1,200', '+₹3.25', '+₹75.50', '+₹50']) {
    const [red = 0, green = 0] = await colourOf(amount);
    expect(green).toBeGreaterThan(red);
  }
  await axe(page);
  await fitsWidth(page, 320);
});

test('pages through all transactions without duplicates while one is added, and moves the focus', async ({
  page,
  program,
  signedIn,
  seen,
}) => {
  const { userid } = await signedIn();
  for (let made = 1; made <= 23; made += 1) await credit(program, userid, 'promotion', 1_00 * made);
  await page.goto(links.wallet());
  await expect(rows(page)).toHaveCount(11);
  await seen('wallet', 'Load more transactions');
  await axe(page);
  await credit(program, userid, 'cashback', 5_00);
  await loadMore(page).press('Enter');
  // The new transaction shifts the rows: the next page contains two known ones.
  await expect(rows(page)).toHaveCount(19);
  await expect(rows(page).nth(11)).toBeFocused();
  await loadMore(page).click();
  await expect(loadMore(page)).toBeHidden();
  await expect(rows(page)).toHaveCount(23);
  await expect(rows(page).last()).toContainText('+₹1');
  await credit(program, userid, 'compensation', 98_765_43);
  await page.reload();
  await expect(page.getByText('₹99,046.43')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 800 });
  await fitsLargeText(page);
});

test('a further page that fails to load leaves the rows and the focus, and can be loaded again', async ({
  page,
  program,
  signedIn,
  expectProblem,
}) => {
  const { userid } = await signedIn();
  for (let made = 1; made <= 12; made += 1) await credit(program, userid, 'promotion', 1_00 * made);
  await page.goto(links.wallet());
  expectProblem(/request failed: POST .*getmoretransaction/);
  await page.route(/getmoretransaction/, (route) => route.abort(), { times: 1 });
  await loadMore(page).press('Enter');
  await expect(page.getByText('We could not reach the server, please check your connection and try again')).toBeVisible();
  await expect(rows(page)).toHaveCount(11);
  await expect(loadMore(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(12);
});

test('shows the message of a failed load and offers a retry', async ({ page, signedIn, expectProblem }) => {
  await signedIn();
  expectProblem(/request failed: POST .*gettransaction/);
  await page.route('**/transactions/gettransaction.php', (route) => route.abort());
  await page.goto(links.wallet());
  await expect(page.getByText('We could not load your transactions')).toBeVisible();
  await axe(page);
  await page.unroute('**/transactions/gettransaction.php');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No transactions')).toBeVisible();
});

test('redirects a signed-out visitor to the log-in after 3 s, not earlier', async ({ page, passTime, stopTime }) => {
  await stopTime();
  await page.goto(links.wallet());
  await expect(page.getByText('Please login first')).toBeVisible();
  await passTime(2.9);
  await expect(page).toHaveURL(links.wallet());
  await passTime(0.1);
  await expect(page).toHaveURL(links.login());
});

test('is accessible for a signed-out visitor', async ({ page, stopTime }) => {
  await stopTime();
  await page.goto(links.wallet());
  await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible();
  await axe(page, { timeIsStopped: true });
});

test('asks to log in if the session has ended', async ({ page, program, signedIn, expectProblem }) => {
  const { userid } = await signedIn();
  await page.goto(links.wallet());
  await expect(page.getByText('No transactions')).toBeVisible();
  await program.db.deleteFrom('sessions').where('customer_id', '=', userid).execute();
  expectProblem(/response 401: POST/);
  await page.reload();
  await expect(page.getByRole('main').getByText('Please login first')).toBeVisible();
});
