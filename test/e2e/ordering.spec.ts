/**
 * Ordering from home to the confirmation: every service in every area, all hints and delays, by
 * mouse and keyboard.
 */
import { cart, detail, chooseService, proceed, saveAddress, SERVICES, tile, goToOverview } from './order-steps.ts';
import { axe, expect, fitsLargeText, fitsWidth, test, type Page } from './fixtures.ts';
import { setTextSize } from './page-checks.ts';

const RATES = {
  Manesar: { Wash: 38, 'Wash + Iron': 62, Iron: 45 },
  'Vatika India Next': { Wash: 48, 'Wash + Iron': 72, Iron: 50 },
} as const;

for (const area of ['Manesar', 'Vatika India Next'] as const) {
  for (const service of SERVICES) {
    test(`${service} in ${area} costs ₹${RATES[area][service]} from the cart to the order`, async ({ page, program, signedIn, seen }) => {
      const customer = await signedIn();
      await saveAddress(page.request, customer);
      const rate = `₹${RATES[area][service]} per kg`;
      await chooseService(page, service, area);
      await expect(cart(page).getByText(rate)).toBeVisible();
      await goToOverview(page, customer);
      await expect(detail(page, 'Rate')).toHaveText(rate);
      await page.getByRole('link', { name: 'Place Order' }).click();

      await seen('confirm', 'Order placed successfully');
      await expect(page.getByRole('heading', { name: /Thank you/ })).toBeFocused();
      await expect(detail(page, 'Wash Program')).toHaveText(service);
      await expect(detail(page, 'Area')).toHaveText(area);
      await expect(detail(page, 'Pickup day')).toHaveText('Today, Nov 21, 2026');
      await expect(detail(page, 'Pickup timeslot')).toHaveText('05:00 - 09:00 PM');
      for (const label of ['Items', 'Weight (kg)', 'Amount']) await expect(detail(page, label)).toHaveText('Calculated at pickup');
      const orders = await program.db.selectFrom('orders').selectAll().where('customer_id', '=', customer.userid).execute();
      expect(orders).toMatchObject([{ program_name: service, order_rate_paise: RATES[area][service] * 100, ship_name: customer.name }]);
      await expect(detail(page, 'Order No')).toHaveText(orders[0]!.id);
      await expect(page.getByRole('link', { name: 'View order' })).toHaveAttribute('href', `/auth/orders/vieworder/${orders[0]!.id}`);
    });
  }
}

test('with twice the text size, the footer of the cart leaves room for its content and breaks no word', async ({ page }) => {
  await chooseService(page, 'Wash', 'Manesar');
  await setTextSize(page, '200%');
  // 'Weighed' is in one piece: its line boxes are one.
  const lines = await cart(page)
    .getByText('Weighed at pickup')
    .evaluate((element) => {
      const text = [...element.childNodes].find((node) => node.textContent?.startsWith('Weighed'))!;
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 'Weighed'.length);
      return range.getClientRects().length;
    });
  expect.soft(lines).toBe(1);
  await cart(page).getByRole('button', { name: 'Checkout as guest' }).click();
  await expect(cart(page).getByRole('heading', { name: 'Checkout as guest' })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 800 });
  // One line of 28 px text.
  const area = cart(page).locator('p').getByText('Manesar', { exact: true });
  await expect.poll(async () => (await area.boundingBox())?.height).toBeLessThan(60);
  await fitsLargeText(page);
});

test('Proceed at stage 2 of the cart places the order', async ({ page, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page)
    .getByRole('radio', { name: new RegExp(customer.name) })
    .check();
  await proceed(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 320);
  await page.setViewportSize({ width: 390, height: 664 });
  await expect(page.getByRole('link', { name: 'View order' })).toBeInViewport({ ratio: 1 });
  // The order would select its area on home again.
  await page.route('**/orders/getorder.php', () => {});
  await page.getByRole('link', { name: 'Go to home' }).click();
  await expect(cart(page)).toBeHidden();
  await expect(page.getByRole('radio', { name: 'Manesar' })).not.toBeChecked();
});

test('places an order with the keyboard alone', async ({ page, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await page.goto('/');
  const press = async (locator: ReturnType<typeof tile>, key: string) => {
    for (let tabs = 0; tabs < 40; tabs++) {
      if (await locator.evaluate((element) => element === document.activeElement)) return page.keyboard.press(key);
      await page.keyboard.press('Tab');
    }
    throw new Error('Tab does not reach the element');
  };
  await press(page.getByRole('radio', { name: 'Manesar' }), 'ArrowRight');
  await expect(page.getByRole('radio', { name: 'Vatika India Next' })).toBeChecked();
  await press(tile(page, 'Wash + Iron'), 'Enter');
  await press(proceed(page), 'Enter');
  await expect(cart(page).getByRole('heading', { name: 'Pickup and delivery address' })).toBeFocused();
  await press(cart(page).getByRole('radio', { name: new RegExp(customer.name) }), 'Space');
  await press(cart(page).getByRole('link', { name: 'Review details' }), 'Enter');
  await press(page.getByRole('button', { name: 'Confirm Order' }), 'Enter');
  await press(page.getByRole('link', { name: 'Place Order' }), 'Enter');
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeFocused();
});

const step = (page: Page, title: string) => page.locator('summary', { hasText: title });

test('/stages without a selection shows every hint, and the lowest rates', async ({ page, seen }) => {
  await page.goto('/stages');
  for (const rate of ['from ₹38 per kg', 'from ₹45 per kg']) await expect(page.getByText(rate, { exact: true }).first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const text of ['Cancel Order', 'Confirm Order'] as const) await seen('stages', text);
  await step(page, 'Time slot').click();
  await seen('stages', '05:00 - 09:00 PM');
  await page.getByRole('button', { name: '05:00 - 09:00 PM' }).click();
  await page.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(page).toHaveURL('/stages');
  await seen('stages', '* Please select wash program');
  await seen('stages', '* Please select a pickup timeslot');
  await seen('stages', '* Please select a pickup & delivery address or checkout as guest');
  await axe(page);
  await fitsWidth(page, 320);
});

test('/stages: each completed step removes its hint, and Confirm Order opens the summary', async ({ page, signedIn, seen }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await page.goto('/stages');
  await expect(page.getByText(customer.name).last()).toBeAttached();
  await step(page, 'Time slot').click();
  await page.getByRole('button', { name: '05:00 - 09:00 PM' }).click();
  await page.getByRole('button', { name: 'Confirm Order' }).click();
  await expect(page.getByText('* Please select wash program')).toBeVisible();
  await expect(page.getByText('* Please select your area')).toBeVisible();
  await page.getByRole('radio', { name: /^Iron/ }).check();
  await expect(page.getByText('* Please select your area')).toBeVisible();
  await page.getByRole('radio', { name: 'Manesar' }).check();
  await step(page, 'Time slot').click();
  await page.getByRole('button', { name: '05:00 - 09:00 PM' }).click();
  await step(page, 'Pickup and delivery address').click();
  await page.getByRole('radio', { name: new RegExp(customer.name) }).check();
  await fitsLargeText(page);
  await expect(page.getByText(/^\* Please/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Confirm Order' }).click();

  await expect(page).toHaveURL('/overview');
  for (const text of ['Edit details', 'Place Order'] as const) await seen('overview', text);
  await expect(detail(page, 'Rate')).toHaveText('₹45 per kg');
  await axe(page);
  await fitsWidth(page, 320);
  await page.getByRole('link', { name: 'Edit details' }).click();
  await expect(page).toHaveURL('/stages');
});

test('/stages opens the next unfinished step, and the pages of an order have no footer', async ({ page }) => {
  const isOpen = (title: string) => expect(page.getByRole('group').filter({ has: step(page, title) })).toHaveAttribute('open');
  await page.goto('/stages');
  await isOpen('Wash program');
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await chooseService(page, 'Wash', 'Manesar');
  await expect(page.getByText('Powered by')).toHaveCount(1);
  await cart(page).getByRole('link', { name: 'Review details' }).click();
  await isOpen('Pickup and delivery address');
  await page.reload();
  await isOpen('Pickup and delivery address');
});

test('/stages: Confirm Order opens the missing step also right after another one was opened', async ({ page }) => {
  await page.goto('/stages');
  const details = (title: string) => page.getByRole('group').filter({ has: step(page, title) });
  await expect(details('Wash program')).toHaveAttribute('open');
  // Both clicks are handled before the toggle event of the first one.
  const confirm = await page.getByRole('button', { name: 'Confirm Order' }).elementHandle();
  await step(page, 'Time slot').evaluate((summary, button) => {
    for (const element of [summary, button]) (element as HTMLElement).click();
  }, confirm);
  await expect(page.getByText('* Please select wash program')).toBeVisible();
  await expect(details('Wash program')).toHaveAttribute('open');
  await expect(details('Time slot')).not.toHaveAttribute('open');
});

test('/stages: Cancel Order opens home and clears the service', async ({ page }) => {
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page).getByRole('link', { name: 'Review details' }).click();
  await page.getByRole('button', { name: 'Cancel Order' }).click();
  await expect(page).toHaveURL('/');
  await expect(tile(page, 'Wash')).toBeVisible();
  await expect(cart(page)).toBeHidden();
});

test('/overview with an incomplete draft shows a loader, and after two seconds the alert and home', async ({
  page,
  passTime,
  program,
  seen,
}) => {
  await page.clock.pauseAt(program.clock.now().getTime() + 1000);
  await page.goto('/overview');
  await expect(page.getByRole('link', { name: 'Go to home' })).toBeVisible();
  await axe(page, { timeIsStopped: true });
  await expect(page).toHaveURL('/overview');
  await passTime(2);
  await expect(page).toHaveURL('/');
  await seen('overview', 'Some error occured, please select your wash program again');
});

test('/confirm without a draft: places nothing, and opens home after two seconds', async ({ page, passTime, program }) => {
  const before = await program.db.selectFrom('orders').select('id').execute();
  await page.clock.pauseAt(program.clock.now().getTime() + 1000);
  await page.goto('/confirm');
  await expect(page.getByRole('link', { name: 'Go to home' })).toBeVisible();
  await axe(page, { timeIsStopped: true });
  await expect(page).toHaveURL('/confirm');
  await passTime(2);
  await expect(page).toHaveURL('/');
  expect(await program.db.selectFrom('orders').select('id').execute()).toHaveLength(before.length);
});

test('log-out clears the draft', async ({ page, signedIn, seen }) => {
  const { name } = await signedIn();
  await page.goto('/');
  await page.getByRole('radio', { name: 'Manesar' }).check();
  await page.getByRole('button', { name: `Hi, ${name}` }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await seen('site', 'Account logged out successfully');
  await expect(page.getByRole('radio', { name: 'Manesar' })).not.toBeChecked();
});
