/**
 * The cart, a bottom sheet: its stages and how it closes. Specification sections 2 and 4, "Order
 * cart", "Cart".
 */
import { cart, chooseService, proceed, saveAddress, tile } from './order-steps.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';

const area = (page: Parameters<typeof cart>[0], name: string) => cart(page).getByRole('radio', { name: new RegExp(`^${name}`) });

test('opens at stage 0 without an area, and enables Proceed once an area is selected', async ({ page, seen }) => {
  await page.goto('/');
  await tile(page, 'Wash + Iron').click();
  await expect(cart(page).getByRole('heading', { name: 'Choose your area' })).toBeVisible();
  await expect(proceed(page)).toBeDisabled();
  await axe(page);
  await area(page, 'Vatika India Next').check();
  await expect(proceed(page)).toBeEnabled();
  await seen('cart', 'Proceed');
  await proceed(page).click();
  await expect(cart(page).getByRole('heading', { name: 'Check your options' })).toBeFocused();
});

test('opens at stage 1 with an area; Change returns to stage 0', async ({ page, seen }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: 'Manesar' }).check();
  await tile(page, 'Wash').click();
  await expect(cart(page).getByRole('heading', { name: 'Check your options' })).toBeVisible();
  await expect(cart(page).getByText('₹38 per kg')).toBeVisible();
  await seen('cart', 'change');
  await axe(page);
  await fitsWidth(page, 320);
  await cart(page).getByRole('button', { name: 'change' }).click();
  await expect(cart(page).getByRole('heading', { name: 'Choose your area' })).toBeFocused();
  await area(page, 'Vatika India Next').check();
  await proceed(page).click();
  await expect(cart(page).getByText('₹48 per kg')).toBeVisible();
});

for (const [service, uses, lacks] of [
  ['Wash', ['Surf Excel', 'Soft Touch'], ['Steam']],
  ['Wash + Iron', ['Surf Excel', 'Soft Touch', 'Steam'], []],
  ['Iron', ['Steam'], ['Surf Excel', 'Soft Touch']],
] as const) {
  test(`${service} uses ${uses.join(', ')}; items and weight are calculated at pickup`, async ({ page }) => {
    await page.goto('/');
    await page.getByRole('radio', { name: 'Manesar' }).check();
    await tile(page, service).click();
    for (const text of uses) await expect(cart(page).getByText(text, { exact: true })).toBeVisible();
    for (const text of lacks) await expect(cart(page).getByText(text, { exact: true })).toHaveCount(0);
    await expect(cart(page).getByText('Calculated at pickup')).toHaveCount(2);
    await expect(cart(page).getByText('Pickup day: Today, Nov 21, 2026')).toBeVisible();
  });
}

test.describe('closing the cart', () => {
  test('clears the service and reopens at stage 1 if an area is selected', async ({ page }) => {
    await chooseService(page, 'Wash', 'Manesar');
    await cart(page).getByRole('button', { name: 'Close' }).click();
    await expect(cart(page)).toBeHidden();
    await page.reload();
    await expect(cart(page)).toBeHidden();
    await tile(page, 'Iron').click();
    await expect(cart(page).getByRole('heading', { name: 'Iron', exact: true })).toBeVisible();
    await expect(cart(page).getByRole('heading', { name: 'Check your options' })).toBeVisible();
  });

  test('works with Escape and a click on the backdrop; reopens at stage 0 without an area', async ({ page }) => {
    await page.goto('/');
    await tile(page, 'Wash').click();
    await expect(cart(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(cart(page)).toBeHidden();
    await expect(tile(page, 'Wash')).toBeFocused();
    await tile(page, 'Wash').click();
    await page.mouse.click(100, 20);
    await expect(cart(page)).toBeHidden();
    await tile(page, 'Iron').click();
    await expect(cart(page).getByRole('heading', { name: 'Choose your area' })).toBeVisible();
  });
});

test('a reload preserves the open cart and its stage', async ({ page }) => {
  await chooseService(page, 'Iron', 'Vatika India Next');
  await page.reload();
  await expect(cart(page).getByRole('heading', { name: 'Pickup and delivery address' })).toBeVisible();
  await expect(cart(page).getByText('₹50 per kg')).toBeVisible();
});

test.describe('stage 2 without an address', () => {
  const MISSING = '* Please select a pickup & delivery address or checkout as guest';

  test('shows the hints of a signed-out visitor', async ({ page, seen }) => {
    await chooseService(page, 'Wash', 'Manesar');
    await seen('cart', 'Before adding address you need to login first');
    await expect(cart(page).getByText(MISSING)).toBeVisible();
    await proceed(page).click();
    await expect(cart(page).getByRole('alert').filter({ hasText: MISSING })).toBeVisible();
    await expect(page).toHaveURL('/#cart');
    await axe(page);
  });

  test('shows the hints of a customer without and with a saved address', async ({ page, signedIn, seen }) => {
    const customer = await signedIn();
    await chooseService(page, 'Wash', 'Manesar');
    await seen('cart', 'You have no saved address');
    await seen('cart', 'Add new address');
    await expect(cart(page).getByText('* Please select a pickup & delivery address, or add a new one here')).toBeVisible();
    await expect(cart(page).getByText(MISSING)).toHaveCount(0);
    await proceed(page).click();
    await expect(cart(page).getByRole('alert').filter({ hasText: 'add a new one here' })).toBeVisible();
    await axe(page);
    await saveAddress(page.request, customer);
    await page.reload();
    await cart(page)
      .getByRole('radio', { name: new RegExp(customer.name) })
      .check();
    await expect(cart(page).getByText(/^\* Please select/)).toHaveCount(0);
    await axe(page);
    await fitsWidth(page, 320);
  });

  test('shows the hint for a missing slot, which links to its stage', async ({ page, signedIn }) => {
    const customer = await signedIn();
    await saveAddress(page.request, customer);
    await page.goto('/');
    await page.getByRole('radio', { name: 'Manesar' }).check();
    await tile(page, 'Wash').click();
    await cart(page).getByRole('button', { name: '05:00 - 09:00 PM' }).click();
    await proceed(page).click();
    await cart(page)
      .getByRole('radio', { name: new RegExp(customer.name) })
      .check();
    await proceed(page).click();
    await expect(cart(page).getByText('* Please select a pickup timeslot')).toBeVisible();
    await expect(page).toHaveURL('/#cart');
    await cart(page).getByRole('button', { name: '05:00 - 09:00 PM' }).click();
    await expect(cart(page).getByText('* Please select a pickup timeslot')).toHaveCount(0);
  });
});

test.describe('the history entry of the cart', () => {
  test('Back closes the cart, stays on the page and clears the service', async ({ page }) => {
    await page.goto('/refer');
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.getByRole('radio', { name: 'Manesar' }).check();
    await tile(page, 'Wash').click();
    await expect(cart(page)).toBeVisible();
    await page.goBack();
    await expect(cart(page)).toBeHidden();
    await expect(page).toHaveURL('/home');
    await page.goForward();
    await expect(cart(page)).toBeHidden();
  });

  test('Back returns to the stage before, Close and the last Back to home', async ({ page }) => {
    const stage = (name: string) => expect(cart(page).getByRole('heading', { name })).toBeVisible();
    await page.goto('/refer');
    await page.getByRole('link', { name: 'Home' }).first().click();
    await tile(page, 'Wash').click();
    await area(page, 'Manesar').check();
    await proceed(page).click();
    await proceed(page).click();
    await stage('Pickup and delivery address');
    await page.goBack();
    await stage('Check your options');
    await page.goForward();
    await stage('Pickup and delivery address');
    await page.reload();
    await page.goBack();
    await stage('Check your options');
    await cart(page).getByRole('button', { name: 'change' }).click();
    await stage('Choose your area');
    await page.goBack();
    await stage('Check your options');
    await page.goBack();
    await stage('Choose your area');
    await page.goBack();
    await expect(cart(page)).toBeHidden();
    await expect(page).toHaveURL('/home');

    await tile(page, 'Wash').click();
    await proceed(page).click();
    await stage('Pickup and delivery address');
    await cart(page).getByRole('button', { name: 'Close' }).click();
    await expect(page).toHaveURL('/home');
    await page.goBack();
    await expect(page).toHaveURL('/refer');
  });

  test('Back returns to the stage before also after a log-in', async ({ page, signedIn }) => {
    await chooseService(page, 'Wash', 'Manesar');
    await signedIn();
    // A log-in leads back to the cart without the state of its entry.
    await page.goto('/refer');
    await page.goto('/#cart');
    await expect(cart(page).getByRole('heading', { name: 'Pickup and delivery address' })).toBeVisible();
    await cart(page).getByRole('button', { name: 'change' }).click();
    await expect(cart(page).getByRole('heading', { name: 'Choose your area' })).toBeVisible();
    await page.goBack();
    await expect(cart(page).getByRole('heading', { name: 'Pickup and delivery address' })).toBeVisible();
    await cart(page).getByRole('button', { name: 'Close' }).click();
    await expect(cart(page)).toBeHidden();
  });

  test('closing with the button removes the entry', async ({ page }) => {
    await page.goto('/refer');
    await page.getByRole('link', { name: 'Home' }).first().click();
    await tile(page, 'Iron').click();
    await cart(page).getByRole('button', { name: 'Close' }).click();
    await expect(page).toHaveURL('/home');
    await expect(tile(page, 'Iron')).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL('/refer');
  });

  test('a reload preserves the open cart, a new navigation to home does not open it', async ({ page }) => {
    await chooseService(page, 'Wash', 'Manesar');
    await page.reload();
    await expect(cart(page)).toBeVisible();
    await cart(page).getByRole('link', { name: 'Review details' }).click();
    await page
      .getByRole('link', { name: /Dhulai/ })
      .first()
      .click();
    await expect(tile(page, 'Wash')).toBeVisible();
    await expect(cart(page)).toBeHidden();
  });
});

const scriptsOf = (page: Page) => {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') urls.push(request.url());
  });
  return urls;
};

test.describe('the script of the cart', () => {
  test('is loaded when home is idle: a tap then needs no request', async ({ page }) => {
    const loaded = page.waitForResponse(/assets\/cart-sheet-.*\.js$/);
    await page.goto('/');
    await loaded;
    await page.waitForLoadState('networkidle');
    // The free evenings are fetched beside it. Here they never arrive.
    await page.route('**/orders/evenings', () => {});
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await tile(page, 'Wash').click();
    await expect(cart(page).getByRole('heading', { name: 'Choose your area' })).toBeVisible();
    expect(requests.filter((url) => !url.endsWith('/orders/evenings'))).toEqual([]);
  });

  test('is loaded at the tap for customers who save data; the tile shows that the cart opens', async ({ page, passTime }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
    const held = Promise.withResolvers<void>();
    await page.route(/assets\/cart-sheet-.*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    const scripts = scriptsOf(page);
    await page.goto('/');
    await passTime(30);
    expect(scripts.filter((url) => url.includes('cart-sheet'))).toEqual([]);
    await tile(page, 'Wash').click();
    await expect(tile(page, 'Wash')).toHaveCSS('opacity', '0.7');
    held.resolve();
    await expect(cart(page).getByRole('heading', { name: 'Choose your area' })).toBeVisible();
    await expect(tile(page, 'Wash')).toHaveCSS('opacity', '1');
  });
});
