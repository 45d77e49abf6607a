/** Sign-up, verification and log-in. Specification sections 2, 4, 5 and 8. */
import { getAddresses } from '../../src/domains/addresses/contract.ts';
import { getOffers } from '../../src/domains/offers/contract.ts';
import { getOrders } from '../../src/domains/orders/contract.ts';
import { addSeconds } from '../../src/lib/clock.ts';
import { newestCode, wrongCode } from './codes.ts';
import { signIn } from './sign-up.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';

const fill = async (page: Page, who: { name?: string; mobile?: string; password?: string; referral?: string }) => {
  if (who.name !== undefined) await page.getByLabel('Name').fill(who.name);
  if (who.mobile !== undefined) await page.getByLabel('Mobile').fill(who.mobile);
  if (who.password !== undefined) await page.getByLabel('Password', { exact: true }).fill(who.password);
  if (who.referral !== undefined) await page.getByLabel('Referral Code').fill(who.referral);
};

test('a visitor signs up with a code and is signed in on home', async ({ page, seen, newMobile, program }) => {
  const mobile = newMobile();
  await page.goto('/auth/signup');
  for (const text of ['Name', 'Mobile', 'Password', 'Sign up', 'Already have account?'] as const) await seen('sign-up', text);
  const consent = page.getByText('By signing up you agree');
  await expect(consent.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy');
  const text = await consent.textContent();
  await axe(page);
  await fitsWidth(page, 320);
  await fill(page, { name: 'Asha Verma', mobile: `+91 ${mobile}`, password: 'six chars' });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await seen('sign-up', 'SMS sent successfully on +91{mobile}', { values: { mobile } });
  await expect(page).toHaveURL('/auth/verification');
  await seen('verification', 'Validate ({attempts} Attempts)', { values: { attempts: 3 } });
  await seen('verification', 'Cancel');
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Hi, Asha Verma' })).toBeVisible();
  const consents = program.db.selectFrom('consents').innerJoin('customers', 'customers.id', 'customer_id').where('mobile', '=', mobile);
  expect(await consents.select(['purpose', 'text', 'is_shown']).execute()).toEqual([{ purpose: 'account', text, is_shown: true }]);
  const userdata = await page.evaluate(() => JSON.parse(sessionStorage.getItem('userdata') ?? '{}') as Record<string, unknown>);
  expect(Object.keys(userdata).toSorted()).toEqual(['email', 'loggedin', 'mobile', 'name', 'userid', 'wallet']);
  expect(userdata).toMatchObject({ loggedin: true, name: 'Asha Verma', email: '', mobile, wallet: 0 });
});

test('the sign-up form shows messages next to invalid fields and sends nothing', async ({ page, seen }) => {
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
  await page.goto('/auth/signup');
  await fill(page, { name: 'A', mobile: '98765', password: 'short' });
  await page.getByRole('button', { name: 'Sign up' }).click();
  for (const text of ['Invalid name', 'Mobile number should be of 10 digits', 'Password must be of atleast 6 characters'] as const)
    await seen('sign-up', text);
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('short');
  await axe(page);
  expect(calls).toEqual([]);
});

test('a number that no Indian mobile begins with gets a hint, and signs up all the same', async ({ page }) => {
  await page.goto('/auth/signup');
  const mobile = page.getByLabel('Mobile', { exact: true });
  const hint = page.getByText('Indian mobile numbers begin with 6, 7, 8 or 9. Please check.');
  await mobile.fill('123456789');
  await expect(hint).toHaveCount(0);
  await mobile.fill('1234567890');
  await expect(hint).toBeVisible();
  await expect(mobile).not.toHaveAttribute('aria-invalid');
  await axe(page);
  await page.getByLabel('Name', { exact: true }).fill('Asha');
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/auth/verification');
});

test('shows the message for a mobile with an account', async ({ page, seen, signedIn, context }) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await page.goto('/auth/signup');
  await fill(page, { name: 'Asha', mobile, password: 'six chars' });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await seen('sign-up', 'User already exists, forgot password?');
  await axe(page);
  await page.getByRole('link', { name: 'forgot password?' }).click();
  await expect(page).toHaveURL('/auth/forgotpassword');
});

/** The first press shows that the referral is unknown, the second one continues without it. */
async function signUpWithUnknownReferral(page: Page) {
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('We do not know this referral')).toBeVisible();
  await expect(page.getByLabel('Referral Code')).toBeFocused();
  await page.getByRole('button', { name: 'Sign up' }).click();
}

test('the form keeps what was typed over a reload, without the password', async ({ page, newMobile }) => {
  const mobile = newMobile();
  await page.goto('/auth/signup');
  await fill(page, { name: 'Asha Verma', mobile, password: 'six chars', referral: 'XOBYRDNUAL' });
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('six chars');
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Asha Verma');
  await expect(page.getByLabel('Mobile')).toHaveValue(mobile);
  await expect(page.getByLabel('Referral Code')).toHaveValue('XOBYRDNUAL');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
});

test('Back from the code keeps name, mobile and referral, so that a wrong number can be corrected', async ({ page, newMobile }) => {
  const mobile = newMobile();
  await page.goto('/auth/signup');
  await fill(page, { name: 'Asha Verma', mobile, password: 'six chars', referral: 'XOBYRDNUAL' });
  await signUpWithUnknownReferral(page);
  await expect(page).toHaveURL('/auth/verification');
  await page.goBack();
  await expect(page.getByLabel('Name')).toHaveValue('Asha Verma');
  await expect(page.getByLabel('Mobile')).toHaveValue(mobile);
  await expect(page.getByLabel('Referral Code')).toHaveValue('XOBYRDNUAL');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
});

test('shows the message for an invalid referral code, and allows the sign-up', async ({ page, newMobile }) => {
  const slip = page.getByText('This is not a referral code, link or mobile. You can sign up without one.');
  await page.goto('/auth/signup');
  for (const [referral, isMisread] of [
    ['XOBYRDNUAX0', true],
    ['xobyrdnual', false],
    ['', false],
    ['+91 98765 00011', false],
    ['my friend', true],
  ] as const) {
    await fill(page, { name: 'Asha', mobile: newMobile(), password: 'six chars', referral });
    await page.getByLabel('Name').focus();
    await expect(slip).toHaveCount(isMisread ? 1 : 0);
  }
  await signUpWithUnknownReferral(page);
  await expect(page).toHaveURL('/auth/verification');
});

test('clears the form if the code cannot be sent', async ({ page, seen, newMobile, expectProblem }) => {
  const mobile = newMobile();
  expectProblem(/response 503: POST .*\/verification\/sendcode/);
  await page.route('**/verification/sendcode', (route) =>
    route.fulfill({ status: 503, json: { response: 'error', message: 'down', data: null } }),
  );
  await page.goto('/auth/signup');
  await fill(page, { name: 'Asha', mobile, password: 'six chars', referral: 'XOBYRDNUAL' });
  await signUpWithUnknownReferral(page);
  await seen('sign-up', 'Something went wrong while sending SMS on +91{mobile}, please try again', { values: { mobile } });
  for (const label of ['Name', 'Mobile', 'Password', 'Referral Code'])
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('');
});

test('a failed bot check shows the message and keeps the form', async ({ page, seen, newMobile, expectProblem }) => {
  expectProblem(/response 403: POST .*\/verification\/sendcode/);
  await page.route('**/verification/sendcode', (route) =>
    route.fulfill({ status: 403, json: { response: 'error', message: 'no proof', code: 'bot-check-failed', params: {}, data: null } }),
  );
  await page.goto('/auth/signup');
  await fill(page, { name: 'Asha', mobile: newMobile(), password: 'six chars' });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await seen('sign-up', 'This is a development error, complaint it at {email} or restart the app', {
    values: { email: 'support@dhulai.example' },
  });
  await expect(page.getByLabel('Name')).toHaveValue('Asha');
});

async function reachCode(page: Page, mobile: string) {
  await page.goto('/auth/signup');
  await fill(page, { name: 'Asha', mobile, password: 'six chars' });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/auth/verification');
}

test('the wait for another code stays within thirty seconds if the clock of the browser is set back', async ({
  page,
  newMobile,
  program,
  passTime,
}) => {
  await reachCode(page, newMobile());
  await passTime(5);
  await page.clock.setSystemTime(addSeconds(program.clock.now(), -60 * 60));
  await page.clock.runFor(32_000);
  await expect(page.getByRole('button', { name: 'resend otp?' })).toBeVisible();
});

test('three wrong codes use all attempts; a resend allows three more', async ({ page, seen, newMobile, passTime }) => {
  const mobile = newMobile();
  await reachCode(page, mobile);
  const wrong = wrongCode(await newestCode(page, mobile));
  const validate = page.getByRole('button', { name: /Validate/ });

  await page.getByLabel('OTP').fill('12345');
  await validate.click();
  await seen('verification', 'Verification OTP is invalid');
  await seen('verification', 'Validate ({attempts} Attempts)', { values: { attempts: 3 } });

  for (const left of [2, 1, 0]) {
    await page.getByLabel('OTP').fill('');
    await page.getByLabel('OTP').fill(wrong);
    await seen('verification', 'Validate ({attempts} Attempts)', { values: { attempts: left } });
    await seen('verification', 'Verification OTP is invalid');
  }
  await expect(validate).toBeDisabled();
  await axe(page);

  await expect(page.getByText('resend otp?')).toBeHidden();
  await passTime(31);
  await seen('verification', 'resend otp?');
  await page.getByRole('button', { name: 'resend otp?' }).click();
  await seen('verification', 'Validate ({attempts} Attempts)', { values: { attempts: 3 } });
  await expect(page.getByText(/resend otp in 00:(30|29)/)).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/');
});

test('Validate after the last digit is the click for the code that is checked already', async ({ page, newMobile }) => {
  const mobile = newMobile();
  await reachCode(page, mobile);
  await page.getByLabel('OTP').fill(wrongCode(await newestCode(page, mobile)));
  await expect(page.getByText('Verification OTP is invalid')).toBeVisible();
  const validate = page.getByRole('button', { name: /Validate/ });
  await validate.click();
  expect(await validate.innerText()).toBe('Validate (2 Attempts)');
  await validate.click();
  await expect(validate).toHaveText('Validate (1 Attempts)');
});

test('a failed resend shows the alert and can be retried', async ({ page, seen, newMobile, passTime, expectProblem }) => {
  const mobile = newMobile();
  await reachCode(page, mobile);
  await passTime(31);
  expectProblem(/response 503: POST .*\/verification\/sendcode/);
  await page.route('**/verification/sendcode', (route) =>
    route.fulfill({ status: 503, json: { response: 'error', message: 'down', data: null } }),
  );
  await page.getByRole('button', { name: 'resend otp?' }).click();
  await seen('verification', 'Something went wrong while sending SMS on +91{mobile}, resend again', { values: { mobile } });
  expectProblem(/response 403: POST .*\/verification\/sendcode/);
  await page.route('**/verification/sendcode', (route) =>
    route.fulfill({ status: 403, json: { response: 'error', message: 'no proof', code: 'bot-check-failed', params: {}, data: null } }),
  );
  await page.getByRole('button', { name: 'resend otp?' }).click();
  await seen('verification', 'Please refresh the page and try again');
});

test('an expired code ends the sign-up after one second', async ({ page, seen, newMobile, passTime }) => {
  const mobile = newMobile();
  await reachCode(page, mobile);
  const code = await newestCode(page, mobile);
  await passTime(10 * 60 + 1);
  await page.getByLabel('OTP').fill(code);
  await seen('verification', 'Out of attempts, try again later');
  await expect(page).toHaveURL('/auth/verification');
  await passTime(1);
  await expect(page).toHaveURL('/auth/signup');
  await expect(page.getByLabel('Mobile')).toHaveValue('');
});

test('cancelling returns to an empty sign-up after one second', async ({ page, newMobile, passTime }) => {
  await reachCode(page, newMobile());
  await page.getByRole('button', { name: 'Cancel' }).click();
  await passTime(1);
  await expect(page).toHaveURL('/auth/signup');
  for (const label of ['Name', 'Mobile']) await expect(page.getByLabel(label)).toHaveValue('');
});

test('a sign-up within 30 s of a cancelled one shows the wait and keeps the form', async ({ page, newMobile, passTime, expectProblem }) => {
  const mobile = newMobile();
  await reachCode(page, mobile);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await passTime(1);
  await expect(page).toHaveURL('/auth/signup');
  expectProblem(/response 429: POST .*\/verification\/sendcode/);
  await fill(page, { name: 'Asha', mobile, password: 'six chars', referral: 'XOBYRDNUAL' });
  await signUpWithUnknownReferral(page);
  await expect(page.getByRole('alert').getByText(/You can request the next code in \d\d seconds/)).toBeAttached();
  await expect(page.getByText(/Something went wrong/)).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('Asha');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('six chars');
  await axe(page);
  await fitsWidth(page, 320);
  await passTime(30);
  await expect(page.getByText(/You can request the next code/).filter({ visible: true })).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/auth/verification');
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/');
});

test('the code step survives a reload with its attempts, countdown and referral; the password is entered again', async ({
  page,
  newMobile,
  passTime,
  signedIn,
  context,
  program,
}) => {
  const referrer = await signedIn();
  await context.clearCookies();
  const mobile = newMobile();
  await page.goto('/auth/signup');
  await fill(page, { name: 'Asha', mobile, password: 'six chars', referral: referrer.mobile });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/auth/verification');
  const right = await newestCode(page, mobile);
  await page.getByLabel('OTP').fill(wrongCode(right));
  await expect(page.getByRole('status').getByText('2 attempts left')).toBeAttached();
  await expect(page.locator('[aria-live=polite]').getByText('Verification OTP is invalid')).toBeVisible();
  await expect(page.getByLabel('OTP')).toBeFocused();
  await passTime(10);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Validate (2 Attempts)' })).toBeVisible();
  await expect(page.getByText(/resend otp in 00:(20|1\d)/)).toBeVisible();
  await axe(page);
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage, history.state]))).not.toContain('six chars');

  await page.getByLabel('OTP').fill(right);
  await expect(page.getByRole('heading', { name: 'Enter your password again' })).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.reload();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password must be of atleast 6 characters')).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /Welcome back Asha/ })).toBeVisible();
  const bonuses = await program.db
    .selectFrom('referral_bonuses')
    .select('referrer_id')
    .where('referrer_id', '=', referrer.userid)
    .execute();
  expect(bonuses).toHaveLength(1);
  await page.goto('/auth/verification');
  await expect(page).toHaveURL('/auth/signup');
});

test('log-in, password reset and sign-up carry the mobile, until the log-in', async ({ page, signedIn, context }) => {
  const { name, mobile, password } = await signedIn();
  await page.goto('/auth/login');
  await expect(page.getByText(`You are logged in as ${name}`)).toBeVisible();
  await context.clearCookies();
  await page.goto('/auth/login');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(page).toHaveURL('/auth/forgotpassword');
  await expect(page.getByLabel('Mobile Number')).toHaveValue(mobile);
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL('/auth/login');
  await page.getByRole('link', { name: 'Create a account' }).click();
  await expect(page.getByLabel('Mobile', { exact: true })).toHaveValue(mobile);
  await page.getByRole('link', { name: 'Already have account?' }).click();
  await expect(page.getByLabel('Mobile Number')).toHaveValue(mobile);
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await page.keyboard.press('Enter');
  await expect(page.locator('[aria-live=polite]').getByText('Wrong password')).toBeVisible();
  // The calls of home for the customer would be refused after the log-out.
  const reads = Promise.all(
    [getAddresses, getOrders, getOffers].map(({ path }) => page.waitForResponse((response) => response.url().endsWith(path))),
  );
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await reads;
  await page.getByRole('button', { name: 'Hi, Asha Verma' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Login/Signup' }).click();
  await expect(page.getByLabel('Mobile Number')).toHaveValue('');
});

test('the mobile of log-in and reset survives a reload, the password does not', async ({ page, newMobile }) => {
  const mobile = newMobile();
  await page.goto('/auth/login');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.reload();
  await expect(page.getByLabel('Mobile Number')).toHaveValue(mobile);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('six chars');
  await page.goto('/auth/forgotpassword');
  await expect(page.getByLabel('Mobile')).toHaveValue(mobile);
  await page.getByLabel('Mobile').fill(mobile.slice(0, 9));
  await page.reload();
  await expect(page.getByLabel('Mobile')).toHaveValue(mobile.slice(0, 9));
  await page.getByLabel('Mobile').fill('');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible();
  await expect(page.getByLabel('Mobile')).toHaveValue('');
});

test('shows the alert if the account cannot be created', async ({ page, seen, newMobile }) => {
  const mobile = newMobile();
  await reachCode(page, mobile);
  await page.route('**/login/signup.php', (route) => route.fulfill({ json: { response: 'error', message: 'no', data: null } }));
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await seen('sign-up', 'Something went wrong while creating an account, complaint it at {email}', {
    values: { email: 'support@dhulai.example' },
  });
  await expect(page).toHaveURL('/auth/signup');
});

test('log-in shows different messages for an unknown mobile and a wrong password, and opens home', async ({
  page,
  seen,
  signedIn,
  context,
  newMobile,
}) => {
  const { mobile, password } = await signedIn({ name: 'Asha Verma' });
  await context.clearCookies();
  await page.goto('/auth/login');
  for (const text of ['Mobile Number', 'Password', 'Forgot Password?', 'Login', 'Create a account'] as const) await seen('log-in', text);
  await axe(page);
  await fitsWidth(page, 320);
  const loginButton = page.getByRole('main').getByRole('button', { name: 'Login' });

  await loginButton.click();
  await seen('log-in', 'Invalid mobile number');
  await seen('log-in', 'Wrong password');
  await expect(page.getByLabel('Mobile Number')).toBeFocused();

  await page.getByLabel('Mobile Number').fill(newMobile());
  await page.getByLabel('Password', { exact: true }).fill(password);
  await loginButton.click();
  await seen('log-in', "User doesn't exists");

  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await loginButton.click();
  await seen('log-in', 'Wrong password');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();

  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Hi, Asha Verma' })).toBeVisible();
});

test('log-out ends the session in all tabs; a new tab with a valid cookie is signed in', async ({ page, seen, signedIn, context }) => {
  await signedIn({ name: 'Asha Verma' });
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('button', { name: 'Hi, Asha Verma' })).toBeVisible();
  await page.getByRole('button', { name: 'Hi, Asha Verma' }).click();
  await seen('site', 'Logout');
  await page.getByRole('button', { name: 'Logout' }).click();
  await seen('site', 'Account logged out successfully');
  await seen('site', 'Login/Signup');
  expect(await page.evaluate(() => sessionStorage.getItem('userdata'))).toBeNull();
  await expect(other.getByRole('link', { name: 'Login/Signup' })).toBeVisible();
});

test('the log-in returns to the page that required it', async ({ page, signedIn, context, passTime }) => {
  const { mobile, password } = await signedIn();
  await context.clearCookies();
  await page.goto('/auth/address');
  await expect(page.getByText('Please login first')).toBeVisible();
  await passTime(3);
  await expect(page).toHaveURL('/auth/login');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/auth/address');
});

/** Opens a page of the customer in a tab, with a value that the tab has stored. */
async function openPrivatePage(page: Page, name: string) {
  await page.goto('/refer');
  await expect(page.getByRole('button', { name: `Hi, ${name}` })).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem('address', 'House 12'));
}

test('the log-in explains the orders of guests after the link of an order, also after a reload', async ({ page, passTime }) => {
  await page.goto('/auth/orders/vieworder/MEERA1234567');
  await expect(page.getByRole('main')).toBeVisible();
  await passTime(3);
  await expect(page).toHaveURL('/auth/login');
  const notice = page.getByText('Did you order as a guest in another browser?');
  await expect(notice).toBeVisible();
  // The fixture fails the test if the hydration finds another document.
  await page.reload();
  await expect(notice).toBeVisible();
});

test('log-out in one tab empties the others, which then show no customer data', async ({ page, context, signedIn }) => {
  const { name } = await signedIn({ name: 'Meera Nair' });
  await openPrivatePage(page, name);
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: `Hi, ${name}` }).click();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(other.getByText('Account logged out successfully')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Login/Signup' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/House 12|userdata/);
});

test('a tab of the former customer of this browser is emptied once it is shown', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
}) => {
  const { name } = await signedIn({ name: 'Meera Nair' });
  await openPrivatePage(page, name);
  await signIn(program, context, { name: 'Asha Verma', mobile: newMobile(), password: 'fresh and folded' });
  await context.addCookies([{ name: 'signed_in', value: 'another', url: program.url }]);
  await page.evaluate(() => void setTimeout(() => window.dispatchEvent(new Event('focus'))));
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Hi, Asha Verma' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('House 12');
});
