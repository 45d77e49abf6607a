/**
 * In-app browsers of messengers and social networks. They define interfaces that do not work, and
 * some deny storage. Every flow must work without them.
 */
import { newestCode } from './codes.ts';
import { cart, goToGuestVerification } from './order-steps.ts';
import { expect, test, type Page } from './fixtures.ts';

const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 7 Build/UQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/470.0;]';

test.use({ userAgent: USER_AGENT, viewport: { width: 390, height: 780 } });

/** Storage is denied, WebOTP is announced and missing, and there is no clipboard. */
const restrict = (page: Page) =>
  page.addInitScript(() => {
    const denied = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['sessionStorage', 'localStorage', 'indexedDB']) Object.defineProperty(window, name, { get: denied });
    Object.assign(window, { OTPCredential: () => {} });
    for (const name of ['credentials', 'clipboard', 'share', 'serviceWorker'])
      Object.defineProperty(Navigator.prototype, name, { value: undefined });
    document.execCommand = () => false;
  });

/** The inline script of React Router for the scroll position logs denied storage. */
const expectStorageProblems = (expectProblem: (pattern: RegExp) => void) => {
  expectProblem(/console.error: SecurityError: The operation is insecure/);
  expectProblem(/^page error: $/);
};

test('a guest orders', async ({ page, newMobile, expectProblem }) => {
  expectStorageProblems(expectProblem);
  await restrict(page);
  const mobile = newMobile();
  await goToGuestVerification(page, mobile);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText(`SMS sent successfully on +91${mobile}`)).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  await expect(cart(page)).toBeHidden();
});

test('a visitor signs up, and learns that the link cannot be copied', async ({ page, newMobile, expectProblem }) => {
  expectStorageProblems(expectProblem);
  await restrict(page);
  const mobile = newMobile();
  await page.goto('/auth/signup');
  await page.getByLabel('Name').fill('Asha');
  await page.getByLabel('Mobile').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page.getByText('Welcome back Asha, what would you like to do today?')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Refer' }).first().click();
  const button = page.getByRole('button', { name: /Tap to copy/ });
  await button.click();
  await expect(page.getByText('This browser does not let us copy. Please open this page in another browser.')).toBeVisible();
  await expect(button).toBeFocused();
});

test('the old way to copy works where the Clipboard API is missing', async ({ page, signedIn }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    document.execCommand = () => (document.title = (document.activeElement as HTMLTextAreaElement).value) !== '';
  });
  await signedIn();
  await page.goto('/refer');
  await page.getByRole('button', { name: /Tap to copy/ }).click();
  await expect(page.getByText('Link copied to clipboard')).toBeVisible();
  await expect(page).toHaveTitle(/^http.*\/[A-Z]{10}$/);
});
