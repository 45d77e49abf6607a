/**
 * Sign-up and password reset in the native app, in both variants. Specification sections 2, 4, 5
 * and 8; design section 6, "Webview".
 */
import { respondWith, newestCode, wrongCode } from './codes.ts';
import { axe, expect, fitsWidth, type Page } from './fixtures.ts';
import { test } from './webview-app.ts';

const email = 'support@dhulai.example';

const variants = [
  { variant: 'webview', platform: 'React Native', at: (screen: string) => `/webview/${screen}` },
  { variant: 'fl', platform: 'Flutter', at: (screen: string) => `/webview/fl${screen}` },
] as const;

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const code = (page: Page) => page.getByLabel('OTP');

async function signUpWith(page: Page, mobile: string, referral = '') {
  await field(page, 'Name').fill('Asha Verma');
  await field(page, 'Mobile').fill(mobile);
  await field(page, 'Password').fill('six chars');
  await field(page, 'Referral Code (Optional)').fill(referral);
  await press(page, 'Sign up');
}

/** Expects no bar and no footer of the site. */
async function hasNoChrome(page: Page) {
  for (const role of ['banner', 'contentinfo', 'navigation'] as const) await expect(page.getByRole(role)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Dhulai' })).toHaveCount(0);
}

for (const { variant, platform, at } of variants) {
  test.describe(variant, () => {
    // The longest file and the last one: both workers take part.
    test.describe.configure({ mode: 'parallel' });
    /**
     * Both variants have the same screens: axe checks each page in both, but further states only in
     * the first.
     */
    const axeState: typeof axe = async (page, options) => (variant === 'webview' ? axe(page, options) : undefined);
    const verification = (page: Page) => expect(page).toHaveURL(at('verification'));

    async function reachCode(page: Page, mobile: string, referral?: string) {
      await page.goto(at('signup'));
      await signUpWith(page, mobile, referral);
      await verification(page);
      await expect(code(page)).toBeFocused();
    }

    test('the privacy policy is read without losing what was typed', async ({ page, newMobile }) => {
      const mobile = newMobile();
      await page.goto(at('signup'));
      await field(page, 'Name').fill('Asha Verma');
      await field(page, 'Mobile').fill(mobile);
      await field(page, 'Password').fill('six chars');
      await page.getByRole('link', { name: 'privacy policy' }).click();
      await expect(page).toHaveURL('/privacy');
      await page.goBack();
      await expect(field(page, 'Name')).toHaveValue('Asha Verma');
      await expect(field(page, 'Mobile')).toHaveValue(mobile);
      await expect(field(page, 'Password')).toHaveValue('six chars');
      // The next visitor of the form does not get the password.
      await page.getByRole('link', { name: 'Already have account?' }).click();
      await expect(field(page, 'Name')).toHaveCount(0);
      await page.goBack();
      await expect(field(page, 'Password')).toHaveValue('');
    });

    async function reachNewPassword(page: Page, mobile: string) {
      await page.goto(at('forgotpassword'));
      await field(page, 'Mobile Number').fill(mobile);
      await press(page, 'Proceed');
      await expect(code(page)).toBeVisible();
      await code(page).fill(await newestCode(page, mobile));
      await expect(page).toHaveURL(at('newpassword'));
    }

    test('a visitor signs up; the app receives a message and the page stays', async ({
      page,
      seen,
      newMobile,
      startApp,
      stopTime,
      passTime,
    }) => {
      const mobile = newMobile();
      const app = await startApp(platform);
      await page.goto(at('signup'));
      await hasNoChrome(page);
      await seen('webview sign-up', 'Create an account and enjoy our premium laundry service');
      for (const text of ['Name', 'Mobile', 'Password', 'Referral Code (Optional)', 'Sign up', 'Already have account?'] as const)
        await seen('webview sign-up', text);
      await expect(field(page, 'Mobile')).toHaveAttribute('inputmode', 'numeric');
      await axe(page);
      await fitsWidth(page, 320);

      await stopTime();
      await signUpWith(page, mobile);
      await seen('webview sign-up', 'SMS sent successfully on +91{mobile}', { values: { mobile } });
      // The form remains for one second, with a spinner on its button.
      await passTime(0.9);
      await expect(page.getByRole('button', { name: 'Sign up' })).toHaveAttribute('aria-busy', 'true');
      await expect(page).toHaveURL(at('signup'));
      await passTime(0.2);
      await verification(page);
      await seen('webview verification', 'Enter verification code');
      await seen('webview verification', 'resend otp in 00:{seconds}', { values: { seconds: '30' } });
      await seen('webview verification', 'Validate ({attempts} Attempts)', { values: { attempts: 3 } });
      await seen('webview verification', 'Cancel');
      await expect(code(page)).toHaveAttribute('inputmode', 'numeric');
      await hasNoChrome(page);
      await axe(page, { timeIsStopped: true });
      await fitsWidth(page, 320);

      await code(page).fill(await newestCode(page, mobile));
      await app.expectMessages({ type: 'Account Created', payload: { mobile } });
      await expect(page.getByRole('heading', { name: 'Account Created' })).toBeVisible();
      await verification(page);
      await axeState(page, { timeIsStopped: true });
      const userdata = await page.evaluate(() => JSON.parse(sessionStorage.getItem('userdata') ?? '{}') as object);
      expect(userdata).toMatchObject({ loggedin: true, name: 'Asha Verma', mobile });
    });

    test('the app opens its own log-in', async ({ page, startApp }) => {
      const app = await startApp(platform);
      await page.goto(at('signup'));
      await page.getByRole('link', { name: 'Already have account?' }).click();
      await app.expectMessages({ type: 'open-login', payload: {} });
      await page.goto(at('forgotpassword'));
      await page.getByRole('link', { name: 'Login' }).click();
      await app.expectMessages({ type: 'open-login', payload: {} }, { type: 'open-login', payload: {} });
      await expect(page).toHaveURL(at('forgotpassword'));
    });

    test('without an app the log-in page opens without the site around it, and returns to the webview', async ({
      page,
      signedIn,
      context,
    }) => {
      const { mobile, password } = await signedIn();
      await context.clearCookies();
      await page.goto(at('signup'));
      await page.getByRole('link', { name: 'Already have account?' }).click();
      await expect(page).toHaveURL('/auth/login');
      await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
      await hasNoChrome(page);
      await axe(page);
      await expect(page.getByRole('link', { name: 'Forgot Password?' })).toHaveAttribute('href', at('forgotpassword'));
      await expect(page.getByRole('link', { name: 'Create a account' })).toHaveAttribute('href', at('signup'));
      await page.reload();
      await hasNoChrome(page);
      await field(page, 'Mobile Number').fill(mobile);
      await field(page, 'Password').fill(password);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/');
    });

    test('a sign-up with a referral credits the referrer ₹50; without an app it ends at home', async ({
      page,
      signedIn,
      context,
      newMobile,
      program,
    }) => {
      const referrer = await signedIn({ name: 'Meera' });
      await context.clearCookies();
      const mobile = newMobile();
      await reachCode(page, mobile, referrer.mobile);
      await code(page).fill(await newestCode(page, mobile));
      await expect(page).toHaveURL('/');
      const bonuses = await program.db.selectFrom('referral_bonuses').selectAll().where('referrer_id', '=', referrer.userid).execute();
      expect(bonuses).toHaveLength(1);
    });

    test('the sign-up shows messages next to invalid fields', async ({ page, seen, signedIn, context }) => {
      const { mobile } = await signedIn();
      await context.clearCookies();
      await page.goto(at('signup'));
      await field(page, 'Name').fill('A');
      await field(page, 'Mobile').fill('98765');
      await field(page, 'Password').fill('short');
      await press(page, 'Sign up');
      for (const text of ['Invalid name', 'Mobile number should be of 10 digits', 'Password must be of atleast 6 characters'] as const)
        await seen('webview sign-up', text);
      await expect(field(page, 'Name')).toBeFocused();
      await axeState(page);
      await signUpWith(page, mobile);
      await seen('webview sign-up', 'User already exists, forgot password?');
      await axeState(page);
      await page.getByRole('link', { name: 'forgot password?' }).click();
      await expect(page).toHaveURL(at('forgotpassword'));
    });

    test('clears the form if the code is not sent; a failed bot check keeps it', async ({ page, seen, newMobile, expectProblem }) => {
      const mobile = newMobile();
      await page.goto(at('signup'));
      expectProblem(/response 403: POST .*\/verification\/sendcode/);
      await respondWith(page, 'verification/sendcode', 403, 'bot-check-failed');
      await signUpWith(page, mobile);
      await seen('webview sign-up', 'This is a development error, complaint it at {email} or restart the app', { values: { email } });
      await expect(field(page, 'Name')).toHaveValue('Asha Verma');
      await axeState(page);
      expectProblem(/response 503: POST .*\/verification\/sendcode/);
      await respondWith(page, 'verification/sendcode', 503);
      await press(page, 'Sign up');
      await seen('webview sign-up', 'Something went wrong while sending SMS on +91{mobile}, please try again', { values: { mobile } });
      for (const label of ['Name', 'Mobile', 'Password']) await expect(field(page, label)).toHaveValue('');
      await expect(page).toHaveURL(at('signup'));
    });

    test('a sign-up survives three wrong codes and a failed resend', async ({ page, seen, newMobile, passTime, expectProblem }) => {
      const mobile = newMobile();
      await reachCode(page, mobile);
      const wrong = wrongCode(await newestCode(page, mobile));
      await code(page).fill('12345');
      await press(page, /Validate/);
      await seen('webview verification', 'Verification OTP is invalid');
      await seen('webview verification', 'Validate ({attempts} Attempts)', { values: { attempts: 3 } });
      for (const left of [2, 1, 0]) {
        await code(page).fill('');
        await code(page).fill(wrong);
        await seen('webview verification', 'Validate ({attempts} Attempts)', { values: { attempts: left } });
        await seen('webview verification', 'Verification OTP is invalid');
      }
      await expect(page.getByRole('button', { name: /Validate/ })).toBeDisabled();
      await axeState(page);

      await passTime(31);
      await seen('webview verification', 'resend otp?');
      await axeState(page);
      expectProblem(/response 503: POST .*\/verification\/sendcode/);
      await respondWith(page, 'verification/sendcode', 503);
      await press(page, 'resend otp?');
      await seen('webview verification', 'Something went wrong while sending SMS on +91{mobile}, resend again', { values: { mobile } });
      expectProblem(/response 403: POST .*\/verification\/sendcode/);
      await respondWith(page, 'verification/sendcode', 403, 'bot-check-failed');
      await press(page, 'resend otp?');
      await seen('webview verification', 'Please refresh the page and try again');
      await page.unroute('**/verification/sendcode');

      await press(page, 'resend otp?');
      await seen('webview verification', 'SMS sent successfully on +91{mobile}', { values: { mobile } });
      await seen('webview verification', 'Validate ({attempts} Attempts)', { values: { attempts: 3 } });
      await expect(page.getByText(/resend otp in 00:(30|29|28)/)).toBeVisible();
      await code(page).fill(await newestCode(page, mobile));
      await expect(page).toHaveURL('/');
    });

    test('cancelling and an expired code open an empty sign-up after one second; without a sign-up, at once', async ({
      page,
      seen,
      newMobile,
      passTime,
      stopTime,
    }) => {
      await reachCode(page, newMobile());
      await stopTime();
      await press(page, 'Cancel');
      await passTime(0.9);
      await expect(page).toHaveURL(at('verification'));
      await passTime(0.2);
      await expect(page).toHaveURL(at('signup'));
      for (const label of ['Name', 'Mobile', 'Password']) await expect(field(page, label)).toHaveValue('');

      const mobile = newMobile();
      await signUpWith(page, mobile);
      await expect(page.getByText(`SMS sent successfully on +91${mobile}`)).toBeVisible();
      await passTime(1);
      await verification(page);
      const right = await newestCode(page, mobile);
      await passTime(10 * 60 + 1);
      await code(page).fill(right);
      await seen('webview verification', 'Out of attempts, try again later');
      await passTime(0.9);
      await expect(page).toHaveURL(at('verification'));
      await passTime(0.2);
      await expect(page).toHaveURL(at('signup'));

      await page.goto(at('verification'));
      await expect(page).toHaveURL(at('signup'));
    });

    test('a failed sign-up shows the alert and starts again; the app receives no message', async ({ page, seen, newMobile, startApp }) => {
      const app = await startApp(platform);
      const mobile = newMobile();
      await reachCode(page, mobile);
      await respondWith(page, 'login/signup.php', 200);
      await code(page).fill(await newestCode(page, mobile));
      await seen('webview sign-up', 'Something went wrong while creating an account, complaint it at {email}', { values: { email } });
      await expect(page).toHaveURL(at('signup'));
      await app.expectMessages();
    });

    test('a password reset rejects an unknown mobile and sends the code to a known one', async ({
      page,
      seen,
      signedIn,
      newMobile,
      context,
      passTime,
    }) => {
      const { mobile } = await signedIn();
      await context.clearCookies();
      await passTime(31);
      await page.goto(at('forgotpassword'));
      await hasNoChrome(page);
      await expect(field(page, 'Mobile Number')).toHaveAttribute('inputmode', 'numeric');
      await axe(page);
      await field(page, 'Mobile Number').fill('98765');
      await press(page, 'Proceed');
      await seen('webview forgot password', 'Mobile number should be of 10 digits');
      await field(page, 'Mobile Number').fill(newMobile());
      await press(page, 'Proceed');
      await seen('webview forgot password', 'No user found, you should signup');
      await axeState(page);
      await field(page, 'Mobile Number').fill(mobile);
      await seen('webview forgot password', 'Proceed');
      await press(page, 'Proceed');
      await seen('webview forgot password', 'Cancel');
      await seen('webview forgot password', 'Login');
      await seen('webview forgot password', 'SMS sent successfully on +91{mobile}', { values: { mobile } });
      await axe(page);
      await fitsWidth(page, 320);
      await code(page).fill(await newestCode(page, mobile));
      await expect(page).toHaveURL(at('newpassword'));
    });

    test('the new password is validated and changed, and the app opens its log-in', async ({
      page,
      seen,
      signedIn,
      context,
      passTime,
      startApp,
    }) => {
      const app = await startApp(platform);
      const { mobile } = await signedIn();
      await context.clearCookies();
      await passTime(31);
      await reachNewPassword(page, mobile);
      await axe(page);
      for (const text of ['New Password', 'Confirm New Password', 'Update password', 'Cancel'] as const)
        await seen('webview new password', text);
      await field(page, 'New Password').fill('short');
      await press(page, 'Update password');
      await seen('webview new password', 'Password should be of atleast 6 characters');
      await field(page, 'New Password').fill('brand new');
      await field(page, 'Confirm New Password').fill('brand old');
      await press(page, 'Update password');
      await seen('webview new password', "Confirm password doesn't matched with new password");
      await axeState(page);
      await fitsWidth(page, 320);
      await field(page, 'Confirm New Password').fill('brand new');
      await press(page, 'Update password');
      await seen('webview new password', 'Password changed successfully, please login with new password');
      await app.expectMessages({ type: 'open-login', payload: {} });
      await expect(page).toHaveURL(at('newpassword'));
      await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
      await axeState(page);
    });

    test('a cancelled or expired reset code asks for the mobile again', async ({ page, signedIn, context, passTime }) => {
      const { mobile } = await signedIn();
      await context.clearCookies();
      await passTime(31);
      await page.goto(at('forgotpassword'));
      const proceed = async () => {
        await field(page, 'Mobile Number').fill(mobile);
        await press(page, 'Proceed');
        await expect(code(page)).toBeVisible();
      };
      await proceed();
      await press(page, 'Cancel');
      await expect(field(page, 'Mobile Number')).toHaveValue(mobile);
      await passTime(31);
      await proceed();
      const right = await newestCode(page, mobile);
      await passTime(10 * 60 + 1);
      await code(page).fill(right);
      await expect(page.getByText('Out of attempts, try again later')).toBeVisible();
      await expect(field(page, 'Mobile Number')).toBeVisible();
    });

    test('a new password that is cancelled, fails or lacks a confirmed code returns after 1.5 s', async ({
      page,
      seen,
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
      await stopTime();
      expectProblem(/response 503: POST .*\/login\/updateuserdetails/);
      await respondWith(page, 'login/updateuserdetails.php', 503);
      await field(page, 'New Password').fill('brand new');
      await field(page, 'Confirm New Password').fill('brand new');
      await press(page, 'Update password');
      await seen('webview new password', 'Something went wrong while updating password, complaint at {email}', { values: { email } });

      await press(page, 'Cancel');
      for (const label of ['New Password', 'Confirm New Password']) await expect(field(page, label)).toHaveValue('');
      await passTime(1.4);
      await expect(page).toHaveURL(at('newpassword'));
      await passTime(0.2);
      // The specification names this path for both variants.
      await expect(page).toHaveURL('/webview/forgotpassword');
      await expect(field(page, 'Mobile Number')).toHaveValue('');

      // The reset is discarded too.
      await page.goto(at('newpassword'));
      await seen('webview new password', 'Something went wrong, please try again');
      await axeState(page, { timeIsStopped: true });
      await passTime(1.5);
      await expect(page).toHaveURL('/webview/forgotpassword');
    });
  });
}

test('an unknown path under /webview and a failed page show nothing of the site', async ({ page, expectProblem }) => {
  expectProblem(/response 404: GET .*\/webview/);
  for (const address of ['/webview', '/webview/nothing']) {
    const response = await page.goto(address);
    expect(response?.status(), address).toBe(404);
    await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
    await hasNoChrome(page);
    await expect(page.getByRole('link')).toHaveCount(0);
    await axe(page);
  }
});

test('a screen whose script does not load shows the notice without the site around it', async ({ page, expectProblem }) => {
  await page.goto('/webview/signup');
  expectProblem(/assets\/forgot-password-.*\.js/);
  expectProblem(/console\.(error|warning)/);
  await page.route(/\/assets\/forgot-password-.*\.js$/, (route) => route.abort());
  await page.evaluate(() => {
    history.pushState(null, '', '/webview/forgotpassword');
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  });
  await expect(page.getByText('Loading chunk failed')).toBeVisible();
  await hasNoChrome(page);
});
