/** Forgotten passwords. Specification sections 2, 4, 5 and 8; design section 6, "Password reset". */
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';

const newestCode = async (page: Page, mobile: string): Promise<string> => {
  const answer = await page.request.get(`/outbox.json?mobile=${mobile}`);
  return ((await answer.json()) as { code: string }[])[0]?.code ?? 'none';
};
const proceed = (page: Page) => page.getByRole('button', { name: 'Proceed' }).click();
const expectCodeField = (page: Page) => expect(page.getByLabel('OTP')).toBeVisible();
const email = 'support@dhulai.example';

async function reachNewPassword(page: Page, mobile: string) {
  await page.goto('/auth/forgotpassword', { waitUntil: 'networkidle' });
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await page.getByRole('button', { name: /Validate/ }).click();
  await expect(page).toHaveURL('/auth/newpassword');
}

const choose = async (page: Page, password: string, confirmation = password) => {
  await page.getByLabel('New Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm New Password').fill(confirmation);
  await page.getByRole('button', { name: 'Update password' }).click();
};

test('a customer resets a forgotten password and logs in with the new one', async ({ page, seen, signedIn, context, passTime }) => {
  const { mobile, name } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  await page.goto('/auth/login', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  // The log-in has a field of the same name.
  await expect(page).toHaveURL('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  await expect(page.getByText(`SMS sent successfully on +91${mobile}`)).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await page.getByRole('button', { name: 'Validate (3 Attempts)' }).click();
  await expect(page).toHaveURL('/auth/newpassword');
  await choose(page, 'brand new');
  await seen('new password', 'Password changed successfully, please login with new password');
  await expect(page).toHaveURL('/auth/login');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('brand new');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Hi, ${name}` })).toBeVisible();
});

test('both steps of the forgotten password are accessible and fit a small phone', async ({ page, seen, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  await page.goto('/auth/forgotpassword', { waitUntil: 'networkidle' });
  await seen('forgot password', 'Proceed');
  await axe(page);
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  await expect(page.getByLabel('OTP')).toBeFocused();
  await seen('forgot password', 'Cancel');
  await seen('forgot password', 'Login', { within: page.getByRole('main') });
  await axe(page);
  await fitsWidth(page, 320);
});

test('the new password is checked next to its fields', async ({ page, seen, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  await reachNewPassword(page, mobile);
  for (const text of ['New Password', 'Confirm New Password', 'Update password', 'Cancel'] as const) await seen('new password', text);
  await choose(page, 'short');
  await seen('new password', 'Password should be of atleast 6 characters');
  await choose(page, 'brand new', 'brand old');
  await seen('new password', "Confirm password doesn't matched with new password");
  await expect(page.getByLabel('Confirm New Password')).toBeFocused();
  await axe(page);
  await fitsWidth(page, 320);
});

test('a mobile without an account is told to sign up, and gets no message', async ({ page, seen, newMobile }) => {
  const mobile = newMobile();
  await page.goto('/auth/forgotpassword', { waitUntil: 'networkidle' });
  await page.getByLabel('Mobile Number').fill('98765');
  await proceed(page);
  await expect(page.getByText('Mobile number should be of 10 digits')).toBeVisible();
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await seen('forgot password', 'No user found, you should signup');
  await expect(page.getByLabel('Mobile Number')).toBeFocused();
  await axe(page);
  expect(await newestCode(page, mobile)).toBe('none');
});

test('cancelling the code leads back to the mobile, an expired code too', async ({ page, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await passTime(31);
  await page.goto('/auth/forgotpassword', { waitUntil: 'networkidle' });
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Mobile Number')).toHaveValue('');

  await passTime(31);
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  const code = await newestCode(page, mobile);
  await passTime(10 * 60 + 1);
  await page.getByLabel('OTP').fill(code);
  await page.getByRole('button', { name: /Validate/ }).click();
  await expect(page.getByText('Out of attempts, try again later')).toBeVisible();
  await expect(page.getByLabel('Mobile Number')).toBeVisible();
});

test('without a confirmed code the new-password page says so and goes back after one second', async ({ page, seen, passTime }) => {
  await page.goto('/auth/newpassword');
  await seen('new password', 'Something went wrong, please try again');
  await passTime(1);
  await expect(page).toHaveURL('/auth/forgotpassword');
});

test('a reset that is too old starts again; a failed one says so', async ({ page, seen, signedIn, context, passTime, expectProblem }) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await passTime(31);
  await reachNewPassword(page, mobile);
  expectProblem(/response 503: POST .*\/login\/updateuserdetails/);
  await page.route('**/login/updateuserdetails.php', (route) =>
    route.fulfill({ status: 503, json: { response: 'error', message: 'down', data: null } }),
  );
  await choose(page, 'brand new');
  await seen('new password', 'Something went wrong while updating password, complaint at {email}', { values: { email } });
  await page.unroute('**/login/updateuserdetails.php');

  await passTime(11 * 60);
  await choose(page, 'brand new');
  await seen('new password', 'Something went wrong, please try again');
  await passTime(1);
  await expect(page).toHaveURL('/auth/forgotpassword');
});

test('cancelling the new password forgets the reset', async ({ page, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await passTime(31);
  await reachNewPassword(page, mobile);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/auth/forgotpassword');
  await page.goBack();
  await expect(page.getByLabel('New Password', { exact: true })).toBeHidden();
});
