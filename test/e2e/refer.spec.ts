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

test('a stranger is told to log in, and comes back here afterwards', async ({ page, seen, signedIn, context }) => {
  const { mobile, password } = await signedIn();
  await context.clearCookies();
  await page.goto('/refer', { waitUntil: 'networkidle' });
  await seen('refer', 'You are not logged in, please login and comeback later');
  await seen('refer', 'To get your referral link, you have to login first');
  await axe(page);
  await page.getByRole('main').getByRole('link', { name: 'Login/Signup' }).click();
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/refer');
});
