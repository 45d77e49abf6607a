/**
 * Accessibility of the account screens in states that other specs do not check: pending, rejected,
 * expired, failed. In light and dark, 320 px wide.
 */
import { respondWith, newestCode, wrongCode } from './codes.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';

const press = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).click();

async function fits(page: Page, options?: { timeIsStopped: boolean }) {
  await axe(page, options);
  await fitsWidth(page, 320);
}

async function signUpWith(page: Page, mobile: string, referral = '') {
  await page.goto('/auth/signup');
  await page.getByLabel('Name').fill('Asha');
  await page.getByLabel('Mobile').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByLabel('Referral Code').fill(referral);
  await press(page, 'Sign up');
}

async function reachNewPassword(page: Page, mobile: string) {
  await page.goto('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await press(page, 'Proceed');
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/auth/newpassword');
}

test('the sign-up shows a pending code, a code that was not sent, and a failed bot check', async ({ page, newMobile, expectProblem }) => {
  const mobile = newMobile();
  let respond = () => {};
  const mayRespond = new Promise<void>((resolve) => {
    respond = resolve;
  });
  expectProblem(/response 503: POST .*\/verification\/sendcode/);
  await page.route('**/verification/sendcode', async (route) => {
    await mayRespond;
    await route.fulfill({ status: 503, json: { response: 'error', message: 'down', data: null } });
  });
  await signUpWith(page, mobile);
  await expect(page.getByRole('button', { name: 'Sign up' })).toHaveAttribute('aria-busy', 'true');
  await fits(page);
  respond();
  await expect(page.getByText(/Something went wrong while sending SMS/)).toBeVisible();
  await fits(page);
  expectProblem(/response 403: POST .*\/verification\/sendcode/);
  await respondWith(page, 'verification/sendcode', 403, 'bot-check-failed');
  await signUpWith(page, mobile);
  await expect(page.getByText(/This is a development error/)).toBeVisible();
  await fits(page);
});

test('the verification shows the resend, a failed resend, an expired code, and the link back', async ({
  page,
  newMobile,
  passTime,
  stopTime,
  expectProblem,
}) => {
  const mobile = newMobile();
  await signUpWith(page, mobile);
  await expect(page.getByLabel('OTP')).toBeVisible();
  await passTime(31);
  await expect(page.getByRole('button', { name: 'resend otp?' })).toBeVisible();
  await fits(page);
  expectProblem(/response 503: POST .*\/verification\/sendcode/);
  await respondWith(page, 'verification/sendcode', 503);
  await press(page, 'resend otp?');
  await expect(page.getByText(/resend again/)).toBeVisible();
  await fits(page);
  await passTime(10 * 60);
  await stopTime();
  await page.getByLabel('OTP').fill(wrongCode(await newestCode(page, mobile)));
  await expect(page.getByText('Out of attempts, try again later')).toBeVisible();
  await expect(page.getByText('Back to the sign-up')).toBeVisible();
  await fits(page, { timeIsStopped: true });
});

test('after the last attempt the field is empty, and the resend is the main action', async ({ page, newMobile, passTime }) => {
  const mobile = newMobile();
  await signUpWith(page, mobile);
  const field = page.getByLabel('OTP');
  await expect(field).toBeVisible();
  const wrong = wrongCode(await newestCode(page, mobile));
  for (const left of [2, 1, 0]) {
    await field.fill('');
    await field.fill(wrong);
    await expect(page.getByRole('button', { name: `Validate (${left} Attempts)` })).toBeVisible();
    await expect(page.getByText('Verification OTP is invalid')).toBeVisible();
  }
  await expect(field).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Validate (0 Attempts)' })).toBeDisabled();
  await passTime(31);
  const resend = page.getByRole('button', { name: 'resend otp?' });
  await expect(resend).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  expect((await resend.boundingBox())!.width).toBe((await page.getByRole('main').locator('form').first().boundingBox())!.width);
  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page);
  // A reload keeps the explanation.
  await page.reload();
  await expect(page.getByText('No attempts are left for this code. Please request another one.')).toBeVisible();
  await resend.click();
  await expect(page.getByRole('button', { name: 'Validate (3 Attempts)' })).toBeEnabled();
});

test('a lost response to the sign-up: the retry finds the account and requests the referral bonus again', async ({
  page,
  newMobile,
  expectProblem,
  signedIn,
  context,
  program,
}) => {
  const referrer = await signedIn();
  await context.clearCookies();
  const mobile = newMobile();
  await signUpWith(page, mobile, referrer.mobile);
  await expect(page.getByLabel('OTP')).toBeVisible();
  expectProblem(/request failed: POST .*\/login\/signup\.php/);
  await page.route('**/login/signup.php', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page.getByText('Your code was right')).toBeVisible();
  await fits(page);
  await page.unroute('**/login/signup.php');
  expectProblem(/request failed: POST .*\/refer\/referfriendbonus\.php/);
  await page.route('**/refer/referfriendbonus.php', (route) => route.abort('connectionreset'), { times: 1 });
  await press(page, 'Try again');
  await expect(page.getByRole('heading', { name: /Welcome back Asha/ })).toBeVisible();
  const bonus = await program.db
    .selectFrom('referral_bonuses')
    .select('new_customer_id')
    .where('referrer_id', '=', referrer.userid)
    .execute();
  expect(bonus).toHaveLength(1);
});

test('a failed log-in after the sign-up: the log-in page shows that the account exists', async ({
  page,
  newMobile,
  expectProblem,
  program,
}) => {
  const mobile = newMobile();
  await signUpWith(page, mobile);
  await expect(page.getByLabel('OTP')).toBeVisible();
  expectProblem(/response 503: POST .*\/login\/login\.php/);
  await respondWith(page, 'login/login.php', 503);
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/auth/login');
  await expect(page.getByText('Your account is ready, please log in')).toBeVisible();
  await expect(page.getByText(/creating an account/)).toHaveCount(0);
  await fits(page);
  expect(await program.db.selectFrom('customers').select('name').where('mobile', '=', mobile).execute()).toEqual([{ name: 'Asha' }]);
  await page.unroute('**/login/login.php');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await press(page, 'Login');
  await expect(page).toHaveURL('/');
});

test('the log-in shows invalid fields, an unknown mobile, a wrong password, and too many attempts', async ({
  page,
  signedIn,
  context,
  newMobile,
  expectProblem,
}) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await page.goto('/auth/login');
  await press(page, 'Login');
  await fits(page);
  await page.getByLabel('Mobile Number').fill(newMobile());
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await press(page, 'Login');
  await expect(page.getByText("User doesn't exists")).toBeVisible();
  await fits(page);
  await page.getByLabel('Mobile Number').fill(mobile);
  await press(page, 'Login');
  await expect(page.getByText('Wrong password')).toBeVisible();
  await fits(page);
  expectProblem(/response 429: POST .*\/login\/login\.php/);
  await respondWith(page, 'login/login.php', 429);
  await press(page, 'Login');
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await fits(page);
});

test('the new password shows a missing code, a failure, and the change', async ({
  page,
  signedIn,
  context,
  passTime,
  stopTime,
  expectProblem,
}) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await passTime(31);
  await reachNewPassword(page, mobile);
  await page.getByLabel('New Password', { exact: true }).fill('brand new');
  await page.getByLabel('Confirm New Password').fill('brand new');
  expectProblem(/response 503: POST .*\/login\/updateuserdetails/);
  await respondWith(page, 'login/updateuserdetails.php', 503);
  await press(page, 'Update password');
  await expect(page.getByText(/while updating password/)).toBeVisible();
  await fits(page);
  await page.unroute('**/login/updateuserdetails.php');
  await press(page, 'Update password');
  await expect(page).toHaveURL('/auth/login');
  await expect(page.getByText(/Password changed successfully/)).toBeVisible();
  await fits(page);
  await stopTime();
  await page.goto('/auth/newpassword');
  await expect(page.getByText('Something went wrong, please try again')).toBeVisible();
  await fits(page, { timeIsStopped: true });
});

test('the profile shows that it is unchanged, rejected or changed, and asks signed-out visitors to log in', async ({
  page,
  signedIn,
  context,
  stopTime,
  expectProblem,
}) => {
  await signedIn();
  await page.goto('/auth/profile');
  await press(page, 'Update');
  await expect(page.getByText('Nothing to updated')).toBeVisible();
  await fits(page);
  await page.getByLabel('Email').fill('nonsense');
  await press(page, 'Update');
  await expect(page.getByText('Invalid email')).toBeVisible();
  await fits(page);
  await page.getByLabel('Email').fill('asha@example.in');
  await press(page, 'Update');
  await expect(page.getByText('Account details are updated')).toBeVisible();
  await fits(page);

  expectProblem(/response 404: GET .*\/LLLLLLLLLL/);
  await page.goto('/LLLLLLLLLL');
  await fits(page);
  await context.clearCookies();
  await stopTime();
  await page.goto('/auth/profile');
  await expect(page.getByText('Please login first')).toBeVisible();
  await fits(page, { timeIsStopped: true });
});
