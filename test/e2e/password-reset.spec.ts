/** Password reset. Specification sections 2, 4, 5 and 8; design section 6, "Password reset". */
import { newestCode, respondWith } from './codes.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';

const proceed = (page: Page) => page.getByRole('button', { name: 'Proceed' }).click();
const expectCodeField = (page: Page) => expect(page.getByLabel('OTP')).toBeVisible();
const email = 'support@dhulai.example';

async function reachNewPassword(page: Page, mobile: string) {
  await page.goto('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/auth/newpassword');
}

const choose = async (page: Page, password: string, confirmation = password) => {
  await page.getByLabel('New Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm New Password').fill(confirmation);
  await page.getByRole('button', { name: 'Update password' }).click();
};

test('a customer resets the password and logs in with the new one', async ({ page, seen, signedIn, context, passTime }) => {
  const { mobile, name } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  // The log-in page has a field with the same label.
  await expect(page).toHaveURL('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  await expect(page.getByText(`SMS sent successfully on +91${mobile}`)).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/auth/newpassword');
  await choose(page, 'brand new');
  await seen('new password', 'Password changed successfully, please login with new password');
  await expect(page).toHaveURL('/auth/login');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('brand new');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Hi, ${name}` })).toBeVisible();
});

test('resets the form if the SMS cannot be sent', async ({ page, signedIn, context, passTime, expectProblem }) => {
  const { mobile } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  expectProblem(/response 502: POST .*sendcode/);
  await respondWith(page, 'verification/sendcode', 502);
  await page.goto('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expect(page.getByText(`Something went wrong while sending SMS on +91${mobile}, please try again`)).toBeVisible();
  await expect(page.getByLabel('Mobile Number')).toHaveValue('');
});

test('both steps are accessible and fit a small phone', async ({ page, seen, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  await page.goto('/auth/forgotpassword');
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

test('shows the messages of an invalid password next to its fields', async ({ page, seen, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  await reachNewPassword(page, mobile);
  for (const text of ['New Password', 'Confirm New Password', 'Update password', 'Cancel'] as const) await seen('new password', text);
  await choose(page, 'short');
  await seen('new password', 'Password should be of atleast 6 characters');
  await choose(page, '123', '1234');
  await expect(page.getByText('Password should be of atleast 6 characters')).toBeVisible();
  await expect(page.getByText("Confirm password doesn't matched with new password")).toBeVisible();
  await expect(page.getByLabel('New Password', { exact: true })).toBeFocused();
  await axe(page);
  await choose(page, 'brand new', 'brand old');
  await seen('new password', "Confirm password doesn't matched with new password");
  await expect(page.getByLabel('Confirm New Password')).toBeFocused();
  await axe(page);
  await fitsWidth(page, 320);
});

test('a reload continues with the code, and with the new password', async ({ page, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await passTime(31);
  await context.clearCookies();
  await page.goto('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  await page.reload();
  await expectCodeField(page);
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page).toHaveURL('/auth/newpassword');
  await page.reload();
  await choose(page, 'brand new', 'brand old');
  const error = page.getByText("Confirm password doesn't matched with new password");
  await expect(error).toBeVisible();
  // Mended in the other field.
  await page.getByLabel('New Password', { exact: true }).fill('brand old');
  await expect(error).toBeHidden();
  await page.getByRole('button', { name: 'Update password' }).click();
  await expect(page).toHaveURL('/auth/login');
  await expect(page.getByLabel('Mobile Number')).toHaveValue(mobile);
});

test('an unknown mobile shows the link to sign-up and receives no code', async ({ page, seen, newMobile }) => {
  const mobile = newMobile();
  await page.goto('/auth/forgotpassword');
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

test('cancelling and an expired code return to the mobile', async ({ page, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await passTime(31);
  await page.goto('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Mobile Number')).toHaveValue(mobile);

  await passTime(31);
  await page.getByLabel('Mobile Number').fill(mobile);
  await proceed(page);
  await expectCodeField(page);
  const code = await newestCode(page, mobile);
  await passTime(10 * 60 + 1);
  await page.getByLabel('OTP').fill(code);
  await expect(page.getByText('Out of attempts, try again later')).toBeVisible();
  await expect(page.getByLabel('Mobile Number')).toBeVisible();
});

test('without a confirmed code the new-password page shows the alert and returns after one second', async ({ page, seen, passTime }) => {
  await page.goto('/auth/newpassword');
  await seen('new password', 'Something went wrong, please try again');
  await passTime(1);
  await expect(page).toHaveURL('/auth/forgotpassword');
});

test('an expired reset starts again; a failed one shows the alert', async ({ page, seen, signedIn, context, passTime, expectProblem }) => {
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

test('cancelling the new password discards the reset', async ({ page, signedIn, context, passTime }) => {
  const { mobile } = await signedIn();
  await context.clearCookies();
  await passTime(31);
  await reachNewPassword(page, mobile);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/auth/forgotpassword');
  await page.goBack();
  await expect(page.getByLabel('New Password', { exact: true })).toBeHidden();
});
