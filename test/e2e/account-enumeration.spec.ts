/**
 * A visitor who enters another customer's mobile gets no data of that customer before the code is
 * confirmed: no order, name, address or hint. Also: a guest who creates an account later.
 */
import type { Page, Response } from '@playwright/test';
import { newestCode, wrongCode } from './codes.ts';
import { expect, test } from './fixtures.ts';
import { placeGuestOrder, placeOrders } from './ordering.ts';
import { detail, goToGuestVerification } from './order-steps.ts';

/**
 * Records all responses until the returned function is called. The mobile is replaced, so that the
 * responses for two mobiles can be compared.
 */
function recordResponses(page: Page, mobile: string) {
  const responses: Promise<string>[] = [];
  const record = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (response.request().method() !== 'POST' || pathname.startsWith('/error/') || pathname.startsWith('/analytics/')) return;
    responses.push(response.text().then((body) => `${pathname} ${response.status()} ${body.replaceAll(mobile, '{mobile}')}`));
  };
  page.on('response', record);
  return () => {
    page.off('response', record);
    return Promise.all(responses);
  };
}

/** Returns the document, the storage and the cookies of the page. */
const readPageState = (page: Page) =>
  page.evaluate(() => `${document.documentElement.outerHTML} ${JSON.stringify([sessionStorage, localStorage])} ${document.cookie}`);

/**
 * Enters a wrong code in the guest checkout, and returns the responses and the state of the page.
 */
async function tryGuestCheckout(page: Page, mobile: string): Promise<{ responses: string[]; pageState: string }> {
  const stopRecording = recordResponses(page, mobile);
  await goToGuestVerification(page, mobile);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(wrongCode(await newestCode(page, mobile)));
  await expect(page.getByText('Verification OTP is invalid')).toBeVisible();
  return { responses: await stopRecording(), pageState: await readPageState(page) };
}

test('guest checkout returns the same responses for the mobile of a customer and an unknown mobile', async ({
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
  const customer = await tryGuestCheckout(page, victim.mobile);
  const secrets = [victim.name, 'Vasundhara', victim.userid, orderid, 'Flat 12', 'Opposite the water tank'];
  for (const secret of secrets) expect(customer.responses.join('\n') + customer.pageState, secret).not.toContain(secret);

  for (const path of ['/orders/getorder.php', '/address/getaddress.php', '/login/getuserdetails.php', '/transactions/gettransaction.php'])
    expect((await context.request.post(path, { data: {} })).status(), path).toBe(401);

  const other = await browser.newContext({ baseURL: program.url });
  await other.clock.install({ time: program.clock.now() });
  const unknown = await tryGuestCheckout(await other.newPage(), newMobile());
  await other.close();
  expect(customer.responses).toEqual(unknown.responses);
});

test('sign-up and password reset reveal only what the specification allows', async ({ page, context, signedIn, passTime }) => {
  const victim = await signedIn({ name: 'Vasundhara Raghunathan' });
  const [orderid = ''] = await placeOrders(context.request, victim, 1);
  await context.clearCookies();
  await passTime(31);
  const stopRecording = recordResponses(page, victim.mobile);
  await page.goto('/auth/signup');
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
    await page.getByLabel('OTP').fill('');
    await page.getByLabel('OTP').fill(code);
    await expect(page.getByRole('button', { name: `Validate (${left - 1} Attempts)` })).toBeVisible();
    // The field ignores what is typed while a code is checked.
    await expect(page.getByText('Verification OTP is invalid')).toBeVisible();
  }
  const all = (await stopRecording()).join('\n') + (await readPageState(page));
  for (const secret of ['Vasundhara', victim.userid, orderid, 'Flat 12']) expect(all, secret).not.toContain(secret);
  await page.goto('/auth/newpassword');
  await expect(page.getByText('Something went wrong, please try again')).toBeVisible();
});

test('a guest resets the password and finds the order in an account with the name of the address', async ({
  page,
  context,
  newMobile,
  passTime,
}) => {
  const mobile = newMobile();
  const orderid = await placeGuestOrder(context.request, mobile);
  await context.clearCookies();
  await passTime(31);
  await page.goto('/auth/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByRole('button', { name: 'Proceed' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
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
