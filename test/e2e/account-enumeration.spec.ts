/** Who typed another's mobile gets nothing of the other's before the code is right: no order, name, address or hint. And a guest who comes back. */
import type { Page, Response } from '@playwright/test';
import { newestCode, wrongCode } from './codes.ts';
import { expect, test } from './fixtures.ts';
import { placeGuestOrder, placeOrders } from './ordering.ts';
import { detail, goToGuestVerification } from './order-steps.ts';

/** What every call answered until it is asked, with this number taken out, so that two numbers can be compared. */
function listen(page: Page, mobile: string) {
  const answers: Promise<string>[] = [];
  const note = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (response.request().method() !== 'POST' || pathname.startsWith('/error/') || pathname.startsWith('/analytics/')) return;
    answers.push(response.text().then((body) => `${pathname} ${response.status()} ${body.replaceAll(mobile, '{mobile}')}`));
  };
  page.on('response', note);
  return () => {
    page.off('response', note);
    return Promise.all(answers);
  };
}

/** Everything that the page holds. */
const held = (page: Page) =>
  page.evaluate(() => `${document.documentElement.outerHTML} ${JSON.stringify([sessionStorage, localStorage])} ${document.cookie}`);

/** As a guest with that mobile: the proof, a wrong code, and what the calls answered. */
async function typeAsGuest(page: Page, mobile: string): Promise<{ answers: string[]; shown: string }> {
  const answers = listen(page, mobile);
  await goToGuestVerification(page, mobile);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(wrongCode(await newestCode(page, mobile)));
  await page.getByRole('button', { name: /Validate/ }).click();
  await expect(page.getByText('Verification OTP is invalid')).toBeVisible();
  return { answers: await answers(), shown: await held(page) };
}

test('checkout with the mobile of a customer is, call by call, checkout with a mobile nobody knows', async ({
  page,
  context,
  signedIn,
  newMobile,
  passTime,
  browser,
  program,
}) => {
  const victim = await signedIn({ name: 'Vasundhara Raghunathan' });
  const [orderid = ''] = await placeOrders(context.request, victim, 1);
  await context.clearCookies();
  await passTime(31);
  const typed = await typeAsGuest(page, victim.mobile);
  const secrets = [victim.name, 'Vasundhara', victim.userid, orderid, 'Flat 12', 'Opposite the water tank'];
  for (const secret of secrets) expect(typed.answers.join('\n') + typed.shown, secret).not.toContain(secret);

  for (const path of ['/orders/getorder.php', '/address/getaddress.php', '/login/getuserdetails.php', '/transactions/gettransaction.php'])
    expect((await context.request.post(path, { data: {} })).status(), path).toBe(401);

  const other = await browser.newContext({ baseURL: program.url });
  await other.clock.install({ time: program.clock.now() });
  const unknown = await typeAsGuest(await other.newPage(), newMobile());
  await other.close();
  expect(typed.answers).toEqual(unknown.answers);
});

test('sign-up and forgotten password tell of a customer what the specification tells, and no more', async ({
  page,
  context,
  signedIn,
  passTime,
}) => {
  const victim = await signedIn({ name: 'Vasundhara Raghunathan' });
  const [orderid = ''] = await placeOrders(context.request, victim, 1);
  await context.clearCookies();
  await passTime(31);
  const answers = listen(page, victim.mobile);
  await page.goto('/auth/signup', { waitUntil: 'networkidle' });
  await page.getByLabel('Name').fill('Nosy');
  await page.getByLabel('Mobile').fill(victim.mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('link', { name: 'forgot password?' }).click();
  await page.getByLabel('Mobile Number').fill(victim.mobile);
  await page.getByRole('button', { name: 'Proceed' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  const code = wrongCode(await newestCode(page, victim.mobile));
  for (let left = 3; left > 0; left -= 1) {
    await page.getByLabel('OTP').fill(code);
    await page.getByRole('button', { name: `Validate (${left} Attempts)` }).click();
    await expect(page.getByRole('button', { name: `Validate (${left - 1} Attempts)` })).toBeVisible();
  }
  const all = (await answers()).join('\n') + (await held(page));
  for (const secret of ['Vasundhara', victim.userid, orderid, 'Flat 12']) expect(all, secret).not.toContain(secret);
  await page.goto('/auth/newpassword');
  await expect(page.getByText('Something went wrong, please try again')).toBeVisible();
});

test('a guest who ordered resets the password that never was, and finds the order in an account with the name of the address', async ({
  page,
  context,
  newMobile,
  passTime,
}) => {
  const mobile = newMobile();
  const orderid = await placeGuestOrder(context.request, mobile);
  await context.clearCookies();
  await passTime(31);
  await page.goto('/auth/forgotpassword', { waitUntil: 'networkidle' });
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByRole('button', { name: 'Proceed' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await page.getByRole('button', { name: /Validate/ }).click();
  await page.getByLabel('New Password', { exact: true }).fill('brand new');
  await page.getByLabel('Confirm New Password').fill('brand new');
  await page.getByRole('button', { name: 'Update password' }).click();
  await expect(page).toHaveURL('/auth/login');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('brand new');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Hi, Meera Nair' })).toBeVisible();
  await page.goto(`/auth/orders/vieworder/${orderid}`);
  await expect(detail(page, 'Order No')).toHaveText(orderid);
});
