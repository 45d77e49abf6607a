import { awaitScripts } from './await-scripts.ts';
import { newestCode } from './codes.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';

test('a customer copies the referral link', async ({ page, seen, signedIn, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { mobile } = await signedIn();
  await page.goto('/refer');
  await seen('refer', 'Refer karo, Earn karo');
  await page.getByRole('button', { name: /Tap to copy/ }).click();
  await seen('refer', 'Link copied to clipboard');
  await axe(page);
  await fitsWidth(page, 320);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const code = Array.from(mobile, (digit) => 'LAUNDRYBOX'[Number(digit)]).join('');
  expect(new URL(copied).pathname).toBe(`/${code}`);
});

test('asks a signed-out visitor to log in, and returns afterwards', async ({ page, seen, signedIn, context }) => {
  const { mobile, password } = await signedIn();
  await context.clearCookies();
  await page.goto('/refer');
  await seen('refer', 'You are not logged in, please login and comeback later');
  await seen('refer', 'To get your referral link, you have to login first');
  await axe(page);
  await page.getByRole('main').getByRole('link', { name: 'Login/Signup' }).click();
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/refer');
});

test('a friend signs up with the link, and the referrer receives ₹50', async ({ page, seen, signedIn, newMobile, browser, program }) => {
  const referrer = await signedIn({ name: 'Asha Verma' });
  const code = Array.from(referrer.mobile, (digit) => 'LAUNDRYBOX'[Number(digit)]).join('');
  const friendContext = await browser.newContext({ baseURL: program.url });
  await awaitScripts(friendContext);
  const friend = await friendContext.newPage();
  const mobile = newMobile();
  const response = await friend.goto(`/${code.toLowerCase()}`);
  expect(response?.status()).toBe(200);
  await expect(friend.getByText('Referred by Asha', { exact: true })).toBeVisible();
  await expect(friend.getByRole('link', { name: 'Forgot Password?' })).toBeVisible();
  await friend.getByLabel('Name').fill('Ravi');
  await friend.getByLabel('Mobile').fill(mobile);
  await friend.getByLabel('Password', { exact: true }).fill('six chars');
  await friend.getByRole('button', { name: 'Sign up' }).click();
  await expect(friend).toHaveURL('/auth/verification');
  await friend.getByLabel('OTP').fill(await newestCode(friend, mobile));
  await expect(friend).toHaveURL('/');
  await friendContext.close();

  await page.goto('/refer');
  await seen('refer', 'Refer karo, Earn karo');
  const wallet = () => page.evaluate(() => (JSON.parse(sessionStorage.getItem('userdata') ?? '{}') as { wallet?: number }).wallet);
  await expect.poll(wallet).toBe(50);
});

test('the landing page shows only the name of the referrer; an invalid code returns 404', async ({
  page,
  seen,
  signedIn,
  expectProblem,
}) => {
  const { mobile } = await signedIn({ name: 'Asha Verma' });
  const code = Array.from(mobile, (digit) => 'LAUNDRYBOX'[Number(digit)]).join('');
  await page.goto(`/${code}`);
  await seen('referred sign-up', 'Referred by {name}', { values: { name: 'Asha' } });
  await axe(page);
  await fitsWidth(page, 320);
  expectProblem(/response 404: GET .*\/(LLLLLLLLLL|LAUNDRY|robots)/);
  for (const address of ['/LLLLLLLLLL', '/LAUNDRY', '/robots']) {
    const response = await page.goto(address);
    expect(response?.status(), address).toBe(404);
    await seen('site', '404 not found');
    await expect(page).toHaveTitle('404 not found');
  }
});

test('shares the link by WhatsApp, and by the share sheet if the browser supports it', async ({ page, signedIn, program }) => {
  const { mobile } = await signedIn();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { configurable: true, value: undefined });
  });
  await page.goto('/refer');
  const url = `${program.url}/${Array.from(mobile, (digit) => 'LAUNDRYBOX'[Number(digit)]).join('')}`;
  const whatsapp = page.getByRole('main').getByRole('link', { name: 'WhatsApp' });
  expect(new URL((await whatsapp.getAttribute('href')) ?? '').searchParams.get('text')).toContain(url);
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden();

  await page.addInitScript(() => {
    const share = (data: unknown) => {
      document.documentElement.dataset.shared = JSON.stringify(data);
      // Closing the share sheet is not an error.
      return Promise.reject(new DOMException('closed', 'AbortError'));
    };
    Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-shared', new RegExp(`"url":"${url}"`));
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
});
