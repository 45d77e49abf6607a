/**
 * The account screens with the keyboard alone, with visible focus. Design section 8, WCAG 2.2 AA.
 */
import type { Locator } from '@playwright/test';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { newestCode } from './codes.ts';
import { expect, test, type Page } from './fixtures.ts';
import { placeOrders } from './ordering.ts';
import { openConsole } from './staff-steps.ts';

const MAX_TAB_STOPS = 60;

/** Presses Tab until the target has focus, and expects the focus to be visible. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return expectVisibleFocus(target);
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

/** Expects an outline on the control or on the card of a link, or a ring on its wrapper. */
const expectVisibleFocus = (target: Locator) =>
  expect
    .poll(() =>
      target.evaluate((element) => {
        const outlined = (of: Element | null) => {
          if (!of) return false;
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(of);
          return (outlineStyle !== 'none' && outlineWidth !== '0px') || /\b[1-9]\d*px\b/.test(boxShadow);
        };
        return (
          element.matches(':focus-visible') &&
          [element, element.parentElement, element.closest('.has-focus-visible\\:outline-3')].some(outlined)
        );
      }),
    )
    .toBe(true);

const type = async (page: Page, label: string, text: string) => {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
};
const main = (page: Page) => page.getByRole('main');

test('signs up, opens the profile, logs out', async ({ page, newMobile }) => {
  const mobile = newMobile();
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expectVisibleFocus(page.getByRole('link', { name: /Skip to/ }));
  await tabTo(page, page.getByRole('banner').getByRole('link', { name: 'Login/Signup' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/auth/login');
  await tabTo(page, page.getByRole('link', { name: 'Create a account' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/auth/signup');

  // An empty submission focuses the first invalid field.
  await tabTo(page, page.getByRole('button', { name: 'Sign up' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name')).toBeFocused();
  await type(page, 'Name', 'Asha Verma');
  await type(page, 'Mobile', mobile);
  await type(page, 'Password', 'six chars');
  await tabTo(page, page.getByRole('button', { name: 'Show password' }));
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await type(page, 'Referral Code', '');
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/auth/verification');
  await expect(page.getByLabel('OTP')).toBeFocused();
  await page.keyboard.type(await newestCode(page, mobile));
  await expect(page).toHaveURL('/');

  const menu = page.getByRole('button', { name: 'Hi, Asha Verma' });
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: 'Profile' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/auth/profile');
  await type(page, 'Email', 'asha@example.in');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Account details are updated')).toBeVisible();
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Logout' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Account logged out successfully')).toBeVisible();
});

test('resets a password with a wrong code and a resend, and logs in', async ({ page, signedIn, context, passTime }) => {
  const { mobile } = await signedIn({ name: 'Asha Verma' });
  await context.clearCookies();
  await passTime(31);
  await page.goto('/auth/login');
  await tabTo(page, page.getByRole('link', { name: 'Forgot Password?' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/auth/forgotpassword');
  await type(page, 'Mobile Number', mobile);
  await tabTo(page, page.getByRole('button', { name: 'Proceed' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('OTP')).toBeFocused();
  await page.keyboard.type('12345');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Verification OTP is invalid')).toBeVisible();
  await expect(page.getByLabel('OTP')).toBeFocused();
  await passTime(31);
  await tabTo(page, page.getByRole('button', { name: 'resend otp?' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/resend otp in/)).toBeVisible();
  await expect(page.getByLabel('OTP')).toBeFocused();
  await page.keyboard.type(await newestCode(page, mobile));

  await expect(page).toHaveURL('/auth/newpassword');
  await type(page, 'New Password', 'brand new');
  await type(page, 'Confirm New Password', 'brand new');
  await tabTo(page, page.getByRole('button', { name: 'Update password' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/auth/login');
  await type(page, 'Mobile Number', mobile);
  await type(page, 'Password', 'brand new');
  await tabTo(page, main(page).getByRole('button', { name: 'Login' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Hi, Asha Verma' })).toBeVisible();
});

test('copies the referral link, and signs up in the webview', async ({ page, signedIn, context, newMobile }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signedIn();
  await page.goto('/refer');
  await tabTo(page, page.getByRole('button', { name: /Tap to copy/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Link copied to clipboard')).toBeVisible();
  await context.clearCookies();

  await page.goto('/webview/flsignup');
  await type(page, 'Name', 'Asha');
  const mobile = newMobile();
  await type(page, 'Mobile', mobile);
  await type(page, 'Password', 'six chars');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/webview/flverification');
  await expect(page.getByLabel('OTP')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/webview/flsignup');
});

test('weighs an order of the console: from Today to the order, and back', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  const desk = await newBrowserPage();
  await openConsole(desk, program, { role: 'operator', mobile: newMobile(), path: staffLinks.today() });
  const task = (name: string) => desk.getByRole('region', { name }).getByRole('listitem').filter({ hasText: orderid });
  await tabTo(desk, task('To collect today').getByRole('link', { name: 'Meera Nair' }));
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${orderid}` })).toBeVisible();
  await expect(desk.locator('main')).toBeFocused();

  await tabTo(desk, desk.getByRole('button', { name: 'Weigh', exact: true }));
  await desk.keyboard.press('Enter');
  const weighing = desk.getByRole('dialog', { name: 'Weigh' });
  for (const [label, text] of Object.entries({ 'Weight (kg)': '7.53', Pieces: '12', Bags: '2' })) {
    await tabTo(desk, weighing.getByLabel(label, { exact: true }));
    await desk.keyboard.type(text);
  }
  await tabTo(desk, weighing.getByRole('button', { name: 'Save' }));
  await desk.keyboard.press('Enter');
  await expect(weighing).toHaveCount(0);
  // The focus stays on the screen: the next step is one of the next stops.
  await expect(desk.locator('main').locator(':focus')).toBeVisible();
  await tabTo(desk, desk.getByRole('button', { name: 'Move to In-Queue' }));

  await tabTo(desk, desk.getByRole('link', { name: 'Today', exact: true }));
  await desk.keyboard.press('Enter');
  await tabTo(desk, task('Weighed, to bring in').getByRole('link', { name: 'Meera Nair' }));
});
