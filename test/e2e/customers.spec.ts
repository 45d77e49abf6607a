/** Customers in the console: look-up, grants, reversals and payouts. Decisions 57, 64 and 123. */
import { transaction } from '../../src/db/database.server.ts';
import { staffError } from '../../src/domains/staff/desk/contract.ts';
import { deleteStoredResponses } from '../../src/domains/staff/store.server.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';
import { expectHindi } from './hindi.ts';
import { placeGuestOrder, placeOrders } from './ordering.ts';
import { addStaff, logInStaff, openConsole, STAFF_PASSWORD } from './staff-steps.ts';

test('an operator opens a customer from an order, and each look-up is in the audit once', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const customer = await signedIn({ name: 'मीरा शर्मा' });
  const [orderid = ''] = await placeOrders(page.request, customer, 6);
  const [operator, rider, guest] = [newMobile(), newMobile(), newMobile()];
  await addStaff(program, 'operator', 'Anita Desai', operator);
  await addStaff(program, 'rider', 'सुनील यादव', rider);
  const lookUps = async () =>
    (await program.db.selectFrom('staff_audit').select('subject_id').where('action', '=', 'look-up-customer').orderBy('id').execute()).map(
      (row) => row.subject_id,
    );
  await program.db.deleteFrom('staff_audit').execute();

  const desk = await newBrowserPage();
  await placeGuestOrder(desk.context().request, guest);
  await desk.goto(staffLinks.order(orderid));
  await logInStaff(desk, operator);
  await desk.getByRole('link', { name: 'Customer', exact: true }).click();
  await expect(desk).toHaveURL(new RegExp(`${staffLinks.customers()}\\?mobile=${customer.mobile}$`));
  await expect(desk.getByRole('heading', { level: 2, name: 'मीरा शर्मा' })).toBeVisible();
  await axe(desk);
  await fitsWidth(desk, 360);
  const orders = desk.getByRole('region', { name: 'Orders' }).getByRole('listitem');
  await expect(orders).toHaveCount(5);
  await desk.getByRole('button', { name: 'Show more' }).click();
  await expect(orders).toHaveCount(6);
  expect(await lookUps()).toEqual([customer.mobile]);

  // Neither typing nor a return to the window looks a customer up.
  await desk.getByLabel('Mobile Number').fill('12345');
  await desk.evaluate(() => window.dispatchEvent(new Event('focus')));
  await desk.getByRole('button', { name: 'Look up' }).click();
  await expect(desk.getByText('Invalid mobile number')).toBeVisible();
  await desk.getByLabel('Mobile Number').fill(`+91 ${guest}`);
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('A guest has no wallet and gets no offers. Both come with an account.')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Give credit or offer' })).toHaveCount(0);
  await axe(desk);
  const unknown = newMobile();
  await desk.goto(staffLinks.customers({ mobile: unknown }));
  await expect(desk.getByText('Nobody has ordered or signed up with this mobile number')).toBeVisible();
  await desk.getByLabel('Mobile Number').fill(operator);
  expect(await lookUps()).toEqual([customer.mobile, guest, unknown]);

  await desk.context().clearCookies({ name: 'staff' });
  await desk.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await desk.goto(staffLinks.customers({ mobile: customer.mobile }));
  await desk.getByLabel('मोबाइल नंबर').fill(operator);
  await desk.getByLabel('पासवर्ड', { exact: true }).fill(STAFF_PASSWORD);
  await desk.getByRole('button', { name: 'लॉगिन करें' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'ग्राहक' })).toBeVisible();
  await expect(desk.getByRole('heading', { level: 2, name: 'मीरा शर्मा' })).toBeVisible();
  await fitsWidth(desk, 360);

  await page.goto(staffLinks.customers({ mobile: customer.mobile }));
  await logInStaff(page, rider);
  await expect(page.getByRole('heading', { level: 1, name: 'Not for your role' })).toBeVisible();
  expect(await lookUps()).toHaveLength(4);
});

test('an operator gives within a limit that the dialog shows, and the owner reverses a credit', async ({
  page,
  program,
  signedIn,
  newMobile,
  passTime,
  expectProblem,
}) => {
  const customer = await signedIn({ name: 'आशा वर्मा' });
  const [operator, owner] = [newMobile(), newMobile()];
  await addStaff(program, 'operator', 'Anita Desai', operator);
  await addStaff(program, 'owner', 'रवि कुमार', owner);
  await page.goto(staffLinks.customers({ mobile: customer.mobile }));
  await logInStaff(page, operator);
  await page.getByRole('button', { name: 'Give credit or offer' }).click();
  const giving = page.getByRole('dialog', { name: 'Give to आशा वर्मा' });
  await expect(giving.getByText(/^You can give customers ₹[\d,]+ more today\. The owner can give more\.$/)).toBeVisible();
  await giving.getByRole('button', { name: 'Give', exact: true }).click();
  await expect(giving.getByText('The amount is ₹0.01 to ₹10,000')).toBeVisible();
  await expect(giving.getByText('Write a reason of 3 to 200 characters')).toBeVisible();
  await expect(giving.getByLabel('Amount')).toBeFocused();
  await axe(page);
  await giving.getByLabel('Amount').fill('9999');
  await giving.getByLabel('Reason').fill('बटन खो गया');
  await giving.getByRole('button', { name: 'Give ₹9,999' }).click();
  await expect(giving.getByRole('alert').filter({ hasText: 'The owner can give more.' })).toBeVisible();
  await expect(giving.getByLabel('Reason')).toHaveValue('बटन खो गया');
  await giving.getByLabel('Amount').fill('150.5');
  // A fresh log-in keeps what was typed.
  await passTime(11 * 60);
  expectProblem(/response 403: POST .*\/staff\/grant/);
  await giving.getByRole('button', { name: 'Give ₹150.50' }).click();
  const again = page.getByRole('dialog', { name: 'Log in again' });
  const logInAgain = async () => {
    await again.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD);
    await again.getByRole('button', { name: 'Log in' }).click();
    await expect(giving).toHaveCount(0);
  };
  await logInAgain();
  const wallet = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Wallet' }) });
  await expect(wallet).toContainText('Compensation');
  await expect(wallet).toContainText('बटन खो गया');
  await expect(wallet.getByText('+₹150.50')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Reverse/ })).toHaveCount(0);

  const giveOffer = async (days = '7') => {
    await page.getByRole('button', { name: 'Give credit or offer' }).click();
    await giving.getByText('Offer', { exact: true }).click();
    await expect(giving.getByText(/^You can give offers up to \d+% for up to 31 days\./)).toBeVisible();
    await giving.getByLabel('Percent').fill('10');
    await giving.getByLabel('Days').fill(days);
    await giving.getByLabel('Reason').fill('जन्मदिन');
    await axe(page);
    await giving.getByRole('button', { name: 'Give', exact: true }).click();
  };
  // The server gives the offer, and its response is lost. The same one, typed again, is given once.
  expectProblem(/request failed: POST .*staff\/grant/);
  await page.route('**/staff/grant', (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await giveOffer();
  await expect(page.getByText(/^We could not reach the server/)).toBeVisible();
  // Nor does a log-in that is given up make two of it.
  await passTime(11 * 60);
  await giving.getByRole('button', { name: 'Give', exact: true }).click();
  await again.getByLabel('Password', { exact: true }).press('Escape');
  await expect(again).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(giving).toHaveCount(0);
  await giveOffer();
  await logInAgain();
  const offers = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Offers' }) });
  await expect(offers.getByText('10% off')).toHaveCount(1);
  await expect(offers.getByText('जन्मदिन')).toBeVisible();
  // Nor does a response that the erasure of another customer deletes.
  expectProblem(/response 400: POST .*staff\/grant/);
  const forget = () => transaction(program.db, deleteStoredResponses);
  await page.route(
    '**/staff/grant',
    (route) =>
      route
        .fetch()
        .then(forget)
        .then(() => route.abort()),
    { times: 1 },
  );
  await giveOffer('8');
  await expect(page.getByText(/^We could not reach the server/)).toBeVisible();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = page.waitForResponse('**/staff/grant');
    await giving.getByRole('button', { name: 'Give', exact: true }).click();
    expect(await (await response).json()).toMatchObject({ code: 'done-before' });
    await expect(giving.getByText(staffError('done-before').message)).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expect(giving).toHaveCount(0);
  await page.reload();
  await expect(offers.getByText('10% off')).toHaveCount(2);
  await expect(page.getByRole('button', { name: /^End offer/ })).toHaveCount(0);

  await page.context().clearCookies({ name: 'staff' });
  await page.reload();
  await logInStaff(page, owner);
  await page.getByRole('button', { name: /^Reverse ₹150\.50/ }).click();
  const reversing = page.getByRole('dialog', { name: 'Reverse ₹150.50?' });
  await reversing.getByLabel('Reason').fill('no');
  await page.keyboard.press('Enter');
  await expect(reversing.getByText('Write a reason of 3 to 200 characters')).toBeVisible();
  await reversing.getByLabel('Reason').fill('दूसरा ग्राहक');
  await axe(page);
  await page.keyboard.press('Enter');
  await expect(reversing).toHaveCount(0);
  await expect(wallet.getByText('Reversed', { exact: true })).toBeVisible();
  await expect(wallet.getByText('-₹150.50')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Reverse/ })).toHaveCount(0);
  await page
    .getByRole('button', { name: /^End offer 10%/ })
    .first()
    .click();
  const ending = page.getByRole('dialog', { name: 'End the offer of 10%?' });
  await ending.getByLabel('Reason').fill('दो बार दिया');
  await axe(page);
  await ending.getByRole('button', { name: 'End offer' }).click();
  await expect(ending).toHaveCount(0);
  await expect(offers.getByText('Ended', { exact: true })).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^End offer/ })).toHaveCount(1);
  await page.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'ग्राहक' })).toBeVisible();
  await page.getByRole('button', { name: /^ऑफ़र ख़त्म करें 10%/ }).click();
  await expectHindi(page, 'the end of an offer');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'पैसे या ऑफ़र दें' }).click();
  await expectHindi(page, 'a customer');
  await fitsWidth(page, 360);
});

test('an owner pays money of a wallet back, and the customer reads it in the wallet', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const customer = await signedIn({ name: 'आशा वर्मा' });
  const credit = (kind: 'change' | 'cashback', paise: number) =>
    creditWallet(program.db, {
      customerId: customer.userid,
      kind,
      amountPaise: asPaise(paise),
      reason: 'रद्द ऑर्डर',
      reference: `test:${customer.userid}:${kind}`,
      at: program.clock.now(),
    });
  await credit('change', 280_50);
  await credit('cashback', 20_00);

  const desk = await newBrowserPage();
  const path = staffLinks.customers({ mobile: customer.mobile });
  const operator = newMobile();
  await openConsole(desk, program, { role: 'operator', mobile: operator, path });
  await expect(desk.getByRole('button', { name: 'Give credit or offer' })).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Pay money back' })).toHaveCount(0);
  await desk.context().clearCookies({ name: 'staff' });
  await openConsole(desk, program, { role: 'owner', mobile: newMobile(), path, name: 'रवि कुमार' });
  await desk.getByRole('button', { name: 'Pay money back' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Pay money back to आशा वर्मा' });
  const submit = dialog.getByRole('button', { name: 'Pay money back' });
  await expect(dialog).toContainText('The wallet has ₹300.50.');
  await expect(dialog).toContainText('Of it, at most ₹20 came from promotions and cashback.');
  await submit.click();
  await expect(dialog.getByText('Enter an amount of at least ₹0.01')).toBeVisible();
  await expect(dialog.getByText('Write a reason of 3 to 200 characters')).toBeVisible();
  await axe(desk);
  await dialog.getByLabel('Amount').fill('300.51');
  await dialog.getByLabel('How and why').fill('UPI 4711, रद्द ऑर्डर');
  await submit.click();
  await expect(dialog.getByText('The wallet has ₹300.50', { exact: true })).toBeVisible();
  await expect(dialog.getByLabel('Amount')).toBeFocused();
  await dialog.getByLabel('Amount').fill('250.50');
  await submit.click();
  const question = dialog.getByRole('group', { name: 'Is this right?' });
  await expect(question).toContainText('₹250.50 leave the wallet of आशा वर्मा. This cannot be undone.');
  await expect(question).toBeFocused();
  // Another amount is asked about again.
  await dialog.getByLabel('Amount').fill('280.50');
  await expect(question).toBeHidden();
  await submit.click();
  await axe(desk);
  await fitsWidth(desk, 360);
  // The response is lost: the same payout, confirmed again, happens once.
  const confirm = dialog.getByRole('button', { name: 'Yes, ₹280.50 are paid back' });
  await desk.route('**/staff/payout', (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await confirm.click();
  await expect(desk.getByText(/^We could not reach the server/)).toBeVisible();
  await confirm.click();
  await expect(dialog).toHaveCount(0);
  const movements = desk.locator('section').filter({ has: desk.getByRole('heading', { name: 'Wallet' }) });
  await expect(movements.getByText('-₹280.50')).toHaveCount(1);
  await expect(movements.getByRole('listitem').first()).toContainText('Paid back');
  await expect(movements.getByRole('listitem').first()).toContainText('UPI 4711, रद्द ऑर्डर');
  await expect(movements.getByText('Reversal', { exact: true })).toHaveCount(0);
  await desk.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await desk.reload();
  await desk.getByRole('button', { name: 'पैसे लौटाएँ' }).click();
  await expectHindi(desk, 'a payout');
  await fitsWidth(desk, 360);

  await page.goto(links.wallet());
  await expect(page.getByRole('main').getByRole('listitem').first()).toHaveText('Paid back to youUPI 4711, रद्द ऑर्डरNov 21, 2026-₹280.50');
  await expect(page.getByRole('main')).toContainText('₹20');
  await axe(page);
  await fitsWidth(page, 320);
  await page.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await page.reload();
  await expect(page.getByText('आपको लौटाया गया')).toBeVisible();
});
