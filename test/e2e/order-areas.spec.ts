/** The area of an order and of its address: the rate follows from the address. */
import { addAddress, editAddress, getAddresses } from '../../src/domains/addresses/contract.ts';
import { getOrders } from '../../src/domains/orders/contract.ts';
import { home } from '../support/ordering.ts';
import { areaOption, fillAddress } from './address-form.ts';
import { axe, expect, fitsWidth, sendCall, test } from './fixtures.ts';
import { detail, cart, chooseService, proceed } from './order-steps.ts';

const footer = { manesar: '₹38 per kg', vatika: '₹48 per kg' } as const;

test('the order takes the area and the rate of the address that is selected', async ({ page, signedIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signedIn();
  // With two addresses, home preselects neither of them and no area.
  await sendCall(page.request, addAddress, { ...home, area: 'manesar' });
  await sendCall(page.request, addAddress, { ...home, name: 'Parents', area: 'vatika' });
  await chooseService(page, 'Wash', 'Manesar');
  await expect(cart(page).getByText(footer.manesar)).toBeVisible();
  await cart(page)
    .getByRole('radio', { name: /Parents/ })
    .check();
  const status = cart(page)
    .getByRole('status')
    .filter({ hasText: 'This address is in Vatika India Next, so your rate is now ₹48 per kg.' });
  await expect(status).toBeVisible();
  // A phone shows it without scrolling, above the bar of the rate.
  await expect(status).toBeInViewport({ ratio: 1 });
  const notice = (await status.boundingBox())!;
  expect(notice.y + notice.height).toBeLessThanOrEqual((await cart(page).getByText('Proceed places your order.').boundingBox())!.y);
  // It covers no control that has the focus.
  const add = cart(page).getByRole('button', { name: 'Add new address' });
  await add.focus();
  const button = (await add.boundingBox())!;
  expect(button.y + button.height).toBeLessThanOrEqual((await status.boundingBox())!.y);
  await expect(cart(page).getByText(footer.vatika, { exact: true })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  expect(await sendCall(page.request, getOrders, {})).toMatchObject([{ area: 'vatika', program_rate: 4800, name: 'Parents' }]);
});

test('another area keeps the address, and Proceed waits until both agree', async ({ page, signedIn }) => {
  await signedIn();
  await sendCall(page.request, addAddress, { ...home, name: 'Parents', area: 'vatika' });
  await chooseService(page, 'Wash', 'Vatika India Next');
  await cart(page)
    .getByRole('radio', { name: /Parents/ })
    .check();
  await cart(page).getByRole('button', { name: 'change' }).click();
  await cart(page)
    .getByRole('radio', { name: /Manesar/ })
    .check();
  await proceed(page).click();
  await proceed(page).click();
  await expect(cart(page).getByRole('radio', { name: /Parents/ })).toBeChecked();
  await expect(cart(page).getByText('This address is in Vatika India Next, but your order is for Manesar.')).toBeVisible();
  await proceed(page).click();
  const hint = '* Your order and its address are in different areas, please change one of them';
  await expect(cart(page).getByRole('alert').getByText(hint)).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await cart(page).getByRole('button', { name: 'Order in Vatika India Next' }).click();
  await expect(cart(page).getByText(hint)).toBeHidden();
  await expect(cart(page).locator(':focus')).toHaveCount(1);
  await expect(cart(page).getByText(footer.vatika, { exact: true })).toBeVisible();
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
});

test('the form of a guest knows the area of the order, and the rate follows the form', async ({ page }) => {
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page).getByRole('button', { name: 'Checkout as guest' }).click();
  await expect(areaOption(page, 'Manesar')).toBeChecked();
  await fillAddress(page, home, 'Vatika India Next');
  await expect(cart(page).getByText(footer.vatika, { exact: true })).toBeVisible();
  await cart(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(cart(page).getByText(footer.manesar, { exact: true })).toBeVisible();
  await cart(page).getByRole('button', { name: 'Checkout as guest' }).click();
  await fillAddress(page, home, 'Vatika India Next');
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: 'Verify your mobile number' })).toBeVisible();
  await expect(detail(page, 'Rate')).toHaveText('₹48 per kg');
});

test('an address without an area takes that of the order', async ({ page, signedIn }) => {
  await signedIn();
  await sendCall(page.request, addAddress, home);
  await chooseService(page, 'Wash', 'Vatika India Next');
  await cart(page).getByRole('radio', { name: /Meera/ }).check();
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  expect(await sendCall(page.request, getAddresses, {})).toMatchObject([{ area: 'vatika' }]);
});

test('a contradiction that only the server knows is stated on home, and the draft continues', async ({ page, signedIn }) => {
  await signedIn();
  const { addressid } = await sendCall(page.request, addAddress, { ...home, area: 'manesar' });
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page).getByRole('radio', { name: /Meera/ }).check();
  // Another device corrects the area.
  await sendCall(page.request, editAddress, { ...home, area: 'vatika', addressid });
  await proceed(page).click();
  await expect(page).toHaveURL('/');
  await expect(
    page.getByText('Your order and its address are in different areas, please change the area or select another address'),
  ).toBeVisible();
  expect(await sendCall(page.request, getOrders, {})).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Pickup and delivery address').click();
  await expect(page.getByText('This address is in Vatika India Next, so your rate is now ₹48 per kg.')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm Order' }).click();
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  expect(await sendCall(page.request, getOrders, {})).toMatchObject([{ area: 'vatika' }]);
});
