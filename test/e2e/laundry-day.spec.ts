/** One order through the hands of a customer, a rider without a connection and an operator. */
import { asPaise } from '../../src/lib/money.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { expect, test, type Page } from './fixtures.ts';
import { detail } from './order-steps.ts';
import { placeOrders } from './ordering.ts';
import { addStaff, logInStaff } from './staff-steps.ts';

const stop = (page: Page, orderid: string) => page.getByRole('article').filter({ has: page.locator(`a[href$="${orderid}"]`) });

test('customer, rider and operator see the same amounts from the pickup to the counted cash', async ({
  page,
  program,
  signedIn,
  newMobile,
  browser,
}) => {
  const customer = await signedIn();
  const credit = { customerId: customer.userid, kind: 'promotion', amountPaise: asPaise(50_000), reason: 'A gift' } as const;
  await creditWallet(program.db, { ...credit, reference: `gift:${customer.userid}`, at: program.clock.now() });
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
  await phone.setOffline(false);
  await expect(detail(page, 'Order Status')).toHaveText('In-Queue');
  await expect(detail(page, 'Weight (kg)')).toHaveText('7.53');
  await expect(detail(page, 'Left to pay')).toHaveText('₹286.14');

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
  const code = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Hand-over code' }) });
  const digits = (await code.getByText(/^\d{4}$/).textContent()) ?? '';
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
  await holder.getByText('1 payment since the last hand-in').click();
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
  await phone.close();
  await tablet.close();
});
