/** The refer page in the native app, with the channel of each platform. docs/webview-bridge.md. */
import { encodeReferralCode } from '../../src/lib/referral-code.ts';
import type { Mobile } from '../../src/lib/mobile.ts';
import { axe, expect, fitsWidth } from './fixtures.ts';
import { test, type Platform } from './webview-app.ts';

const PUSHED = '9876543210';
const userdata = (payload: object) => JSON.stringify({ v: 1, type: 'userdata', payload });
const linkOf = (origin: string, mobile: string) => `${origin}/${encodeReferralCode(mobile as Mobile)}`;
const SHARED_TEXT = 'Laundry picked up and delivered by Dhulai. Sign up with my link:';

for (const platform of ['React Native', 'Flutter', 'WebKit', 'Android'] satisfies Platform[]) {
  // The page looks the same in every app.
  const runAxe = platform === 'React Native';
  test(`${platform}: sends ready, receives the user, shares through the app, and opens its log-in`, async ({
    page,
    seen,
    startApp,
    program,
  }) => {
    const app = await startApp(platform);
    await page.goto('/webview/refer');
    await expect.poll(() => app.receivedMessages()).toEqual([{ v: 1, type: 'ready', payload: {} }]);
    await seen('webview refer', 'You are not logged in, please login and comeback later');
    await seen('webview refer', 'To get your referral link, you have to login first');
    await seen('webview refer', 'Login/Signup');
    await expect(page.getByRole('banner')).toHaveCount(0);
    if (runAxe) await axe(page);
    await page.getByRole('link', { name: 'Login/Signup' }).click();
    await app.expectMessages({ type: 'open-login', payload: {} });

    await app.push(userdata({ loggedin: true, name: 'Asha', email: '', mobile: PUSHED, userid: 'theirs', wallet: 70 }));
    const url = linkOf(program.url, PUSHED);
    await expect(page.getByText(url)).toBeVisible();
    await seen('webview refer', 'Refer karo, Earn karo');
    if (runAxe) await axe(page);
    await fitsWidth(page, 320);
    await page.getByRole('button', { name: 'Share' }).click();
    await app.expectMessages({ type: 'open-login', payload: {} }, { type: 'share', payload: { url, text: SHARED_TEXT } });
    await expect(page).toHaveURL('/webview/refer');
  });
}

test('the signed-in customer takes precedence over the pushed user; without an app the link is copied', async ({
  page,
  seen,
  signedIn,
  context,
  program,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { mobile } = await signedIn();
  await page.goto('/webview/refer');
  const url = linkOf(program.url, mobile);
  await expect(page.getByText(url)).toBeVisible();
  await page.evaluate((text) => window.postMessage(text, window.location.origin), userdata({ mobile: PUSHED }));
  await page.getByRole('button', { name: 'Share' }).click();
  await seen('webview refer', 'Link copied to clipboard');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  await page.getByRole('button', { name: /Tap to copy/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
});

test('without an app the log-in page opens and returns to the link', async ({ page, signedIn, context, program }) => {
  const { mobile, password } = await signedIn();
  await context.clearCookies();
  await page.goto('/webview/refer');
  await page.getByRole('link', { name: 'Login/Signup' }).click();
  await expect(page).toHaveURL('/auth/login');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/webview/refer');
  await expect(page.getByText(linkOf(program.url, mobile))).toBeVisible();
});

test('a broken channel behaves like no app', async ({ page }) => {
  await page.addInitScript(() => {
    window.AndroidHost = {
      postMessage: () => {
        throw new Error('the channel is closed');
      },
    };
  });
  const reports: string[] = [];
  page.on('request', (request) => request.url().endsWith('/error/adderror.php') && reports.push(request.postData() ?? ''));
  await page.goto('/webview/signup');
  await page.getByRole('link', { name: 'Already have account?' }).click();
  await expect(page).toHaveURL('/auth/login');
  expect(reports.join()).toContain('the channel is closed');
});
