/**
 * One order through the hands of a customer, a rider without a connection and an operator, and in
 * the figures of the owner.
 */
import { asPaise } from '../../src/lib/money.ts';
import { kolkataDay } from '../../src/lib/dates.ts';
import { getReport } from '../../src/domains/figures/desk/contract.ts';
import { move } from '../../src/domains/order-desk/desk/contract.ts';
import { auditLedger, creditWallet, isSound } from '../../src/domains/wallet/service.server.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { expect, test, type Page } from './fixtures.ts';
import { detail, handOverCode } from './order-steps.ts';
import { placeOrders } from './ordering.ts';
import { sendCall } from './sign-up.ts';
import { addStaff, logInStaff } from './staff-steps.ts';

/** From the moment the server has the entries of the rider. */
const SEEN_WITHIN = { timeout: 2000 };

/** Without a connection, a stop has no link with the number. */
const stop = (page: Page, orderid: string) => page.getByRole('article').filter({ hasText: `Label ${orderid.slice(-4)}` });

const MONEY = ['Revenue', 'Cash', 'UPI', 'Online', 'From wallets', 'In wallets'] as const;

/** Returns the figures of a day in paise, as Numbers shows them and `staff/report` returns them. */
async function readFigures(laptop: Page, day: string) {
  await laptop.goto(`${staffLinks.numbers()}?from=${day}&to=${day}`);
  const table = laptop.getByRole('table', { name: 'All figures' });
  await expect(table.getByRole('row')).toHaveCount(3);
  const labels = await table.getByRole('columnheader').allTextContents();
  const cells = await table.getByRole('row').nth(1).locator('th, td').allTextContents();
  const shown = (label: string) => Math.round(Number(cells[labels.indexOf(label)]?.replaceAll(/[₹,]/g, '').replace('−', '-')) * 100);
  const { days } = await sendCall(laptop.request, getReport, { from: day, to: day });
  const { orders, delivered, weight, revenue, received, wallet_liability: liability } = days[0]!;
  const money = [revenue, received.cash, received.upi, received.gateway, received.wallet, liability];
  expect(MONEY.map(shown)).toEqual(money);
  return [orders, delivered, weight, ...money];
}

test('customer, rider, operator and owner see the same amounts from the pickup to the figures of the day', async ({
  page,
  program,
  signedIn,
  newMobile,
  browser,
  passTime,
}) => {
  const customer = await signedIn();
  const credit = { customerId: customer.userid, kind: 'promotion', amountPaise: asPaise(50_000), reason: 'A gift' } as const;
  await creditWallet(program.db, { ...credit, reference: `gift:${customer.userid}`, at: program.clock.now() });
  const owner = newMobile();
  await addStaff(program, 'owner', 'Rekha Menon', owner);
  const laptopContext = await browser.newContext();
  const laptop = await laptopContext.newPage();
  await laptop.goto(staffLinks.numbers());
  await logInStaff(laptop, owner);
  await expect(laptop.getByRole('heading', { level: 1, name: 'Numbers' })).toBeVisible();
  const day = kolkataDay(program.clock.now());
  const before = await readFigures(laptop, day);

  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Weight (kg)')).toHaveText('Calculated at pickup');

  const [rider, operator] = [newMobile(), newMobile()];
  await addStaff(program, 'rider', 'Ravi Kumar', rider);
  await addStaff(program, 'operator', 'Anita Desai', operator);
  const [phone, tablet] = [await browser.newContext(), await browser.newContext()];
  // The entries have the time of the phone.
  await phone.clock.install({ time: program.clock.now() });
  const [round, desk] = [await phone.newPage(), await tablet.newPage()];
  await round.goto(staffLinks.round());
  await logInStaff(round, rider);
  await desk.goto(staffLinks.order(orderid));
  await logInStaff(desk, operator);
  await expect(desk.getByText('Live', { exact: true })).toBeVisible();

  await stop(round, orderid).getByRole('button', { name: 'Weigh', exact: true }).click();
  await phone.setOffline(true);
  const weighing = round.getByRole('dialog', { name: 'Weigh' });
  await weighing.getByLabel('Weight (kg)').fill('7.53');
  await weighing.getByLabel('Pieces').fill('12');
  await weighing.getByRole('button', { name: 'Save' }).click();
  await stop(round, orderid).getByRole('button', { name: 'Move to In-Queue' }).click();
  await expect(round.getByText('2 entries are not sent yet')).toBeVisible();
  await expect(detail(page, 'Weight (kg)')).toHaveText('Calculated at pickup');
  const acknowledged = round.waitForResponse((response) => response.url().endsWith(`/${move.path}`) && response.ok());
  await phone.setOffline(false);
  await acknowledged;
  await Promise.all([
    expect(detail(page, 'Order Status')).toHaveText('In-Queue', SEEN_WITHIN),
    expect(detail(page, 'Weight (kg)')).toHaveText('7.53', SEEN_WITHIN),
    expect(detail(page, 'Left to pay')).toHaveText('₹286.14', SEEN_WITHIN),
  ]);

  await page.getByRole('main').getByRole('link', { name: 'Pay with Dhulai wallet' }).click();
  await expect(detail(page, 'From the wallet')).toHaveText('₹143.07');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByText(`Paid ₹143.07 for order ${orderid} with wallet`)).toBeVisible();

  await expect(detail(desk, 'Left to pay')).toHaveText('₹143.07');
  await desk.getByRole('button', { name: 'Move to Washing/Drying' }).click();
  await desk.getByRole('button', { name: 'Move to Out for delivery' }).click();
  await expect(desk.getByRole('button', { name: 'Hand over' })).toBeVisible();
  await page.goto(links.order(orderid));
  await expect(detail(page, 'Left to pay')).toHaveText('₹143.07');
  const digits =
    (await handOverCode(page)
      .getByText(/^\d{4}$/)
      .textContent()) ?? '';
  await expect(stop(round, orderid)).toContainText('Due ₹143.07');
  await stop(round, orderid).getByRole('button', { name: 'Hand over' }).click();
  const handOver = round.getByRole('dialog', { name: 'Hand over' });
  await handOver.getByLabel('Hand-over code').fill(digits);
  await handOver.getByRole('button', { name: 'Delivered' }).click();
  await expect(detail(page, 'Order Status')).toHaveText('Delivered');
  await desk.goto(staffLinks.cash());
  await expect(desk.getByText('Live', { exact: true })).toBeVisible();
  await stop(round, orderid).getByRole('button', { name: 'Take a payment' }).click();
  await round.getByRole('dialog', { name: 'Take a payment' }).getByRole('button', { name: 'Take ₹143.07' }).click();
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');

  // The screen follows the payments.
  const holder = desk.getByRole('listitem').filter({ hasText: 'Ravi Kumar' }).filter({ hasText: '₹143.07' });
  await holder.getByText('1 change since the last hand-in').click();
  await expect(holder.getByRole('link', { name: `Order ${orderid}` })).toBeVisible();
  await holder.getByRole('button', { name: 'Count' }).click();
  const counting = desk.getByRole('dialog', { name: 'Count the cash' });
  await counting.getByRole('textbox').fill('123.07');
  await counting.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(counting.getByText('₹20 less than was received. Count again.')).toBeVisible();
  await expect(counting.getByRole('button', { name: 'Save all the same' })).toBeVisible();
  await counting.getByRole('textbox').fill('143.07');
  await counting.getByRole('button', { name: 'Save' }).click();
  await expect(desk.getByText('₹143.07 counted of ₹143.07')).toBeVisible();
  const payments = program.db.selectFrom('payments').select(['method', 'amount_paise']).where('order_id', '=', orderid).orderBy('method');
  expect(await payments.execute()).toEqual([
    { method: 'cash', amount_paise: 14_307 },
    { method: 'wallet', amount_paise: 14_307 },
  ]);
  const held = program.db.selectFrom('cash_movements').innerJoin('payments', 'payments.tid', 'cash_movements.payment_tid');
  expect(await held.select('cash_movements.amount_paise').where('order_id', '=', orderid).execute()).toEqual([{ amount_paise: 14_307 }]);

  await page.goto(links.bill(orderid));
  await expect(detail(page, 'Final Amount')).toHaveText('₹286.14');
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
  // An order that was moved sends its messages once the move cannot be undone any more.
  await passTime(90);
  const sent = async () => JSON.stringify(await (await page.request.get('/outbox/orders.json')).json());
  await expect.poll(sent).toContain(`your laundry of order ${orderid} weighs 7.53 kg (pieces: 12) and costs Rs.286.14.`);
  await expect.poll(sent).toContain(`order ${orderid} is delivered.`);

  const after = await readFigures(laptop, day);
  expect(after.map((figure, index) => figure - before[index]!)).toEqual([1, 1, 7530, 28_614, 14_307, 0, 0, 14_307, -14_307]);
  const ledger = await auditLedger(program.db);
  expect(isSound(ledger), JSON.stringify(ledger)).toBe(true);
  for (const context of [phone, tablet, laptopContext]) await context.close();
});
