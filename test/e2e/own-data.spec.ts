/** A customer gets a copy of the stored data and deletes the account. docs/decisions/0075. */
import { readFileSync } from 'node:fs';
import { transaction } from '../../src/db/database.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { cancelOrder } from '../../src/domains/orders/contract.ts';
import { moveOrder } from '../../src/domains/orders/service.server.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { links } from '../../src/shared/links.ts';
import { home, moveOutForDelivery } from '../support/ordering.ts';
import { unzip } from '../support/unzip.ts';
import { newestCode } from './codes.ts';
import { axe, expect, fitsWidth, sendCall, test, type Page } from './fixtures.ts';
import { placeOrders } from './ordering.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

async function enterCode(page: Page, mobile: string) {
  await press(page, 'Send the code');
  await expect(page.getByLabel('OTP')).toBeFocused();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
}

test('a customer saves a copy of the data, and deletes the account', async ({ page, context, program, signedIn, passTime }) => {
  const customer = await signedIn({ name: 'Asha Verma' });
  const { userid, mobile } = customer;
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  const bonus = { kind: 'promotion', amountPaise: asPaise(7000), reason: 'A test', reference: `own-data:${userid}` } as const;
  await creditWallet(program.db, { ...bonus, customerId: userid, at: program.clock.now() });

  await page.goto(links.profile());
  await page.getByRole('link', { name: 'Get a copy of your data' }).click();
  await expect(page).toHaveURL(links.dataCopy());
  await expect(page.getByRole('button', { name: 'Send the code' })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await enterCode(page, mobile);
  const save = page.getByRole('link', { name: 'Save the file' });
  await expect(save).toBeFocused();
  await axe(page);
  const downloaded = page.waitForEvent('download');
  await save.click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzip(readFileSync(await file.path()));
  expect(JSON.parse(files.get('my-data.json')?.toString() ?? '')).toMatchObject({
    customer: { id: userid, mobile },
    addresses: [{ address1: home.address1 }],
    orders: [{ id: orderid }],
  });
  // The code is used up: the link leads to the page, which offers another one.
  await save.click();
  await expect(page.getByRole('button', { name: 'Send the code' })).toBeVisible();

  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await page.getByRole('link', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(links.deleteAccount());
  const underWay = page.getByText(
    'You have orders under way, or clothes that we still have to bring back. Wait until you have them, or cancel an order before its pickup.',
  );
  await expect(underWay).toBeVisible();
  await expect(page.getByText('Our backups contain your data for at most 30 more days. Then they are deleted, too.')).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByRole('link', { name: `Order ${orderid}` }).click();
  await expect(page).toHaveURL(links.order(orderid));
  // The copy of the order for times without a connection.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(orderid);
  await sendCall(page.request, cancelOrder, { userid, orderid });

  await page.goto(links.deleteAccount());
  await press(page, 'Send the code');
  const lossError = page.getByText('You would lose ₹70. Spend it first, or tick: I give it up');
  await expect(lossError).toBeVisible();
  await expect(page.getByText(/^To have it paid back, call us:/).getByRole('link')).toHaveAttribute('href', /^tel:\+?\d+$/);
  const tick = page.getByRole('checkbox', { name: 'I give up ₹70' });
  await expect(tick).toBeFocused();
  await axe(page);
  await fitsWidth(page, 320);
  await tick.check();
  await expect(lossError).toBeHidden();
  await passTime(31);
  await enterCode(page, mobile);
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await expect(dialog).toBeVisible();
  await axe(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  const other = await context.newPage();
  // The deletion ends the session, which would refuse a request that is on its way.
  const ownReviews = other.waitForResponse('**/reviews/getownreviews');
  await other.goto(links.reviews());
  await ownReviews;
  await other.evaluate(() => sessionStorage.setItem('address', 'Flat 12'));
  await press(page, 'Delete my account');
  await press(page, 'Delete for good');
  await expect(page).toHaveURL(links.home());
  await expect(page.getByText('Your account is deleted')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login/Signup' })).toBeVisible();
  await expect(other).toHaveURL(links.home());
  for (const tab of [page, other]) {
    const stored = await tab.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    for (const text of ['Flat 12', 'Asha', mobile, orderid, 'signed_in']) expect(stored).not.toContain(text);
  }
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('session');
  const row = program.db.selectFrom('customers').select(['name', 'password_hash']).where('id', '=', userid);
  expect(await row.executeTakeFirst()).toEqual({ name: null, password_hash: null });
});

test('the change of a guest order with the number is shown after the code, and can be given up', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await program.db
    .updateTable('orders')
    .set({ guest_session_hash: Buffer.alloc(32, 1) })
    .where('id', '=', orderid)
    .execute();
  await moveOutForDelivery(program, orderid);
  const cash = { orderid, method: 'cash', amountPaise: asPaise(50_000), mayOverpay: true } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });

  await page.goto(links.deleteAccount());
  await enterCode(page, customer.mobile);
  await press(page, 'Delete for good');
  await expect(page.getByText(/^You would lose ₹[\d.]+\. Spend it first, or tick: I give it up$/)).toBeVisible();
  await page.getByRole('checkbox', { name: /^I give up ₹/ }).check();
  await axe(page);
  await press(page, 'Delete my account');
  await press(page, 'Delete for good');
  await expect(page.getByText('Your account is deleted')).toBeVisible();
});
