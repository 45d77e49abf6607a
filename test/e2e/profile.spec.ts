/** The profile. Specification sections 2 and 5; design section 6, "Profile". */
import { axe, expect, fitsWidth, test } from './fixtures.ts';

test('the menu opens the profile, which shows messages next to invalid fields', async ({ page, seen, signedIn }) => {
  const { mobile } = await signedIn({ name: 'Asha Verma' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Hi, Asha Verma' }).click();
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL('/auth/profile');
  for (const text of ['Name', 'Email', 'Mobile', "You can't change your mobile number", 'Update'] as const) await seen('profile', text);
  await expect(page.getByLabel('Mobile')).toHaveValue(mobile);
  await expect(page.getByLabel('Mobile')).not.toBeEditable();
  await axe(page);
  await fitsWidth(page, 320);

  const update = page.getByRole('button', { name: 'Update' });
  await update.click();
  await seen('profile', 'Nothing to updated');

  await page.getByLabel('Name').fill('A');
  await page.getByLabel('Email').fill('x');
  await update.click();
  await seen('profile', 'Invalid name');
  await seen('profile', 'Invalid Email');
  await expect(page.getByLabel('Name')).toBeFocused();
  await axe(page);

  await page.getByLabel('Email').fill('asha@@example');
  await update.click();
  await seen('profile', 'Invalid name');
  await seen('profile', 'Invalid email');
});

test('an invalid e-mail is shown at its field; an accepted one remains after a reload', async ({ page, seen, signedIn }) => {
  await signedIn({ name: 'Asha Verma' });
  await page.goto('/auth/profile');
  const update = page.getByRole('button', { name: 'Update' });
  await page.getByLabel('Name').fill('Asha Iyer');
  await page.getByLabel('Email').fill('nonsense');
  await update.click();
  await seen('profile', 'Invalid email');
  await expect(page.getByLabel('Email')).toBeFocused();

  await page.getByLabel('Email').fill('asha@example.in');
  await update.click();
  await seen('profile', 'Account details are updated');
  // The greeting changes too.
  await expect(page.getByRole('button', { name: 'Hi, Asha Iyer' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Email')).toHaveValue('asha@example.in');
  await expect(page.getByLabel('Name')).toHaveValue('Asha Iyer');
});

test('a new attempt to save dismisses the toast of the one before', async ({ page, signedIn, stopTime }) => {
  await signedIn({ name: 'Asha Verma' });
  await page.goto('/auth/profile');
  // The toasts stay until something dismisses them.
  await stopTime();
  const update = page.getByRole('button', { name: 'Update' });
  await update.click();
  await expect(page.locator('.toast')).toContainText('Nothing to updated');
  await page.getByLabel('Email').fill('x');
  await update.click();
  await expect(page.getByText('Invalid Email')).toBeVisible();
  await expect(page.locator('.toast')).toHaveCount(0);
});

test('sends only changed fields', async ({ page, signedIn }) => {
  await signedIn({ name: 'Asha Verma' });
  await page.goto('/auth/profile');
  await page.getByLabel('Name').fill('Asha Iyer');
  const sent = page.waitForRequest('**/login/updateuserdetails.php');
  await page.getByRole('button', { name: 'Update' }).click();
  expect(Object.keys((await sent).postDataJSON() as object).toSorted()).toEqual(['name', 'token']);
  await expect(page.getByText('Account details are updated')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Update' })).toBeFocused();
});

test('a change that is not saved survives a reload, until it is saved', async ({ page, signedIn }) => {
  await signedIn();
  await page.goto('/auth/profile');
  await page.getByLabel('Name').fill('Meera Nair');
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Meera Nair');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Account details are updated')).toBeVisible();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('unsavedprofile'))).not.toContain('Meera');
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Meera Nair');
});

test('redirects a signed-out visitor to the log-in after three seconds', async ({ page, passTime }) => {
  await page.goto('/auth/profile');
  await expect(page.getByText('Please login first')).toBeVisible();
  await passTime(3);
  await expect(page).toHaveURL('/auth/login');
});

test('logging out on all devices opens home and deletes every session', async ({ page, signedIn, program }) => {
  const { userid } = await signedIn();
  await page.goto('/auth/profile');
  await page.getByRole('button', { name: 'Log out on all devices' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login/Signup' })).toBeVisible();
  await expect(page.getByText('Please login')).toHaveCount(0);
  expect(await program.db.selectFrom('sessions').select('kind').where('customer_id', '=', userid).execute()).toEqual([]);
});

test('asks for the details with the userid as token, once the tab knows it', async ({ page, signedIn }) => {
  const { userid } = await signedIn();
  const tokens: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/login/getuserdetails.php')) tokens.push(request.postDataJSON());
  });
  await page.goto('/auth/wallet');
  await expect(page.getByText('Total Balance')).toBeVisible();
  await page.reload();
  await expect.poll(() => tokens.length).toBeGreaterThan(1);
  expect(tokens.at(-1)).toEqual({ token: userid });
});

test('messages by SMS are switched off one by one, and stay so after a reload', async ({ page, signedIn }) => {
  await signedIn();
  await page.goto('/auth/profile');
  const delivery = page.getByRole('group', { name: 'When your clothes are out for delivery' });
  await expect(delivery.getByRole('radio', { name: 'Send', exact: true })).toBeChecked();
  await delivery.getByText('Do not send').click();
  await expect(page.getByText('Your choice is saved')).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await page.reload();
  await expect(delivery.getByRole('radio', { name: 'Do not send' })).toBeChecked();
  const placed = page.getByRole('group', { name: 'When your order is placed' });
  await expect(placed.getByRole('radio', { name: 'Send', exact: true })).toBeChecked();
});
