/** The console of the staff: log-in, people, one-time link, audit, roles and languages. */
import type { Page } from '@playwright/test';
import { transaction } from '../../src/db/database.server.ts';
import { STAFF_CALLS } from '../../src/domains/staff/desk/contract.ts';
import { changePerson } from '../../src/domains/staff/service.server.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';
import { expectHindi } from './hindi.ts';
import { detail } from './order-steps.ts';
import { placeOrders } from './ordering.ts';
import { addStaff, logInStaff as logIn, openConsole, STAFF_PASSWORD as PASSWORD } from './staff-steps.ts';

/** The texts of the shell and of these screens, as an owner reads them. */
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('an owner adds a person, who sets a password by the link and sees no owner’s screen', async ({
  page,
  program,
  newMobile,
  newBrowserPage,
}) => {
  const [owner, rider] = [newMobile(), newMobile()];
  // People of other tests are in the list, too.
  await addStaff(program, 'owner', 'Kavita Joshi', owner);
  await page.goto('/staff/people');
  await expect(heading(page, 'Log in')).toBeVisible();
  await axe(page);
  await logIn(page, owner, 'not the password');
  await expect(page.getByText('Wrong mobile number or password')).toBeVisible();
  await logIn(page, owner);
  await expect(heading(page, 'People')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Kavita Joshi' })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 360, 1440);

  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Enter a name of at least 2 letters')).toBeVisible();
  await dialog.getByLabel('Name').fill('Mohan Lal');
  await dialog.getByLabel('Mobile Number').fill(rider);
  await axe(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const link = await dialog.getByLabel('Link').inputValue();
  await axe(page);
  await page.keyboard.press('Escape');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Mohan Lal' }) });
  await expect(card.getByText('No password yet')).toBeVisible();

  const phone = await newBrowserPage();
  await phone.goto(link);
  await expect(heading(phone, 'Set your password')).toBeVisible();
  await phone.getByLabel('New password').fill('short');
  await phone.getByRole('button', { name: 'Set password' }).click();
  await expect(phone.getByText('Use at least 10 characters')).toBeVisible();
  await phone.getByLabel('New password').fill(PASSWORD);
  await axe(phone);
  await phone.getByRole('button', { name: 'Set password' }).click();
  await expect(phone.getByText('Your password is set')).toBeVisible();
  expect(new URL(phone.url()).hash).toBe('');
  const again = await phone.context().newPage();
  await again.goto(link);
  await expect(again.getByText('This link has expired or was used before.')).toBeVisible();
  await expect(again.getByLabel('New password')).toHaveCount(0);
  await again.close();
  await phone.getByRole('link', { name: 'Log in' }).click();
  await logIn(phone, rider);
  // A rider starts on the round, unless a link led elsewhere.
  await expect(heading(phone, 'Round')).toBeVisible();
  await expect(phone).toHaveURL('/staff/round');
  await phone.getByRole('link', { name: 'Today', exact: true }).click();
  await expect(heading(phone, 'Hi, Mohan Lal')).toBeVisible();
  await expect(phone.getByRole('link', { name: 'People' })).toHaveCount(0);
  await phone.goto('/staff/people');
  await expect(heading(phone, 'Not for your role')).toBeVisible();
  await axe(phone);

  await page.reload();
  await card.getByRole('button', { name: 'New password link' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('An earlier link of Mohan Lal stops working at once.');
  await expect(question).toContainText('every device is logged out, and the passkeys are removed.');
  await axe(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  const linkHash = program.db.selectFrom('staff_members').select('link_hash').where('mobile', '=', rider);
  expect(await linkHash.executeTakeFirst()).toEqual({ link_hash: null });
  await card.getByRole('button', { name: 'New password link' }).click();
  await question.getByRole('button', { name: 'New password link' }).click();
  await expect(dialog.getByLabel('Link')).not.toHaveValue(link);
  await page.keyboard.press('Escape');

  await card.getByRole('button', { name: 'Remove' }).click();
  await expect(question.getByText('Mohan Lal is logged out on every device at once')).toBeVisible();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(card).toHaveCount(0);
  await phone.reload();
  await expect(heading(phone, 'Log in')).toBeVisible();

  // The bar has the first four screens, and the menu the others.
  await page.getByRole('button', { name: 'Kavita Joshi', exact: true }).click();
  await page.getByRole('link', { name: 'Audit' }).click();
  await expect(page.getByRole('heading', { name: 'Removed a person' })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 360);
  await page.getByLabel('Kind of change').selectOption('Added a person');
  await expect(page).toHaveURL(/\?action=add-person$/);
  await expect(page.getByRole('heading', { name: 'Removed a person' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Added a person' }).first()).toBeVisible();
});

test('a change that needs a fresh log-in asks for it and keeps what was typed', async ({
  page,
  program,
  newMobile,
  passTime,
  expectProblem,
}) => {
  const [owner, operator] = [newMobile(), newMobile()];
  await openConsole(page, program, { role: 'owner', mobile: owner, path: '/staff/people' });
  await page.getByRole('button', { name: 'Add a person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a person' });
  await dialog.getByLabel('Name').fill('Kiran Bedi');
  await dialog.getByLabel('Mobile Number').fill(operator);
  await dialog.getByLabel('Role').selectOption('Operator');
  await passTime(11 * 60);
  expectProblem(/response 403: POST .*\/staff\/setperson/);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const again = page.getByRole('dialog', { name: 'Log in again' });
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await again.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('dialog', { name: 'Link to set a password' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Kiran Bedi' })).toBeVisible();
});

test('a log-out in one tab empties the others', async ({ page, program, newMobile, context }) => {
  await openConsole(page, program, { role: 'operator', mobile: newMobile(), path: '/staff/customers' });
  await expect(heading(page, 'Customers')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/staff');
  await other.getByRole('button', { name: 'Anita Desai', exact: true }).click();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(heading(other, 'Log in')).toBeVisible();
  await expect(heading(page, 'Log in')).toBeVisible();
});

test('a removal replaces the open pages of the person with the log-in, on every screen', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const customer = await signedIn();
  await placeOrders(page.request, customer, 1);
  const operator = newMobile();
  const { personid } = await addStaff(program, 'operator', 'Anita Desai', operator);
  const remove = (id: string) =>
    transaction(program.db, (tx) => changePerson(tx, null, { action: 'remove', personid: id }, program.clock.now()));
  await page.goto(staffLinks.customers({ mobile: customer.mobile }));
  await logIn(page, operator);
  await expect(page.getByText('Meera Nair').first()).toBeVisible();
  await remove(personid);
  await expect(heading(page, 'Log in')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Meera Nair')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const phone = await newBrowserPage();
  const { personid: riderid } = await openConsole(phone, program, {
    role: 'rider',
    mobile: newMobile(),
    path: staffLinks.round(),
    name: 'Ravi Kumar',
  });
  await expect(phone.getByText('Meera Nair').first()).toBeVisible();
  await remove(riderid);
  await expect(heading(phone, 'Log in')).toBeVisible({ timeout: 30_000 });
  await expect(phone.getByText('An owner has removed you from the staff')).toBeVisible();
  await expect(phone.getByText('Meera Nair')).toHaveCount(0);
  await expect(phone.getByRole('dialog')).toHaveCount(0);
});

test('another role ends the open pages of the person, who keeps unsent entries, and the owner reads that before', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  const [owner, rider] = [newMobile(), newMobile()];
  await addStaff(program, 'owner', 'Kavita Joshi', owner);
  const phone = await newBrowserPage();
  await openConsole(phone, program, { role: 'rider', mobile: rider, path: staffLinks.round(), name: 'Ravi Kumar of the role' });
  await expect(phone.getByText('Meera Nair').first()).toBeVisible();
  const other = await phone.context().newPage();
  await other.goto(staffLinks.today());
  await expect(heading(other, 'Hi, Ravi Kumar of the role')).toBeVisible();
  await phone.context().setOffline(true);
  const stop = phone.getByRole('article').filter({ has: phone.locator(`#stop-${orderid}`) });
  await stop.getByRole('button', { name: 'Failed visit' }).click();
  const visit = phone.getByRole('dialog', { name: 'Failed visit' });
  await visit.getByLabel('What happened?').selectOption('Nobody was home');
  await visit.getByRole('button', { name: 'Save' }).click();
  await expect(visit).toHaveCount(0);

  await page.goto(staffLinks.people());
  await logIn(page, owner);
  await page.getByRole('button', { name: 'Edit Ravi Kumar of the role' }).click();
  const person = page.getByRole('dialog', { name: 'Change a person' });
  await expect(person.getByText(/is logged out/)).toHaveCount(0);
  await person.getByLabel('Role').selectOption('Operator');
  await expect(person).toContainText('With another role, Ravi Kumar of the role is logged out on every device and has to log in again.');
  await person.getByRole('button', { name: 'Save' }).click();
  await expect(person).toHaveCount(0);

  await phone.context().setOffline(false);
  for (const open of [phone, other]) {
    await expect(heading(open, 'Log in')).toBeVisible({ timeout: 30_000 });
    await expect(open.getByText('You were logged out. Log in to go on.')).toBeVisible();
    await expect(open.getByText('Meera Nair')).toHaveCount(0);
    await expect(open.getByRole('dialog')).toHaveCount(0);
  }
  await logIn(phone, rider);
  await expect(phone.getByText('Meera Nair').first()).toBeVisible();
  // The entry is still on the phone. Its time is that of this machine, and not that of the program.
  await expect(phone.getByText('Meera Nair: Failed visit · Nobody was home')).toBeVisible();
});

test('the console has the language of the cookie of the site', async ({ page, program, newMobile, context, baseURL }) => {
  const owner = newMobile();
  await addStaff(program, 'owner', 'अनीता', owner);
  await context.addCookies([{ name: 'lang', value: 'hi', url: baseURL! }]);
  await page.goto('/staff/people');
  await expectHindi(page, 'log-in');
  await page.getByLabel('मोबाइल नंबर').fill(owner);
  await page.getByLabel('पासवर्ड', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'लॉगिन करें' }).click();
  await expect(heading(page, 'लोग')).toBeVisible();
  await program.db.deleteFrom('staff_audit').execute();
  await page.goto('/staff/audit');
  await expect(heading(page, 'रिकॉर्ड')).toBeVisible();
  await fitsWidth(page, 360);
});

test('a customer’s page loads no file of the console, and the console none of the site’s script', async ({ page, signedIn }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.goto(links.login(), { waitUntil: 'networkidle' });
  // The stream of an order never ends, and begins last.
  const stream = page.waitForRequest('**/orders/events?*');
  await page.goto(links.order(orderid));
  await stream;
  await expect(detail(page, 'Order Status')).toHaveText('Pickup Pending');
  expect(loaded.filter((path) => path.startsWith('/staff'))).toEqual([]);
  // The body of a response is lost when its page is left: read again.
  const texts = await Promise.all([...scripts].map(async (url) => (await page.request.get(url)).text()));
  expect(texts.length).toBeGreaterThan(10);
  expect(Object.keys(STAFF_CALLS).filter((path) => texts.some((text) => text.includes(path)))).toEqual([]);
  loaded.splice(0);
  await page.goto('/staff', { waitUntil: 'networkidle' });
  expect(loaded.filter((path) => path.startsWith('/assets/'))).toEqual([]);
});

test('a passkey is the second factor of a log-in', async ({ page, program, newMobile }) => {
  const owner = newMobile();
  await addStaff(program, 'owner', 'Anita Desai', owner);
  // A passkey belongs to a host name, never to an address.
  const console = program.url.replace('127.0.0.1', 'localhost');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
  await page.goto(`${console}/staff/account`);
  await logIn(page, owner);
  await expect(heading(page, 'Your account')).toBeVisible();
  await axe(page);
  await fitsWidth(page, 360, 1440);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('The passkey is added')).toBeVisible();
  const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toHaveLength(1);

  await page.getByRole('button', { name: 'Anita Desai' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await logIn(page, owner);
  const use = page.getByRole('button', { name: 'Use the passkey' });
  await expect(use).toBeFocused();
  await axe(page);
  // The password alone opens no session.
  await page.reload();
  await expect(heading(page, 'Log in')).toBeVisible();

  // Without the authenticator the browser has nothing to sign with.
  await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await logIn(page, owner);
  await devTools.send('WebAuthn.clearCredentials', { authenticatorId });
  await use.click();
  await expect(page.getByText('The passkey was not used.')).toBeVisible();
  await devTools.send('WebAuthn.addCredential', { authenticatorId, credential: credentials[0]! });
  const confirmed = page.waitForRequest(/\/staff\/passkeylogin$/);
  await use.click();
  await expect(heading(page, 'Your account')).toBeVisible();

  // A recorded confirmation is worth nothing: its challenge was used.
  const replayed = await page.request.post(`${console}/staff/passkeylogin`, {
    data: (await confirmed).postDataJSON() as object,
    headers: { cookie: '' },
  });
  expect(await replayed.json()).toMatchObject({ response: 'error', code: 'not-logged-in' });
});
