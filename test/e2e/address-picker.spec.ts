/** The address picker of an order, on /stages and in the cart. */
import { addAddress, deleteAddress, editAddress } from '../../src/domains/addresses/contract.ts';
import { home } from '../support/ordering.ts';
import { addressLabels, fillAddress, save } from './address-form.ts';
import { axe, expect, fitsWidth, sendCall, test, type Page } from './fixtures.ts';

async function openStep(page: Page) {
  await page.goto('/stages');
  await page.getByText('Pickup and delivery address').click();
}

/** Expects the address of the draft in the summary of the closed step. */
const expectDraftAddress = (page: Page, address: string) =>
  expect(page.locator('summary').getByText(address, { exact: true })).toBeVisible();
const EMPTY = { address1: '', address2: '', landmark: '' };
const NO_ADDRESS = 'Where we come to';

test.describe('signed out', () => {
  test('offers the log-in, which returns here, or guest checkout', async ({ page, seen }) => {
    await openStep(page);
    await seen('cart', 'Before adding address you need to login first');
    await expect(page.getByRole('button', { name: 'Add new address' })).toBeHidden();
    await axe(page);
    await page.getByRole('main').getByRole('link', { name: 'Login/Signup' }).click();
    await expect(page).toHaveURL('/auth/login');
    expect(await page.evaluate(() => (history.state as { usr?: unknown }).usr)).toEqual({ returnTo: '/stages' });
  });

  test('enables guest mode with a valid form and disables it with an invalid one', async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => void (request.url().includes('/address/') && calls.push(request.url())));
    await openStep(page);
    await page.getByRole('button', { name: 'Checkout as guest' }).click();
    await expect(page.getByRole('heading', { name: 'Checkout as guest' })).toBeInViewport();
    await fillAddress(page, { ...home, landmark: 'xy' });
    await save(page).click();
    await expect(page.getByText('Landmark value is invalid!')).toBeVisible();
    await expectDraftAddress(page, NO_ADDRESS);

    await page.getByLabel('Landmark').fill(home.landmark);
    await save(page).click();
    const chosen = page.getByRole('region', { name: 'Checkout as guest' });
    await expect(chosen.getByText('Meera Nair')).toBeInViewport();
    await expectDraftAddress(page, 'Meera Nair, Flat 12, Tower B');

    await page.reload();
    await page.getByText('Pickup and delivery address').click();
    await chosen.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByLabel('Landmark')).toHaveValue(home.landmark);
    await page.getByLabel('Mobile', { exact: true }).fill('123');
    await save(page).click();
    await expect(page.getByText('Please enter a valid mobile number without any country code !')).toBeVisible();
    await expectDraftAddress(page, NO_ADDRESS);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(page.getByText('Before adding address you need to login first')).toBeVisible();
    // The address is in the draft of this tab only: no call was sent.
    expect(calls).toEqual([]);
  });
});

test.describe('signed in', () => {
  test('adds the first address in a modal, selects and lists it', async ({ page, signedIn, seen }) => {
    const { name, mobile } = await signedIn();
    await openStep(page);
    await seen('cart', 'You have no saved address');
    await seen('cart', 'Add new address');
    await page.getByRole('button', { name: 'Add new address' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add new address' });
    await save(page).click();
    await expect(dialog.getByText('Address 1 value is invalid!')).toBeVisible();
    await expect(dialog.getByText('Name value is invalid!')).toBeHidden();
    await axe(page);
    await fitsWidth(page, 320);
    await fillAddress(page, home);
    await save(page).click();
    await expect(page.getByText('Address added successfully')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('radio', { name: /Meera Nair/ })).toBeChecked();
    await expectDraftAddress(page, 'Meera Nair, Flat 12, Tower B');

    await expect(page.getByRole('button', { name: 'Add new address' })).toBeFocused();
    await page.getByRole('button', { name: 'Add new address' }).click();
    const values = { ...EMPTY, name, mobile };
    for (const [field, label] of Object.entries(addressLabels))
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(values[field as keyof typeof addressLabels]);
  });

  test('an unfinished form survives the closing of its dialog and a reload', async ({ page, signedIn }) => {
    await signedIn();
    await openStep(page);
    await page.getByRole('button', { name: 'Add new address' }).click();
    await page.getByLabel('Landmark').fill('Behind the school');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('button', { name: 'Add new address' }).click();
    await expect(page.getByLabel('Landmark')).toHaveValue('Behind the school');
    await openStep(page);
    await page.getByRole('button', { name: 'Add new address' }).click();
    await expect(page.getByLabel('Landmark')).toHaveValue('Behind the school');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Add new address' }).click();
    await expect(page.getByLabel('Landmark')).toHaveValue('');
  });

  test('highlights the selected address', async ({ page, signedIn }) => {
    await signedIn();
    for (const name of ['Home', 'Office']) await sendCall(page.request, addAddress, { ...home, name });
    await openStep(page);
    await expect(page.getByRole('radio')).toHaveCount(2);
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await page.getByText('Office', { exact: true }).click();
    await expect(page.getByRole('radio', { name: /Office/ })).toBeChecked();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: /Home/ })).toBeChecked();
    await expectDraftAddress(page, 'Home, Flat 12, Tower B');
    await axe(page);
  });

  test('shows a change or deletion of the selected address in another tab', async ({ page, signedIn }) => {
    await signedIn();
    const { addressid } = await sendCall(page.request, addAddress, home);
    await openStep(page);
    await page.getByText('Meera Nair', { exact: true }).click();
    await sendCall(page.request, editAddress, { ...home, name: 'Meera and Arun', addressid });
    await openStep(page);
    await expect(page.getByRole('radio', { name: /Meera and Arun/ })).toBeChecked();
    await expectDraftAddress(page, 'Meera and Arun, Flat 12, Tower B');
    await sendCall(page.request, deleteAddress, { addressid });
    await openStep(page);
    await expect(page.getByText('You have no saved address')).toBeVisible();
    await expectDraftAddress(page, NO_ADDRESS);
  });

  test('offers a retry if addresses fail to load', async ({ page, signedIn, expectProblem }) => {
    expectProblem(/request failed: POST .*\/address\/getaddress.php/);
    await signedIn();
    await sendCall(page.request, addAddress, home);
    await page.route('**/address/getaddress.php', (route) => route.abort(), { times: 1 });
    await openStep(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('radio')).toHaveCount(1);
  });
});
