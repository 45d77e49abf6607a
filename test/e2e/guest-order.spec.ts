/**
 * Guest checkout: a local address, the verification of its mobile, the order. Design section 6,
 * "Guest".
 */
import { hindi } from './hindi.ts';
import { newestCode, wrongCode } from './codes.ts';
import { cart, chooseService, detail, goToGuestVerification, isAboveTabs, proceed, tile } from './order-steps.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';

test('a guest verifies the mobile and places the order, also after a wrong code and a reload', async ({ page, program, newMobile }) => {
  const mobile = newMobile();
  await goToGuestVerification(page, mobile);
  await axe(page);
  await fitsWidth(page, 320);
  await expect(detail(page, 'Wash Program')).toHaveText('Wash');
  await expect(detail(page, 'Rate')).toHaveText('₹48 per kg');
  expect(await newestCode(page, mobile)).toBe('none');
  const consent = await page.getByText('By ordering you agree').textContent();
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText(`SMS sent successfully on +91${mobile}`)).toBeVisible();
  await axe(page);
  const code = await newestCode(page, mobile);
  await page.getByLabel('OTP').fill(wrongCode(code));
  await expect(page.getByText('Verification OTP is invalid')).toBeVisible();
  expect(await program.db.selectFrom('orders').select('id').where('ship_mobile', '=', mobile).execute()).toEqual([]);

  await page.reload();
  await page.getByLabel('OTP').fill(code);
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  await expect(detail(page, 'Rate')).toHaveText('₹48 per kg');
  await expect(page.getByRole('link', { name: 'Login/Signup' })).toBeVisible();
  const orders = await program.db.selectFrom('orders').selectAll().where('ship_mobile', '=', mobile).execute();
  expect(orders).toMatchObject([{ ship_name: 'Asha Verma', order_rate_paise: 4800 }]);
  const consents = program.db
    .selectFrom('consents')
    .select(['purpose', 'text', 'is_shown'])
    .where('customer_id', '=', orders[0]!.customer_id);
  expect(await consents.execute()).toEqual([{ purpose: 'order', text: consent, is_shown: true }]);
  // The order deletes the local address.
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, history.state]))).not.toContain('House 12');

  await page.getByRole('link', { name: 'View order' }).click();
  await expect(page.getByText(orders[0]!.id)).toBeVisible();
});

test('a phone shows the address and both answers before the code, in English and in Hindi', async ({
  page,
  context,
  baseURL,
  newMobile,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await goToGuestVerification(page, newMobile());
  await expect(detail(page, 'Address')).toContainText('Asha Verma');
  await expect(detail(page, 'Address')).toContainText('House 12, Block C');
  for (const name of ['Send code', 'Cancel']) await isAboveTabs(page, page.getByRole('button', { name, exact: true }));
  await context.addCookies([{ name: 'lang', value: 'hi', url: baseURL! }]);
  await page.reload();
  await expect(detail(page, hindi('Address'))).toContainText('House 12, Block C');
  for (const name of ['Send code', 'Cancel']) await isAboveTabs(page, page.getByRole('button', { name: hindi(name), exact: true }));
  await fitsWidth(page, 320);
});

test('without a connection no code is requested, and the page says why', async ({ page, context, newMobile }) => {
  const mobile = newMobile();
  await goToGuestVerification(page, mobile);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('No internet connection. Please try again once you are online.')).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText(`SMS sent successfully on +91${mobile}`)).toBeVisible();
});

test('Proceed saves the form, or shows its first error; what was typed survives closing and a reload', async ({ page, newMobile }) => {
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page).getByRole('button', { name: 'Checkout as guest' }).click();
  const field = (label: string) => cart(page).getByLabel(label, { exact: true });
  await expect(cart(page).getByRole('button', { name: 'Save' })).toHaveCount(0);
  await field('Name').fill('Asha Verma');
  await field('Address 1').fill('House 12');
  await cart(page).getByRole('button', { name: 'Close' }).click();
  await expect(cart(page)).toBeHidden();
  await page.reload();
  await tile(page, 'Iron').click();
  await proceed(page).click();
  await expect(field('Name')).toHaveValue('Asha Verma');
  await expect(field('Address 1')).toHaveValue('House 12');

  await field('Landmark').fill('Water tank');
  await proceed(page).click();
  await expect(field('Mobile')).toBeFocused();
  await expect(field('Mobile')).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveURL('/#cart');
  await field('Mobile').fill('1234567890');
  await expect(cart(page).getByText('Indian mobile numbers begin with 6, 7, 8 or 9. Please check.')).toBeVisible();
  await field('Mobile').fill(newMobile());
  await expect(cart(page).getByText('10 digits, without the country code')).toBeVisible();
  // On a phone, the footer of the sheet does not hide the field and its error.
  await page.setViewportSize({ width: 390, height: 844 });
  await proceed(page).click();
  await expect(field('Address 2')).toBeFocused();
  const error = await cart(page).getByText('Address 2 value is invalid!').boundingBox();
  const footer = await cart(page).locator('footer').boundingBox();
  expect(error!.y + error!.height).toBeLessThanOrEqual(footer!.y);
  await field('Address 2').fill('Block C');
  await axe(page);
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: 'Verify your mobile number' })).toBeVisible();
  // Saved: the form is not open any more.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(cart(page).getByText('House 12')).toBeVisible();
  await expect(field('Name')).toHaveCount(0);
});

test('an expired code shows the alert and home, with the selection preserved', async ({ page, newMobile, passTime }) => {
  const mobile = newMobile();
  await goToGuestVerification(page, mobile);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  const code = await newestCode(page, mobile);
  await passTime(11 * 60);
  await page.getByLabel('OTP').fill(code);
  await expect(page.getByText('Out of attempts, try again later')).toBeVisible();
  await expect(page).toHaveURL('/#cart');
  await expect(cart(page).getByText('House 12')).toBeVisible();
});

test('a guest removes the address with the device, in English and in Hindi', async ({ page, newMobile }) => {
  for (const translate of [(text: string) => text, hindi]) {
    await goToGuestVerification(page, newMobile());
    await page.goBack();
    if (translate === hindi) {
      await page.context().addCookies([{ name: 'lang', value: 'hi', url: page.url() }]);
      await page.reload();
    }
    await expect(cart(page).getByText('House 12')).toBeVisible();
    const other = await page.context().newPage();
    await other.goto('/reviews');
    await other.evaluate(() => sessionStorage.setItem('address', 'House 12'));
    await page.getByRole('button', { name: translate('Forget my details on this device') }).click();
    const dialog = page.getByRole('alertdialog', { name: translate('Forget my details on this device?') });
    await axe(page);
    await fitsWidth(page, 320);
    await dialog.getByRole('button', { name: translate('Forget'), exact: true }).click();
    await expect(page.getByText(translate('This device is forgotten'))).toBeVisible();
    await expect(cart(page)).toBeHidden();
    expect(await page.evaluate(() => JSON.stringify([sessionStorage, history.state]))).not.toContain('House 12');
    await expect(other).toHaveURL('/');
    expect(await other.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('House 12');
  }
});
