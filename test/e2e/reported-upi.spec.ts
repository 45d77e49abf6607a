/** A UPI payment that the customer reported as paid, at the door and at the bank. Decision 77. */
import { transaction } from '../../src/db/database.server.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { moveOrder } from '../../src/domains/orders/service.server.ts';
import { reportPaid, startPayment } from '../../src/domains/payments/contract.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, fitsLargeText, fitsWidth, sendCall, test } from './fixtures.ts';
import { confirmUpiPayment, detail } from './order-steps.ts';
import { placeOrderAt } from './ordering.ts';
import { openConsole } from './staff-steps.ts';

test('the rider is asked before cash, and the owner puts the second payment into the wallet', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const { userid, ...customer } = await signedIn();
  const orderid = await placeOrderAt({ page, program }, { userid, ...customer }, 'delivery');
  const desk = await newBrowserPage();
  await openConsole(desk, program, { role: 'rider', mobile: newMobile(), path: staffLinks.order(orderid), name: 'Suresh Yadav' });
  await desk.getByRole('button', { name: 'Take a payment' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Take a payment' });
  await expect(dialog.getByRole('button', { name: 'Take ₹286.14' })).toBeVisible();

  // The customer pays by UPI while the form is open.
  await page.goto(links.order(orderid));
  await page.getByRole('button', { name: 'Pay ₹286.14 by UPI' }).click();
  await confirmUpiPayment(page);
  await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
  await expect(dialog).toContainText('The customer says that ₹286.14 are paid by UPI');
  await axe(desk);
  await fitsWidth(desk, 360);
  // The second tap does not answer the question.
  await dialog.getByRole('button', { name: 'Take ₹286.14' }).dblclick();
  const question = dialog.getByRole('group', { name: 'Is this right?' });
  await expect(question).toContainText('With this payment it would be paid twice.');
  await expect(question).toBeFocused();
  await expect(question).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Take ₹286.14 all the same' })).toBeInViewport({ ratio: 1 });
  await axe(desk);
  await dialog.getByRole('button', { name: 'Take ₹286.14 all the same' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(detail(desk, 'Left to pay')).toHaveText('₹0');
  await expect(desk.getByText('UPI to compare', { exact: true })).toBeVisible();
  await expect(desk.getByText('Nothing is left to pay on this order. Only the statement remains to be compared.')).toBeVisible();
  await expect(desk.getByText(/^Only an owner sees the bank's statement/)).toBeVisible();
  await expect(desk.getByRole('button', { name: /did not arrive|note ₹/ })).toHaveCount(0);
  await axe(desk);
  await desk.goto(staffLinks.today());
  const line = desk.getByRole('listitem').filter({ hasText: orderid }).first();
  await expect(line).toContainText('UPI to compare');
  await expect(line).not.toContainText('Says: paid by UPI');
  await page.goto(links.order(orderid));
  await expect(page.getByText('Your order is paid without it. If it arrives as well, we put it into your wallet.')).toBeVisible();
  await fitsLargeText(page);
  await page.getByRole('link', { name: 'See how it stands' }).click();
  await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
  await expect(page.getByText('Your order is paid without it. If it arrives as well, we put it into your wallet.')).toBeVisible();

  const result = page.url();
  await openConsole(page, program, { role: 'owner', mobile: newMobile(), path: staffLinks.today() });
  await page.getByRole('link', { name: /UPI payments? to compare with the bank$/ }).click();
  const waiting = page
    .getByRole('region', { name: 'Begun by customers, not noted yet' })
    .getByRole('listitem')
    .filter({ hasText: orderid });
  await expect(waiting).toContainText('₹286.14 more than is due: it goes to the wallet of the customer.');
  await axe(page);
  await fitsWidth(page, 360);
  await waiting.getByRole('button', { name: 'The statement has it: note ₹286.14' }).click();
  await expect(waiting).toHaveCount(0);
  await page.goto(result);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await expect(page.getByText('Our rider took cash for this order, too')).toBeVisible();
  await expect(page.getByText('₹286.14 of what you paid went into your wallet.')).toBeVisible();
});

test('before cash, the rider is asked about an online payment that is not confirmed', async ({ page, program, signedIn, newMobile }) => {
  const customer = await signedIn();
  const orderid = await placeOrderAt({ page, program }, customer, 'delivery');
  await sendCall(page.request, startPayment, { userid: customer.userid, orderid, method: 'gateway', amount: asPaise(28_614) });
  await openConsole(page, program, { role: 'rider', mobile: newMobile(), path: staffLinks.order(orderid), name: 'Suresh Yadav' });
  const unconfirmed = 'An online payment of ₹286.14 is not confirmed yet';
  await expect(page.getByText(unconfirmed)).toBeVisible();
  await page.goto(staffLinks.round());
  await page
    .getByRole('article')
    .filter({ has: page.locator(`a[href$="${orderid}"]`) })
    .getByRole('button', { name: 'Take a payment' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Take a payment' });
  await expect(dialog).toContainText(unconfirmed);
  await dialog.getByRole('button', { name: 'Take ₹286.14' }).click();
  await expect(dialog.getByRole('group', { name: 'Is this right?' })).toContainText('₹286.14 may still arrive online.');
  await axe(page);
  await fitsWidth(page, 360);
  await dialog.getByRole('button', { name: 'Take ₹286.14 all the same' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(staffLinks.order(orderid));
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
  await expect(page.getByText(unconfirmed)).toHaveCount(0);
});

test('the customer reads that a payment did not arrive, and pays again; later it arrives after all', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const customer = await signedIn();
  const { userid } = customer;
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  const begun = await sendCall(page.request, startPayment, { userid, orderid, method: 'upi', amount: asPaise(28_614) });
  await sendCall(page.request, reportPaid, { userid, orderid, tid: begun.tid });

  await openConsole(page, program, { role: 'owner', mobile: newMobile(), path: staffLinks.order(orderid) });
  await page.getByRole('button', { name: 'It did not arrive' }).click();
  const dialog = page.getByRole('dialog', { name: '₹286.14 did not arrive' });
  await dialog.getByRole('button', { name: 'It did not arrive' }).click();
  await expect(dialog).toContainText('Enter the reason');
  await dialog.getByLabel('Reason (the customer reads it)').fill('Not on the statement of Monday');
  await axe(page);
  await dialog.getByRole('button', { name: 'It did not arrive' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'It arrived after all: note ₹286.14' })).toBeVisible();
  await axe(page);

  await page.goto(links.order(orderid));
  const payment = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Payment', exact: true }) });
  await expect(payment).toContainText('Your UPI payment of ₹286.14 did not arrive');
  await expect(payment).toContainText('Not on the statement of Monday');
  await expect(page.getByText('Your UPI payment of ₹286.14 did not arrive: Not on the statement of Monday')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay ₹286.14 by UPI' })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByRole('button', { name: 'Pay ₹286.14 by UPI' }).click();
  await confirmUpiPayment(page);
  await expect(page.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
  const { reference } = await program.db
    .selectFrom('payments')
    .select('reference')
    .where('order_id', '=', orderid)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  const result = page.url();
  await page.goto(staffLinks.upi());
  const waiting = page.getByRole('listitem').filter({ hasText: reference });
  await waiting.getByRole('button', { name: 'It did not arrive' }).click();
  await page.getByLabel('Reason (the customer reads it)').fill('Not there, either');
  await page.getByRole('dialog').getByRole('button', { name: 'It did not arrive' }).click();
  await expect(waiting).toHaveCount(0);
  await page.goto(result);
  await expect(page.getByRole('heading', { name: 'This payment did not arrive' })).toBeVisible();
  await expect(page.getByText('Not there, either')).toBeVisible();
  await axe(page);

  await page.goto(staffLinks.order(orderid));
  await page.getByRole('button', { name: 'It arrived after all: note ₹286.14' }).click();
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
  await page.goto(result);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});

test('a reported payment replaces an older failure; a newer one offers no other payment, on its result page neither', async ({
  page,
  program,
  signedIn,
  passTime,
}) => {
  const customer = await signedIn();
  const { userid } = customer;
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  const begin = (method: 'gateway' | 'upi') => sendCall(page.request, startPayment, { userid, orderid, method, amount: asPaise(28_614) });
  const fail = async () => {
    const { tid } = await begin('gateway');
    await program.db.updateTable('payments').set({ state: 'failed', settled_at: program.clock.now() }).where('tid', '=', tid).execute();
  };
  await fail();
  await page.goto(links.order(orderid));
  const failed = page.getByText(/^Your online payment of ₹286.14 .* was not completed$/);
  await expect(failed).toBeVisible();
  await expect(page.getByText(/^You can pay again\./)).toBeVisible();
  await expect(page.getByText(/^If you pay too much, .* the money goes to the wallet of your mobile number\./)).toBeVisible();
  const { tid } = await begin('upi');
  await sendCall(page.request, reportPaid, { userid, orderid, tid });
  await expect(page.getByText(/You need not pay again\.$/)).toBeVisible();
  await expect(failed).toHaveCount(0);
  await fitsWidth(page, 320);
  await passTime(60);
  await page.getByRole('button', { name: 'Pay anyway' }).click();
  await page.getByRole('button', { name: 'Pay ₹286.14 online' }).click();
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('heading', { name: 'This payment failed' })).toBeVisible();
  await expect(page.getByText(/You need not pay again\.$/)).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/still to be paid|Pay again/);
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByRole('link', { name: 'See your order' }).click();
  await expect(failed).toBeVisible();
  await expect(page.getByText(/^You can pay again\./)).toHaveCount(0);
  await axe(page);
});

test('list and home offer no other payment while a reported one is checked, and its bill says nothing about it', async ({
  page,
  program,
  signedIn,
}) => {
  const customer = await signedIn();
  const { userid } = customer;
  const orderid = await placeOrderAt({ page, program }, customer, 'queue');
  const amount = asPaise(28_614);
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: orderid });
  await page.goto(links.orders());
  await expect(card.getByRole('link', { name: 'Pay with Dhulai wallet' })).toBeVisible();
  const begun = await sendCall(page.request, startPayment, { userid, orderid, method: 'upi', amount });
  await sendCall(page.request, reportPaid, { userid, orderid, tid: begun.tid });
  for (const path of [links.orders(), links.home()]) {
    await page.goto(path);
    await expect(card).toContainText('Paid by UPI, being checked');
    await expect(card.getByRole('link', { name: /^Pay/ })).toHaveCount(0);
  }
  await axe(page);
  const cash = { orderid, method: 'cash', amountPaise: amount, note: 'at the door', mayOverpay: true } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  for (const stage of ['washing', 'delivery', 'delivered'] as const) {
    await moveOrder(program.db, orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });
  }
  await page.goto(links.bill(orderid));
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
  await expect(page.getByRole('main')).not.toContainText('you said that you have paid');
});

test('a slip in the amount is refused at the field, and much more than is due is asked about', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const customer = await signedIn();
  const orderid = await placeOrderAt({ page, program }, customer, 'delivery');
  await openConsole(page, program, { role: 'owner', mobile: newMobile(), path: staffLinks.order(orderid) });
  await page.getByRole('button', { name: 'Take a payment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a payment' });
  const amount = dialog.getByLabel('Amount');
  await amount.fill('28,6');
  await dialog.getByRole('button', { name: 'Take a payment' }).click();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await expect(amount).toHaveAccessibleDescription(/^A comma only separates thousands/);
  await axe(page);
  await amount.fill('2,861.40');
  await dialog.getByRole('button', { name: 'Take ₹2,861.40', exact: true }).click();
  await expect(dialog).toContainText('Only ₹286.14 is due: look at the amount again.');
  await expect(dialog).toContainText('₹2,575.26 more than is due: it goes to the wallet of the customer.');
  await axe(page);
  // Another amount is another question.
  await amount.fill('300');
  await dialog.getByRole('button', { name: 'Take ₹300', exact: true }).click();
  await expect(dialog).toContainText('₹13.86 more than is due: it goes to the wallet of the customer.');
  await dialog.getByRole('button', { name: 'Take ₹300 all the same' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(detail(page, 'Left to pay')).toHaveText('₹0');
});
