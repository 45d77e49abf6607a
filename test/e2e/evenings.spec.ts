/** Evenings with a capacity, for customers and on the screen of the console. Decision 60. */
import { addDays } from '../../src/lib/dates.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { newestCode } from './codes.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';
import { expectHindi } from './hindi.ts';
import { cart, chooseService, detail, goToGuestVerification, goToOverview, saveAddress, tile } from './order-steps.ts';
import { placeOrders } from './ordering.ts';
import { addStaff, logInStaff, openConsole } from './staff-steps.ts';

const CAPACITY = 30;

/** The tests of one worker share its program. */
test.afterEach(async ({ program: { db } }) => {
  await db.deleteFrom('evening_bookings').execute();
  await db.deleteFrom('evening_exceptions').execute();
  await db.updateTable('evening_plans').set({ version: 0, capacity: null, closed_weekdays: [], cut_off: '16:00' }).execute();
});

/** Leaves this number of places on evenings of November 2026. */
async function leave({ db }: BrowserTestProgram, area: 'manesar' | 'vatika', places: Readonly<Record<number, number>>) {
  const plans = db.updateTable('evening_plans').set(({ eb }) => ({ capacity: CAPACITY, version: eb('version', '+', 1) }));
  await plans.where('area', '=', area).execute();
  for (const [day, left] of Object.entries(places)) {
    const row = { area, day: `2026-11-${day}`, booked: CAPACITY - left };
    const { booked } = row;
    await db
      .insertInto('evening_bookings')
      .values(row)
      .onConflict((conflict) => conflict.columns(['area', 'day']).doUpdateSet({ booked }))
      .execute();
  }
}

test('a customer is offered the next free evening, and goes on with one tap when it fills up', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await leave(program, 'vatika', { 21: 0, 22: 3 });
  await page.goto('/');
  await page.getByRole('main').getByRole('radio', { name: 'Vatika India Next' }).check();
  await tile(page, 'Wash').click();
  await expect(cart(page).getByText('Pickup day: Nov 22, 2026')).toBeVisible();
  await expect(cart(page).getByText('Today, Nov 21, 2026: full. This is the next free evening.')).toBeVisible();
  await expect(cart(page).getByText('3 places left')).toBeVisible();
  await axe(page);
  await cart(page).getByRole('button', { name: 'Proceed' }).click();
  // The summary reads the evenings again, and must not see the change below.
  const read = page.waitForRequest((request) => request.url().endsWith('/orders/evenings') && page.url().endsWith(links.overview()));
  await goToOverview(page, customer);
  await (await read).response();
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 22, 2026');
  await expect(page.getByText('3 places left')).toBeVisible();
  await fitsWidth(page, 320);

  // Other customers take the last places meanwhile.
  await leave(program, 'vatika', { 22: 0, 23: 20 });
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByText('This evening is full, the next free one is on Nov 23, 2026')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Order summary' })).toBeVisible();
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 23, 2026');
  await expect(page.getByText('places left')).toHaveCount(0);
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 23, 2026');
});

test('a customer chooses another day while ordering, and loses nothing when it fills up', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await leave(program, 'vatika', { 22: 0 });
  await chooseService(page, 'Wash', 'Vatika India Next');
  await expect(cart(page).getByText('Pickup day: Today, Nov 21, 2026')).toBeVisible();
  await cart(page).getByRole('button', { name: 'Another day' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change pickup day' });
  await expect(dialog.getByRole('radio')).toHaveCount(7);
  await expect(dialog.getByRole('radio', { name: /^Sun, Nov 22, 2026/ })).toBeDisabled();
  await axe(page);
  await dialog.getByRole('radio', { name: /^Tue, Nov 24, 2026/ }).check();
  await dialog.getByRole('button', { name: 'Change pickup day' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(cart(page).getByRole('button', { name: 'Another day' })).toBeFocused();
  await page.reload();
  await expect(cart(page).getByText('Pickup day: Nov 24, 2026')).toBeVisible();
  await goToOverview(page, customer);
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 24, 2026');
  await axe(page);
  await fitsWidth(page, 320);

  await leave(program, 'vatika', { 24: 0, 25: 20 });
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByText('This evening is full, the next free one is on Nov 25, 2026')).toBeVisible();
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 25, 2026');
  await expect(page.getByText('Nov 24, 2026: full. This is the next free evening.')).toBeVisible();
  await page.getByRole('button', { name: 'Another day' }).click();
  await dialog.getByRole('radio', { name: /^Thu, Nov 26, 2026/ }).check();
  await dialog.getByRole('button', { name: 'Change pickup day' }).click();
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 26, 2026');
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 26, 2026');
});

test('a customer with three pickups on an evening goes on with the next one', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await leave(program, 'manesar', { 21: 20 });
  await placeOrders(page.request, customer, 3);
  await chooseService(page, 'Wash', 'Manesar');
  await cart(page).getByRole('radio', { name: customer.name }).first().check();
  await cart(page).getByRole('link', { name: 'Review details' }).click();
  await page.getByRole('button', { name: 'Confirm Order' }).click();
  await page.getByRole('link', { name: 'Place Order' }).click();
  await page.getByRole('button', { name: 'Place another' }).click();
  const loaded = page.waitForResponse('**/orders/evenings');
  await expect(page.getByText('One customer can have 3 pickups on an evening, the next free evening is on Nov 22, 2026')).toBeVisible();
  await loaded;
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 22, 2026');
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
});

test('a guest whose evening filled up during the code goes on without another code', async ({ page, program, newMobile }) => {
  const mobile = newMobile();
  await goToGuestVerification(page, mobile);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  await leave(program, 'vatika', { 21: 0 });
  await page.getByLabel('OTP').fill(await newestCode(page, mobile));
  await expect(page.getByRole('heading', { name: 'Order summary' })).toBeVisible();
  await expect(detail(page, 'Pickup day')).toHaveText('Nov 22, 2026');
  await page.getByRole('link', { name: 'Place Order' }).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
});

test('without a limit no evening has a note, and the other area keeps its day', async ({ page, program, signedIn }) => {
  const customer = await signedIn();
  await saveAddress(page.request, customer);
  await leave(program, 'vatika', { 21: 0 });
  const loaded = page.waitForResponse('**/orders/evenings');
  await chooseService(page, 'Wash', 'Manesar');
  await loaded;
  await goToOverview(page, customer);
  await expect(detail(page, 'Pickup day')).toHaveText('Today, Nov 21, 2026');
  await expect(page.getByText(/next free evening|places left/)).toHaveCount(0);
});

test('a pickup is not moved to a full evening', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await leave(program, 'manesar', { 21: 0, 22: 0, 23: 2, 24: 1 });
  await page.goto(links.order(orderid));
  await page.getByRole('button', { name: 'Change pickup day' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change pickup day' });
  await expect(dialog.getByRole('radio', { name: /^Sun, Nov 22, 2026/ })).toBeDisabled();
  await expect(dialog.getByText('2 places left')).toBeVisible();
  // Not the evening of the order itself.
  await expect(dialog.getByText('Full')).toHaveCount(1);
  await axe(page);
  await dialog.getByRole('radio', { name: /^Tue, Nov 24, 2026/ }).check();
  await leave(program, 'manesar', { 24: 0 });
  await dialog.getByRole('button', { name: 'Change pickup day' }).click();
  await expect(page.getByText('This evening is full, the next free one is on Nov 25, 2026')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /^Wed, Nov 25, 2026/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Change pickup day' }).click();
  await expect(page.getByText('Your pickup is now on Nov 25, 2026')).toBeVisible();
});

test('the evening on which an order has its place shows no number of places', async ({ page, program, signedIn }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await leave(program, 'manesar', { 21: 1, 22: 2 });
  await page.goto(links.order(orderid));
  await page.getByRole('button', { name: 'Change pickup day' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change pickup day' });
  await expect(dialog.getByText('2 places left')).toBeVisible();
  await expect(dialog.getByText('1 place left')).toHaveCount(0);
});

test('the owner plans the evenings with the keyboard, and a rider reads them', async ({ page: desk, program, signedIn, newMobile }) => {
  await placeOrders(desk.request, await signedIn(), 1);
  const [owner, rider] = [newMobile(), newMobile()];
  await addStaff(program, 'owner', 'Ravi Kumar', owner);
  await addStaff(program, 'rider', 'सुनील यादव', rider);
  await desk.goto(staffLinks.evenings());
  await logInStaff(desk, owner);
  await expect(desk.getByText('No evening has a limit yet')).toBeVisible();
  await axe(desk);
  await fitsWidth(desk, 360);

  const changePlan = desk.getByRole('button', { name: 'Edit Manesar', exact: true });
  await changePlan.focus();
  await desk.keyboard.press('Enter');
  const planning = desk.getByRole('dialog', { name: 'The usual week in Manesar' });
  await expect(planning.getByLabel('Orders each evening')).toBeFocused();
  await desk.keyboard.type('0');
  await desk.keyboard.press('Enter');
  await expect(planning.getByText('Enter a whole number from 1 to 1,000, or nothing for any number')).toBeVisible();
  await axe(desk);
  await planning.getByLabel('Orders each evening').fill('30');
  await planning.getByLabel('Same day until').fill('15:30');
  await planning.getByRole('checkbox', { name: 'Sunday' }).focus();
  await desk.keyboard.press('Space');
  await expect(planning.getByText('1 order is to be brought back then. Its time stays as promised.')).toBeVisible();
  await planning.getByRole('button', { name: 'Save' }).focus();
  await desk.keyboard.press('Enter');
  await expect(planning).toHaveCount(0);
  await expect(desk.getByText('No evening has a limit yet')).toHaveCount(0);
  const plan = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 3, name: 'Manesar' }) });
  await expect(plan).toContainText('30 orders');
  await expect(plan).toContainText('3:30 PM');
  await expect(plan).toContainText('Sunday');

  const day = (name: string) => desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 3, name }) });
  await expect(day('Sun, Nov 22, 2026').getByText('Closed', { exact: true })).toBeVisible();
  const today = day('Sat, Nov 21, 2026');
  await expect(today.getByRole('link', { name: /of 30 booked/ })).toBeVisible();
  await today.getByRole('button', { name: /^Edit Manesar/ }).click();
  const closing = desk.getByRole('dialog', { name: 'Sat, Nov 21, 2026' });
  await closing.getByLabel('Area').selectOption('All areas');
  await closing.getByText('Closed', { exact: true }).click();
  await expect(closing.getByText(/booked for this evening and stay/)).toBeVisible();
  await axe(desk);
  await closing.getByRole('button', { name: 'Save' }).click();
  await expect(closing).toHaveCount(0);
  await expect(today.getByText('Closed', { exact: true })).toHaveCount(2);
  await fitsWidth(desk, 360);
  await desk.getByRole('button', { name: 'Later evenings' }).click();
  await expect(desk).toHaveURL(/from=2026-12-05/);
  await expect(day('Sat, Dec 05, 2026')).toBeVisible();

  await desk.goto(`${staffLinks.audit()}?action=set-evening-plan&subject=manesar`);
  const entry = desk.getByRole('listitem').filter({ hasText: 'Changed the plan of the evenings' }).first();
  await expect(entry).toContainText('Ravi Kumar · Manesar');
  await expect(entry).toContainText('Any number → 30 orders');
  await axe(desk);
  await fitsWidth(desk, 360);

  await desk.context().clearCookies({ name: 'staff' });
  await desk.goto(staffLinks.evenings());
  await logInStaff(desk, rider);
  await expect(today.getByText('Closed', { exact: true })).toHaveCount(2);
  await desk.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await desk.goto(staffLinks.evenings());
  await expect(desk.getByRole('heading', { level: 1, name: 'शामें' })).toBeVisible();
  await expect(desk.getByRole('button', { name: /बदलें/ })).toHaveCount(0);
  await expectHindi(desk, 'the evenings');
  await fitsWidth(desk, 360);
});

test('the orders that stay on an evening are those of the chosen areas, each with its name', async ({
  page: desk,
  program,
  signedIn,
  newMobile,
}) => {
  const { db } = program;
  const [first = '', second = '', third = ''] = await placeOrders(desk.request, await signedIn(), 3);
  const day = '2026-12-03';
  await db.updateTable('orders').set({ pickup_day: day }).where('id', 'in', [first, second, third]).execute();
  await db.updateTable('orders').set({ area: 'vatika' }).where('id', '=', third).execute();
  await db.updateTable('evening_plans').set({ capacity: 1, version: 1 }).where('area', '=', 'vatika').execute();
  await openConsole(desk, program, { role: 'owner', mobile: newMobile(), path: staffLinks.evenings() });
  const evening = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 3, name: 'Thu, Dec 03, 2026' }) });
  await evening.getByRole('button', { name: /^Edit Manesar/ }).click();
  const dialog = desk.getByRole('dialog', { name: 'Thu, Dec 03, 2026' });
  const notices = dialog.getByRole('status').filter({ hasText: 'booked' });
  await dialog.getByText('Closed', { exact: true }).click();
  await expect(notices).toHaveText([/^2 orders are booked/]);
  await dialog.getByLabel('Area').selectOption('All areas');
  await expect(notices).toHaveText([/^Manesar2 orders are booked/, /^Vatika India Next1 order is booked/]);
  await axe(desk);
  // One order is no more than the number, in this area.
  await dialog.getByText('Another number').click();
  await dialog.getByLabel('Orders on this evening').fill('1');
  await expect(notices).toHaveText([/^Manesar2 orders are booked/]);
  await expect(dialog.getByText('Manesar: Any number · Vatika India Next: 1 order')).toBeVisible();
  await dialog.getByLabel('Area').selectOption('Manesar');
  await expect(dialog.getByText('Any number', { exact: true })).toHaveCount(2);
});

test('a week and an evening that were changed meanwhile are shown, and what was typed stays', async ({
  page: desk,
  program,
  newMobile,
  expectProblem,
}) => {
  await openConsole(desk, program, { role: 'owner', mobile: newMobile(), path: staffLinks.evenings(), name: 'Ravi Kumar' });
  const { db } = program;
  await desk.getByRole('button', { name: 'Edit Manesar', exact: true }).click();
  const planning = desk.getByRole('dialog', { name: 'The usual week in Manesar' });
  await planning.getByRole('checkbox', { name: 'Monday' }).check();
  await db.updateTable('evening_plans').set({ capacity: 12, version: 9 }).where('area', '=', 'manesar').execute();
  expectProblem(/response 409: POST .*\/staff\/setslots/);
  await planning.getByRole('button', { name: 'Save' }).click();
  await expect(planning.getByText('Each evening: 12 orders. Same day until: 4:00 PM. Closed on: No day.')).toBeVisible();
  await expect(planning.getByRole('checkbox', { name: 'Monday' })).toBeChecked();
  await expect(planning.getByLabel('Orders each evening')).toHaveValue('12');
  await axe(desk);
  await fitsWidth(desk, 360);
  await planning.getByRole('button', { name: 'Save' }).click();
  await expect(planning).toHaveCount(0);
  const plan = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 3, name: 'Manesar' }) });
  await expect(plan).toContainText('12 orders');
  await expect(plan).toContainText('Monday');

  const today = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 3, name: 'Sat, Nov 21, 2026' }) });
  await today.getByRole('button', { name: /^Edit Manesar/ }).click();
  const evening = desk.getByRole('dialog', { name: 'Sat, Nov 21, 2026' });
  await evening.getByText('Another number').click();
  await evening.getByLabel('Orders on this evening').fill('5');
  await db.insertInto('evening_exceptions').values({ area: 'manesar', day: '2026-11-21', capacity: 0 }).execute();
  await evening.getByRole('button', { name: 'Save' }).click();
  await expect(evening.getByText('Manesar: Closed')).toBeVisible();
  await expect(evening.getByLabel('Orders on this evening')).toHaveValue('5');
  await axe(desk);
  await evening.getByRole('button', { name: 'Save' }).click();
  await expect(evening).toHaveCount(0);
  await expect(today.getByRole('link', { name: /of 5 booked/ })).toBeVisible();
});

test('another day of an order begins with the next evening, and needs one that is open', async ({ page, program, signedIn, newMobile }) => {
  const { db } = program;
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  const { pickup_day: day } = await db.selectFrom('orders').select('pickup_day').where('id', '=', orderid).executeTakeFirstOrThrow();
  await openConsole(page, program, { role: 'operator', mobile: newMobile(), path: staffLinks.order(orderid) });
  const dialog = page.getByRole('dialog', { name: 'Another day' });
  const open = () => page.getByRole('button', { name: 'Another day' }).click();
  await open();
  await expect(dialog.getByLabel('Pickup day')).toHaveValue(addDays(day, 1));
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Another day' })).toBeFocused();

  await db
    .updateTable('evening_plans')
    .set({ version: 1, closed_weekdays: [1, 2, 3, 4, 5, 6, 7] })
    .execute();
  await page.reload();
  await open();
  await expect(dialog.getByText(/^There is no other evening to choose\./)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await axe(page);
});
