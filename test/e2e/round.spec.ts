/** The round of a rider, with and without a connection. docs/decisions/0061. */
import type { Locator } from '@playwright/test';
import { transaction } from '../../src/db/database.server.ts';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { deskError } from '../../src/domains/order-desk/desk/contract.ts';
import { photoError } from '../../src/domains/photos/contract.ts';
import { insertOrderEvent } from '../../src/domains/orders/events-store.server.ts';
import { cancelOrder } from '../../src/domains/orders/cancelling-service.server.ts';
import { rescheduleOrder } from '../../src/domains/orders/pickup-service.server.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { readPaidPaise } from '../../src/domains/payments/store.server.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';
import { staleError } from '../../src/domains/order-desk/desk/refusals.ts';
import { STAFF_MOBILE_HEADER } from '../../src/domains/staff/desk/contract.ts';
import { deleteStoredResponses } from '../../src/domains/staff/store.server.ts';
import { addDays, dayAfter, kolkataDay } from '../../src/lib/dates.ts';
import { defaultBrand, telephoneUrl } from '../../src/shared/brand.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { wrongHandOverCode } from '../support/desk-order.ts';
import { home, washInManesar } from '../support/ordering.ts';
import { samplePhoto } from '../support/photos.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import { expectHindi } from './hindi.ts';
import { readHandOverCode } from './order-steps.ts';
import { advanceOrder, placeOrder, placeOrderAt, placeOrders } from './ordering.ts';
import { sendCall, type TestCustomer } from './sign-up.ts';
import { fillWeighing, keyOf, loseFirstResponse, openConsole, STAFF_PASSWORD } from './staff-steps.ts';

const OFFLINE = /ERR_INTERNET_DISCONNECTED/;

const stop = (page: Page, orderid: string) => page.getByRole('article').filter({ has: page.locator(`#stop-${orderid}`) });

async function openRound(page: Page, program: BrowserTestProgram, mobile: string) {
  await openConsole(page, program, { role: 'rider', mobile, path: staffLinks.round(), name: 'Ravi Kumar' });
  await expect(page.getByRole('heading', { level: 1, name: 'Round' })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

async function weigh(page: Page, orderid: string, weight: string) {
  await stop(page, orderid)
    .getByRole('button', { name: /^Weigh/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Weigh' });
  await fillWeighing(dialog, { weight, bags: '2' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
}

async function enterCode(page: Page, orderid: string, code: string, button = 'Hand over') {
  await stop(page, orderid).getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over' });
  await dialog.getByLabel('Hand-over code').fill(code);
  await dialog.getByRole('button', { name: 'Delivered' }).click();
  await expect(dialog).toHaveCount(0);
}

async function noteVisit(page: Page, orderid: string) {
  await stop(page, orderid).getByRole('button', { name: 'Failed visit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Failed visit' });
  await expect(dialog.getByLabel('What happened?')).toBeFocused();
  await dialog.getByLabel('What happened?').selectOption('nobody-home');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Places an order whose pickup is on a later day. */
async function placeOrderFor(page: Page, customer: TestCustomer, day: string): Promise<string> {
  const { addressid } = await sendCall(page.request, addAddress, { ...home, userid: customer.userid });
  return placeOrder(page.request, { ...washInManesar, userid: customer.userid, addressid, pickup_date: day });
}

const eventsOf = async ({ db }: BrowserTestProgram, orderid: string) =>
  (await db.selectFrom('order_events').select('kind').where('order_id', '=', orderid).orderBy('id').execute()).map(({ kind }) => kind);

test.describe('without a connection', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the console opens, a killed tab loses nothing, and two tabs send each entry once', async ({
    page,
    context,
    program,
    signedIn,
    newMobile,
    expectProblem,
  }) => {
    const [orderid = ''] = await placeOrders(page.request, await signedIn({ name: 'Vasundhara Raghunathan' }), 1);
    const rider = newMobile();
    await openRound(page, program, rider);
    await expect(stop(page, orderid).getByRole('button', { name: 'Weigh', exact: true })).toBeVisible();
    await expect(stop(page, orderid).getByRole('link', { name: 'Meera Nair', exact: true })).toBeVisible();
    await axe(page);
    await fitsWidth(page, 360);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));

    expectProblem(OFFLINE);
    await context.setOffline(true);
    await weigh(page, orderid, '7.53');
    await stop(page, orderid).getByRole('button', { name: 'Move to In-Queue' }).click();
    await expect(page.getByText('2 entries are not sent yet')).toBeVisible();
    await expect(stop(page, orderid)).toContainText('7.53 kg, 12 pieces · 2 bags');
    await expect(stop(page, orderid)).toContainText('Amount ₹286.14');
    await axe(page);
    await page.close();

    const tabs = [await context.newPage(), await context.newPage()];
    const sent: (string | undefined)[] = [];
    for (const tab of tabs) {
      tab.on(
        'request',
        (request) => void (/staff\/(?:weigh|move)$/.test(request.url()) && sent.push(request.headers()[STAFF_MOBILE_HEADER])),
      );
      await tab.goto(staffLinks.round());
      await expect(tab.getByText('These are the stops that you saw last.')).toBeVisible();
      await expect(tab.getByText(/^Not updated since \d{1,2}:\d\d [AP]M$/)).toBeVisible();
      await expect(stop(tab, orderid)).toContainText(`Label ${orderid.slice(-4)}`);
      // The screen of the order could not be loaded.
      await expect(stop(tab, orderid).getByRole('link', { name: 'Meera Nair', exact: true })).toHaveCount(0);
      await expect(tab.getByText('2 entries are not sent yet')).toBeVisible();
      await expect(stop(tab, orderid)).toContainText('In-Queue');
    }
    expect(await eventsOf(program, orderid)).toEqual(['placed']);
    sent.splice(0);

    await context.setOffline(false);
    for (const tab of tabs) await expect(tab.getByText(/^\d+ entr.* not sent yet$/)).toHaveCount(0);
    expect(await eventsOf(program, orderid)).toEqual(['placed', 'weighed', 'moved']);
    expect(sent).toEqual([rider, rider]);
    const cached = await tabs[0]!.evaluate(async () => {
      const texts = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) texts.push(`${request.url} ${await (await cache.match(request))?.text()}`);
      }
      return texts;
    });
    expect(cached.length).toBeGreaterThan(5);
    expect(cached.filter((text) => /Meera Nair|Vasundhara|Ravi Kumar/.test(text) || text.includes(orderid))).toEqual([]);
  });
});

test('stops that were seen more than a day ago are deleted from the phone', async ({ page, program, signedIn, newMobile }) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn({ name: 'Ravi' }), 1);
  await openRound(page, program, newMobile());
  await expect(stop(page, orderid)).toBeVisible();
  const ageStops = (hours: number) =>
    page.evaluate(async (agedMs) => {
      const opening = indexedDB.open('staff');
      const database = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)));
      const store = database.transaction('seen', 'readwrite').objectStore('seen');
      const count = await new Promise<number>((resolve) => {
        let stops = 0;
        store.openCursor().onsuccess = ({ target }) => {
          const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
          if (!cursor) return resolve(stops);
          stops += 1;
          cursor.update({ ...cursor.value, seenAt: cursor.value.seenAt - agedMs });
          cursor.continue();
        };
      });
      database.close();
      return count;
    }, hours * 3_600_000);
  expect(await ageStops(23)).toBe(1);
  await page.goto(staffLinks.account());
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await ageStops(2)).toBe(1);
  await page.reload();
  await expect.poll(() => ageStops(0)).toBe(0);
});

test('a photo taken without a connection outlives its tab and is sent once, with the time it was taken', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await openRound(page, program, newMobile());
  const takePhoto = async (tab: Page, buffer: Buffer) => {
    await stop(tab, orderid).getByRole('button', { name: 'Photo' }).click();
    const dialog = tab.getByRole('dialog', { name: 'Add a photo' });
    await expect(dialog.getByLabel('What does it show?')).toHaveValue('weigh');
    await axe(tab);
    await fitsWidth(tab, 360, 1440);
    await dialog.getByLabel('Add a photo').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
    return dialog;
  };
  const broken = await takePhoto(page, Buffer.from('no photo'));
  await expect(broken.getByText(photoError('photo-type').message)).toBeVisible();
  await page.keyboard.press('Escape');

  expectProblem(OFFLINE);
  await context.setOffline(true);
  const dialog = await takePhoto(page, samplePhoto('jpeg'));
  await expect(dialog).toHaveCount(0);
  await expect(stop(page, orderid)).toContainText('Photo · On the scale');
  await expect(page.getByText('1 entry is not sent yet')).toBeVisible();
  await axe(page);
  const photos = program.db.selectFrom('order_photos').select(['kind', 'device_at', 'stored_at']).where('order_id', '=', orderid);
  expect(await photos.execute()).toEqual([]);
  await page.close();

  await context.setOffline(false);
  const tab = await context.newPage();
  // The server stores the photo, and its response is lost.
  expectProblem(/request failed: POST .*staff\/photo/);
  const sent = await loseFirstResponse(tab, '**/staff/photo?*', (route) => route.abort());
  await tab.goto(staffLinks.round());
  await expect(tab.getByText('1 entry is not sent yet')).toBeVisible();
  await expect(tab.getByText('1 entry is not sent yet')).toHaveCount(0);
  expect(sent.map(keyOf)).toEqual([keyOf(sent[0]), keyOf(sent[0])]);
  expect(await photos.execute()).toMatchObject([{ kind: 'weigh', device_at: expect.any(Date), stored_at: expect.any(Date) }]);
  // The photo is no change that makes the weight stale.
  await weigh(tab, orderid, '7.53');
  await expect(stop(tab, orderid).getByRole('button', { name: 'Move to In-Queue' })).toBeVisible();
  expect(await eventsOf(program, orderid)).toEqual(['placed', 'photographed', 'weighed']);
});

test('a lost response changes nothing twice, and a refused entry blocks its own order only', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const customer = await signedIn();
  const [first = '', second = '', third = ''] = await placeOrders(page.request, customer, 3);
  await advanceOrder(program, third, 'delivery');
  await openRound(page, program, newMobile());

  // The server receives the payment, and its response does not arrive.
  expectProblem(/request failed: POST .*staff\/receive/);
  const sent = await loseFirstResponse(page, '**/staff/receive', (route) => route.abort());
  await stop(page, third).getByRole('button', { name: 'Take a payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take ₹286.14' }).click();
  await expect(page.getByText('1 entry is not sent yet')).toBeVisible();
  await expect(page.getByText('1 entry is not sent yet')).toHaveCount(0);
  await expect(stop(page, third).getByText('Paid', { exact: true })).toBeVisible();
  expect(sent.map(keyOf)).toEqual([keyOf(sent[0]), keyOf(sent[0])]);
  expect(await eventsOf(program, third)).toEqual(['placed', 'weighed', 'moved', 'moved', 'moved', 'paid']);

  expectProblem(OFFLINE);
  expectProblem(/response 409: POST .*staff\/attempt/);
  await context.setOffline(true);
  await noteVisit(page, first);
  await noteVisit(page, first);
  await noteVisit(page, second);
  await advanceOrder(program, first, 'queue');
  await context.setOffline(false);
  await expect(page.getByText('1 entry was not accepted')).toBeVisible();
  await expect(page.getByText('1 entry is not sent yet')).toBeVisible();
  await expect(page.getByText(staleError().message)).toBeVisible();
  expect(await eventsOf(program, second)).toEqual(['placed', 'attempted']);
  await axe(page);
  await fitsWidth(page, 360);

  // In its stage no visit is noted any more.
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(deskError('wrong-stage').message)).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard this entry?' });
  await expect(question).toBeVisible();
  await axe(page);
  await question.getByRole('button', { name: 'Discard' }).click();
  // The next one of the order was made with the version before, too.
  await expect(page.getByText('1 entry was not accepted')).toBeVisible();
  await expect(question).toBeHidden();
  await page.getByRole('button', { name: 'Discard' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('1 entry was not accepted')).toHaveCount(0);
});

test('an entry whose response an erasure has deleted is done, and not sent with another key', async ({
  page,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  await openRound(page, program, newMobile());
  expectProblem(/request failed: POST .*staff\/receive/);
  const sent = await loseFirstResponse(page, '**/staff/receive', async (route) => {
    await transaction(program.db, deleteStoredResponses);
    await route.abort();
  });
  await stop(page, orderid).getByRole('button', { name: 'Take a payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take ₹286.14' }).click();
  await expect.poll(() => sent.length).toBe(2);
  await expect(page.getByText('1 entry is not sent yet')).toHaveCount(0);
  await expect(page.getByText('1 entry was not accepted')).toHaveCount(0);
  await expect(stop(page, orderid).getByText('Paid', { exact: true })).toBeVisible();
  expect(sent.map(keyOf)).toEqual([keyOf(sent[0]), keyOf(sent[0])]);
  expect(await eventsOf(program, orderid)).toEqual(['placed', 'weighed', 'moved', 'moved', 'moved', 'paid']);
});

test('an ended session asks for the log-in and keeps the entries, a wrong code is a task, and the order of the stops stays', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const orderids = await placeOrders(page.request, await signedIn(), 2);
  const [orderid = ''] = orderids;
  for (const id of orderids) await advanceOrder(program, id, 'washing');
  for (const id of orderids) await moveOrder(program.db, id, 'delivery', program.clock.now());
  await program.db
    .updateTable('orders')
    .set({ ship_name: 'मीरा नायर', ship_address1: 'फ्लैट 12', ship_address2: 'टावर', ship_landmark: 'टंकी' })
    .execute();
  // The orders of other tests are for another door.
  await program.db.updateTable('orders').set({ ship_address1: 'फ्लैट 7' }).where('id', 'in', orderids).execute();
  const code = await readHandOverCode(page, orderid);
  const rider = newMobile();
  await openRound(page, program, rider);
  for (const id of orderids) await expect(stop(page, id)).toContainText('2 orders at this door');

  const up = (id: string) => stop(page, id).getByRole('button', { name: /^Move .* up$/ });
  const place = async (id: string) => Number.parseInt((await stop(page, id).getByRole('heading').textContent()) ?? '', 10);
  const lower = (await place(orderids[0]!)) > (await place(orderids[1]!)) ? orderids[0]! : orderids[1]!;
  const before = await place(lower);
  await up(lower).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /^Stop \d+ of \d+$/ })).toHaveCount(1);
  // At the top, the focus goes to the other button.
  const focused = before === 2 ? stop(page, lower).getByRole('button', { name: /^Move .* down$/ }) : up(lower);
  await expect(focused).toBeFocused();
  await page.reload();
  await expect.poll(() => place(lower)).toBe(before - 1);

  expectProblem(OFFLINE);
  await context.setOffline(true);
  await stop(page, orderid).getByRole('button', { name: 'Hand over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over' });
  await expect(dialog.getByText('Without the code, only the owner or an operator can hand over')).toBeVisible();
  const { mobile } = defaultBrand;
  await expect(dialog.getByRole('link', { name: `Call ${mobile}` })).toHaveAttribute('href', telephoneUrl(mobile));
  await dialog.getByLabel('Hand-over code').fill('12');
  await dialog.getByRole('button', { name: 'Delivered' }).click();
  await expect(dialog.getByText(deskError('malformed-code').message)).toBeVisible();
  await axe(page);
  await dialog.getByLabel('Hand-over code').fill(wrongHandOverCode(code));
  await dialog.getByRole('button', { name: 'Delivered' }).click();
  await expect(stop(page, orderid)).toContainText('To be confirmed');
  await page.getByRole('button', { name: 'Ravi Kumar' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  const question = page.getByRole('alertdialog', { name: 'Log out with unsent entries?' });
  await expect(question).toBeVisible();
  await axe(page);
  await question.getByRole('button', { name: 'Cancel' }).click();

  expectProblem(/response 401: (?:GET|POST) .*staff\/(?:events|board|orders|move)$/);
  await program.db.updateTable('staff_sessions').set({ expires_at: program.clock.now() }).execute();
  await context.setOffline(false);
  const again = page.getByRole('dialog', { name: 'Log in again' });
  await expect(again).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(again).toBeHidden();
  await expect(page.getByText('Log in to send them.')).toBeVisible();
  // Another request that is refused may have opened the dialog again.
  const opens = (control: Locator) =>
    expect(async () => {
      if (await again.isHidden()) await control.click({ timeout: 1000 });
      await expect(again).toBeVisible({ timeout: 1000 });
    }).toPass();
  await opens(page.locator('#main').getByRole('button', { name: 'Log in', exact: true }));
  await page.keyboard.press('Escape');
  await expect(again).toBeHidden();
  // The log-in that another screen asks for sends the entries, too.
  await opens(page.getByRole('link', { name: 'Today', exact: true }));
  await again.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD);
  await again.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Round', exact: true }).click();
  await expect(stop(page, orderid)).toContainText(deskError('wrong-hand-over-code', { left: 4 }).message);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  const codes = page.getByRole('region', { name: 'Codes to confirm' });
  await expect(codes.getByRole('listitem').filter({ hasText: orderid })).toBeVisible();

  await program.db.updateTable('staff_members').set({ name: 'रवि' }).execute();
  await context.addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await page.goto(staffLinks.round());
  await expect(page.getByRole('heading', { level: 1, name: 'फेरा' })).toBeVisible();
  await expect(page.getByText('लाइव', { exact: true })).toBeVisible();
  await expectHindi(page, 'round');
});

test('a right code after a wrong one is accepted behind a payment of more than is due', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  const code = await readHandOverCode(page, orderid);
  await openRound(page, program, newMobile());

  expectProblem(OFFLINE);
  await context.setOffline(true);
  await enterCode(page, orderid, wrongHandOverCode(code));
  await context.setOffline(false);
  await expect(stop(page, orderid)).toContainText(deskError('wrong-hand-over-code', { left: 4 }).message);

  await stop(page, orderid).getByRole('button', { name: 'Take a payment' }).click();
  const payment = page.getByRole('dialog', { name: 'Take a payment' });
  await payment.getByLabel('Amount').fill('290');
  await payment.getByRole('button', { name: 'Take ₹290' }).click();
  await payment.getByRole('button', { name: 'Take ₹290 all the same' }).click();
  await expect(payment).toHaveCount(0);
  // The same code would use up another try.
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await enterCode(page, orderid, code, 'Enter another code');
  const events = ['placed', 'weighed', 'moved', 'moved', 'moved', 'wrong-code', 'paid', 'refunded', 'moved'];
  await expect.poll(() => eventsOf(program, orderid)).toEqual(events);
  await expect(page.getByText(/entr.* not sent yet$/)).toHaveCount(0);
  await expect(page.getByText('1 entry was not accepted')).toHaveCount(0);
  // The stop is delivered, or gone with the next list, which has no paid ones.
  await expect(stop(page, orderid).filter({ hasNotText: 'Delivered' })).toHaveCount(0);
});

test('a refused code of an order that is delivered since can only be discarded', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  const code = await readHandOverCode(page, orderid);
  await openRound(page, program, newMobile());
  expectProblem(OFFLINE);
  await context.setOffline(true);
  await enterCode(page, orderid, wrongHandOverCode(code));
  await context.setOffline(false);
  await expect(stop(page, orderid).getByRole('button', { name: 'Enter another code' })).toBeVisible();

  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  await expect(stop(page, orderid)).toContainText('Delivered');
  await expect(stop(page, orderid).getByRole('button', { name: 'Enter another code' })).toHaveCount(0);
  await stop(page, orderid).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('1 entry was not accepted')).toHaveCount(0);
});

test('a payment taken behind a refused hand-over arrives once, and is not taken twice', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  const code = await readHandOverCode(page, orderid);
  const wrong = wrongHandOverCode(code);
  await openRound(page, program, newMobile());
  const card = stop(page, orderid);
  const pay = async (amount: string) => {
    await card.getByRole('button', { name: 'Take a payment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take a payment' });
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByRole('button', { name: `Take ₹${amount}` }).click();
    await expect(dialog).toHaveCount(0);
  };

  expectProblem(OFFLINE);
  await context.setOffline(true);
  await enterCode(page, orderid, wrong);
  await pay('186.14');
  await expect(card).toContainText('Due ₹100');
  await expect(card).toContainText('₹186.14 taken, not sent yet');
  await axe(page);
  await fitsWidth(page, 360);
  await card.getByRole('button', { name: 'Take a payment' }).click();
  const rest = page.getByRole('dialog', { name: 'Take a payment' });
  await expect(rest).toContainText('Left to pay ₹100');
  await rest.getByRole('button', { name: 'Take ₹100' }).click();
  await expect(rest).toHaveCount(0);
  await expect(card).toContainText('₹286.14 taken, not sent yet');
  await expect(card.getByText('Paid', { exact: true })).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Take a payment' })).toHaveCount(0);

  await context.setOffline(false);
  await expect(card).toContainText(`Not accepted: Hand over with the code ${wrong}`);
  await expect(card).toContainText('Payments of this order do not wait for it: they are sent.');
  await expect(card.getByText('Paid', { exact: true })).toBeVisible();
  await expect(page.getByText(/entr.* not sent yet$/)).toHaveCount(0);
  await expect(page.getByRole('alert').filter({ hasText: '1 entry was not accepted' })).toContainText(`Hand over with the code ${wrong}`);
  expect(await eventsOf(program, orderid)).toEqual(['placed', 'weighed', 'moved', 'moved', 'moved', 'wrong-code', 'paid', 'paid']);
  await axe(page);
  await fitsWidth(page, 360);
  await page.reload();
  await expect(card.getByText('Paid', { exact: true })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Take a payment' })).toHaveCount(0);
});

test('the stops of tomorrow are below those of tonight, folded', async ({ page, program, signedIn, newMobile }) => {
  const customer = await signedIn();
  const [tonight = ''] = await placeOrders(page.request, customer, 1);
  const tomorrow = await placeOrderFor(page, customer, dayAfter(kolkataDay(program.clock.now())));
  // The longest name, in wide letters, does not push the card.
  const name = 'Wm'.repeat(20);
  await program.db.updateTable('orders').set({ ship_name: name }).where('id', '=', tonight).execute();
  await openRound(page, program, newMobile());
  const heading = (name: RegExp) => page.getByRole('heading', { level: 2, name });
  await expect(heading(/^Tonight, /)).toBeVisible();
  await expect(stop(page, tonight)).toBeVisible();
  const link = stop(page, tonight).getByRole('link', { name, exact: true });
  expect((await link.boundingBox())!.height).toBeLessThan(60);
  // The heading has the day.
  await expect(stop(page, tonight)).not.toContainText('tonight');
  await expect(stop(page, tomorrow)).toBeHidden();
  await axe(page);
  await heading(/^Tomorrow, /).click();
  await expect(stop(page, tomorrow)).toBeVisible();
  // The stops of another day are no neighbours.
  await expect(stop(page, tomorrow).getByRole('heading')).toHaveText(/^1\. /);
  await expect(stop(page, tomorrow).getByRole('button', { name: /^Move .* up$/ })).toBeDisabled();
  await axe(page);
  await fitsWidth(page, 360);

  // Early visits are possible, but not by mistake.
  await stop(page, tomorrow).getByRole('button', { name: 'Failed visit' }).click();
  const visit = page.getByRole('dialog', { name: 'Failed visit' });
  await visit.getByLabel('What happened?').selectOption('nobody-home');
  await visit.getByRole('button', { name: 'Save' }).click();
  await expect(visit).toContainText('This pickup is booked for tomorrow, ');
  await axe(page);
  await visit.getByRole('button', { name: 'Cancel' }).click();
  await stop(page, tomorrow).getByRole('button', { name: 'Weigh' }).click();
  const weighing = page.getByRole('dialog', { name: 'Weigh' });
  await fillWeighing(weighing, { weight: '75.3' });
  await weighing.getByRole('button', { name: 'Save' }).click();
  await expect(weighing).toContainText('This pickup is booked for tomorrow, ');
  await axe(page);
  // The confirmed day does not confirm the weight.
  await weighing.getByRole('button', { name: 'Collect today anyway' }).click();
  await expect(weighing).toContainText('75.3 kg for 12 pieces. Look at the scale again.');
  await expect(weighing).not.toContainText('This pickup is booked for tomorrow, ');
  await expect(weighing.getByRole('button', { name: 'Save all the same' })).toBeVisible();
  expect(await eventsOf(program, tomorrow)).toEqual(['placed']);
  await weighing.getByLabel('Weight (kg)').fill('7.53');
  await weighing.getByRole('button', { name: 'Collect today anyway' }).click();
  await expect(weighing).toHaveCount(0);
  await expect(stop(page, tomorrow)).toContainText('7.53 kg, 12 pieces');
  await expect(stop(page, tomorrow)).toContainText('Collected');
  await expect(stop(page, tomorrow)).not.toContainText('Pickup Pending');
  await expect(heading(/^Tomorrow, /)).toHaveCount(0);
  await expect.poll(() => eventsOf(program, tomorrow)).toEqual(['placed', 'rescheduled', 'weighed']);
});

test('a refusal stays in its form, which sends the right code afterwards, and an unusual weight is asked about', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const [delivery = '', pickup = ''] = await placeOrders(page.request, await signedIn(), 2);
  await advanceOrder(program, delivery, 'delivery');
  await program.db.insertInto('order_handling').values({ order_id: delivery, bags: 2 }).execute();
  const code = await readHandOverCode(page, delivery);
  await openRound(page, program, newMobile());

  await stop(page, delivery).getByRole('button', { name: 'Hand over' }).click();
  const handOver = page.getByRole('dialog', { name: 'Hand over' });
  await expect(handOver).toContainText(`Meera Nair · ${delivery}`);
  await handOver.getByLabel('Hand-over code').fill(wrongHandOverCode(code));
  await handOver.getByRole('button', { name: 'Delivered' }).click();
  await expect(handOver.getByLabel('Bags')).toHaveAccessibleDescription(/Enter the number of bags/);
  await handOver.getByLabel('Bags').fill('2');
  await handOver.getByRole('button', { name: 'Delivered' }).click();
  await expect(page.getByText(deskError('wrong-hand-over-code', { left: 4 }).message)).toBeVisible();
  await expect(handOver).toContainText('Tries left: 4');
  await handOver.getByLabel('Hand-over code').fill(code);
  await handOver.getByLabel('Bags').fill('-2');
  await handOver.getByRole('button', { name: 'Delivered' }).click();
  await expect(handOver.getByLabel('Bags')).toHaveAttribute('aria-invalid', 'true');
  await expect(handOver).toContainText('Enter the number of bags');
  await axe(page);
  await handOver.getByLabel('Bags').fill('2');
  await handOver.getByRole('button', { name: 'Delivered' }).click();
  await expect(handOver).toHaveCount(0);
  await expect(stop(page, delivery)).toContainText('Delivered');
  await expect(page.getByText('Not accepted')).toHaveCount(0);
  await expect(page.getByText('To be confirmed')).toHaveCount(0);

  await stop(page, pickup).getByRole('button', { name: 'Weigh', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Weigh' });
  await fillWeighing(dialog, { weight: '75' });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toContainText('75 kg for 12 pieces. Look at the scale again.');
  await axe(page);
  await dialog.getByLabel('Weight (kg)').fill('7.5');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(stop(page, pickup)).toContainText('7.5 kg, 12 pieces');
});

test('a form whose order the customer cancels or moves stays open with what was typed, and says why', async ({
  page,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const [cancelled = '', moved = ''] = await placeOrders(page.request, await signedIn(), 2);
  await openRound(page, program, newMobile());
  await stop(page, cancelled).getByRole('button', { name: 'Weigh' }).click();
  const weighing = page.getByRole('dialog', { name: 'Weigh' });
  await weighing.getByLabel('Weight (kg)').fill('7.53');
  const cancellation = { orderid: cancelled, reason: 'The machine is broken' };
  await cancelOrder({ db: program.db, readPaidPaise }, laundryCommand(), cancellation, program.clock.now());
  await expect(stop(page, cancelled)).toHaveCount(0);
  await expect(weighing.getByText(/^At \d\d:\d\d the laundry cancelled this order/)).toBeVisible();
  await expect(weighing.getByLabel('Weight (kg)')).toHaveValue('7.53');
  await axe(page);
  await fitsWidth(page, 360);
  await weighing.getByRole('button', { name: 'Close' }).click();
  await expect(weighing).toHaveCount(0);

  await stop(page, moved).getByRole('button', { name: 'Failed visit' }).click();
  const visit = page.getByRole('dialog', { name: 'Failed visit' });
  await visit.getByLabel('Note (optional)').fill('The gate is locked');
  const day = addDays(kolkataDay(program.clock.now()), 4);
  await rescheduleOrder(program.db, laundryCommand(), moved, { day, reason: 'We are away' }, program.clock.now());
  await expect(stop(page, moved)).toHaveCount(0);
  await expect(visit.getByText('This has changed since you opened it')).toBeVisible();
  await expect(visit.getByLabel('Note (optional)')).toHaveValue('The gate is locked');
  // Sent all the same, nothing is written, and the reason is shown.
  expectProblem(/response 409: POST .*staff\/attempt/);
  await visit.getByLabel('What happened?').selectOption('nobody-home');
  await visit.getByRole('button', { name: 'Save' }).click();
  await expect(visit).toContainText(/moved this pickup to/);
  await expect(visit.getByLabel('Note (optional)')).toHaveValue('The gate is locked');
  expect(await eventsOf(program, moved)).toEqual(['placed', 'rescheduled']);
});

test('the screen of an order that is moved out of sight of riders keeps its form, and says so', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await openRound(page, program, newMobile());
  await page.goto(staffLinks.order(orderid));
  await page.getByRole('button', { name: 'Failed visit' }).click();
  const visit = page.getByRole('dialog', { name: 'Failed visit' });
  await visit.getByLabel('Note (optional)').fill('The gate is locked');
  const day = addDays(kolkataDay(program.clock.now()), 4);
  await rescheduleOrder(program.db, laundryCommand(), orderid, { day, reason: 'We are away' }, program.clock.now());
  await expect(page.getByText('This order is not on your round any more. You see it as it was.')).toBeAttached();
  await expect(visit.getByLabel('Note (optional)')).toHaveValue('The gate is locked');
});

test('after five wrong codes the form takes no code until the laundry has made a new one', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  await program.db.insertInto('order_handling').values({ order_id: orderid, wrong_codes: 4 }).execute();
  const code = await readHandOverCode(page, orderid);
  await openRound(page, program, newMobile());
  await stop(page, orderid).getByRole('button', { name: 'Hand over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over' });
  const field = dialog.getByLabel('Hand-over code');
  await field.fill(wrongHandOverCode(code));
  await dialog.getByRole('button', { name: 'Delivered' }).click();
  await expect(dialog).toContainText('The owner or an operator makes a new code.');
  await expect(field).toHaveJSProperty('readOnly', true);
  await expect(dialog.getByRole('button', { name: 'Delivered' })).toHaveCount(0);
  await axe(page);
  await fitsWidth(page, 360);

  await program.db.updateTable('order_handling').set({ wrong_codes: 0 }).where('order_id', '=', orderid).execute();
  await transaction(program.db, (tx) => insertOrderEvent(tx, orderid, { kind: 'code-renewed', at: program.clock.now() }));
  await expect(dialog).toContainText('Tries left: 5');
  await expect(field).toHaveJSProperty('readOnly', false);
  await expect(dialog.getByRole('button', { name: 'Delivered' })).toBeVisible();
});

test('a refused weighing of an order that was weighed meanwhile opens its form, with the reason', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await openRound(page, program, newMobile());
  expectProblem(OFFLINE);
  expectProblem(/response 409: POST .*staff\/weigh/);
  await context.setOffline(true);
  await weigh(page, orderid, '6.2');
  expect(await weighOrder(program.db, orderid, 6500, 21, program.clock.now())).toBe('done');
  await context.setOffline(false);
  await expect(page.getByText('1 entry was not accepted')).toBeVisible();
  await expect(stop(page, orderid).getByText('6.5 kg, 21 pieces')).toBeVisible();
  await stop(page, orderid).getByRole('button', { name: 'Try again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Weigh' });
  await expect(dialog.getByLabel('Weight (kg)')).toHaveValue('6.2');
  await expect(dialog.getByLabel('Pieces')).toHaveValue('12');
  await expect(dialog.getByLabel('Bags')).toHaveValue('2');
  await expect(dialog.getByText('Before: 6.5 kg, 21 pieces')).toBeVisible();
  await dialog.getByLabel('Reason of the correction').fill('Weighed at the door');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('1 entry was not accepted')).toHaveCount(0);
  await expect(stop(page, orderid).getByText('6.2 kg, 12 pieces · 2 bags')).toBeVisible();
});

test('the number pad names and marks its field, also while a note is typed, and drops no digit', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  await openRound(page, program, newMobile());
  await stop(page, orderid).getByRole('button', { name: 'Weigh' }).click();
  const dialog = page.getByRole('dialog', { name: 'Weigh' });
  const marked = dialog.locator('[data-marked] input');
  const pad = dialog.getByRole('group', { name: 'Number pad' });
  await expect(pad).toHaveAccessibleDescription('Writes into: Weight (kg)');
  for (const key of ['5', '.', '2', '5', '1']) await pad.getByRole('button', { name: key, exact: true }).click();
  await expect(marked).toHaveValue('5.251');
  await dialog.getByLabel('Bags').fill('2');
  await dialog.getByLabel('Note (optional)').fill('Blue bag');
  await expect(pad).toHaveAccessibleDescription('Writes into: Bags');
  await expect(marked).toHaveValue('2');
  expect(await marked.evaluate((input) => getComputedStyle(input).outlineStyle)).toBe('solid');
  await axe(page);
});

test('a move of the round can be undone, and a code without a connection is to be confirmed', async ({
  page,
  context,
  program,
  signedIn,
  newMobile,
  expectProblem,
}) => {
  const [first = '', second = ''] = await placeOrders(page.request, await signedIn(), 2);
  await advanceOrder(program, second, 'delivery');
  await openRound(page, program, newMobile());
  await weigh(page, first, '6.2');
  await stop(page, first).getByRole('button', { name: 'Move to In-Queue' }).click();
  await expect(stop(page, first)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(stop(page, first)).toContainText('Collected');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expectProblem(OFFLINE);
  await context.setOffline(true);
  await enterCode(page, second, '0000');
  const chips = stop(page, second).locator('.mt-3').first();
  await expect(chips).toContainText('To be confirmed');
  await expect(chips).not.toContainText('Delivered');
});

test('an entry that is refused after a wait is not sent again', async ({ page, program, signedIn, newMobile, expectProblem }) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  const code = await readHandOverCode(page, orderid);
  // Each attempt to send takes the lock.
  await page.addInitScript(() => {
    const request = navigator.locks.request.bind(navigator.locks) as (...values: unknown[]) => unknown;
    Object.assign(window, { attempts: 0 });
    Object.assign(navigator.locks, {
      request: (...values: unknown[]) => {
        (window as unknown as { attempts: number }).attempts += 1;
        return request(...values);
      },
    });
  });
  const attempts = () => page.evaluate(() => (window as unknown as { attempts: number }).attempts);
  await openRound(page, program, newMobile());
  expectProblem(/response 503: POST .*staff\/move/);
  let requests = 0;
  await page.route('**/staff/move', async (route) => {
    requests += 1;
    return requests === 1 ? route.fulfill({ status: 503, headers: { 'retry-after': '1' } }) : route.continue();
  });
  await stop(page, orderid).getByRole('button', { name: 'Hand over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over' });
  await dialog.getByLabel('Hand-over code').fill(wrongHandOverCode(code));
  await dialog.getByRole('button', { name: 'Delivered' }).click();
  await expect(stop(page, orderid)).toContainText(deskError('wrong-hand-over-code', { left: 4 }).message);
  const before = await attempts();
  expect(before).toBeGreaterThan(1);
  await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve, 500)));
  expect((await attempts()) - before).toBeLessThanOrEqual(1);
  expect(requests).toBe(2);
});

test('a rider who counted the bags counts again, and is not offered to explain why they differ', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
  await program.db.insertInto('order_handling').values({ order_id: orderid, bags: 2 }).execute();
  const mobile = newMobile();
  await openConsole(page, program, { role: 'rider', mobile, path: staffLinks.order(orderid) });
  await expect(page.getByRole('main')).toContainText(orderid);
  const { id } = await program.db.selectFrom('staff_members').select('id').where('mobile', '=', mobile).executeTakeFirstOrThrow();
  const moved = program.db.selectFrom('order_events').select('id').where('order_id', '=', orderid).where('stage', '=', 'queue');
  const { id: eventId } = await moved.executeTakeFirstOrThrow();
  await program.db.insertInto('order_event_authors').values({ event_id: eventId, staff_id: id, bags: 1 }).execute();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Count the bags again' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Explain the difference' })).toHaveCount(0);
});

test('labels have a code for each bag and are printed alone, and counted bags are compared', async ({
  page,
  program,
  signedIn,
  newMobile,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'queue');
  await program.db.insertInto('order_handling').values({ order_id: orderid, bags: 3 }).execute();
  await openConsole(page, program, { role: 'operator', mobile: newMobile(), path: staffLinks.labels(orderid) });
  const labels = page.getByRole('listitem').filter({ has: page.getByRole('img', { name: `QR code of the order ${orderid}` }) });
  await expect(labels).toHaveCount(3);
  await expect(labels.nth(1)).toContainText('Bag 2 of 3');
  const number = page.getByLabel('Bags');
  for (const text of ['0', 'abc', '200', '1.5', '']) {
    await number.fill(text);
    await expect(number).toHaveValue(text);
    await expect(number).toHaveAttribute('aria-invalid', 'true');
    await expect(number).toHaveAccessibleDescription('1 to 99');
    await expect(labels).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0);
  }
  await axe(page);
  await number.fill('3');
  await expect(labels.nth(1)).toContainText(orderid.slice(-4));
  await axe(page);
  await fitsWidth(page, 360, 1440);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(labels.first()).toBeVisible();
  await page.emulateMedia({ media: null });

  await page.getByRole('link', { name: 'Back to the order' }).click();
  await page.getByRole('button', { name: 'Move to Washing/Drying' }).click();
  const dialog = page.getByRole('dialog', { name: 'Count the bags' });
  await dialog.getByRole('button', { name: 'Move to Washing/Drying' }).click();
  await expect(dialog.getByText('Enter the number of bags')).toBeVisible();
  // A minus sign is not dropped: 2 bags are not counted for '-2'.
  await dialog.getByLabel('Bags').fill('-2');
  await dialog.getByRole('button', { name: 'Move to Washing/Drying' }).click();
  await expect(dialog.getByLabel('Bags')).toHaveValue('-2');
  await expect(dialog.getByLabel('Bags')).toHaveAccessibleDescription('Enter the number of bags');
  await dialog.getByLabel('Bags').fill('2');
  await axe(page);
  await dialog.getByRole('button', { name: 'Move to Washing/Drying' }).click();
  await expect(dialog.getByText('Bags collected: 3. You counted 2.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Move all the same' }).click();
  await expect(page.getByText('Bags counted last')).toBeVisible();
  await page.getByRole('link', { name: 'Today' }).click();
  const task = page
    .getByRole('region', { name: /^Bags do not match/ })
    .getByRole('listitem')
    .filter({ hasText: orderid });
  await expect(task).toContainText('Bags: 3 collected, 2 counted');
  await expect(page.getByRole('listitem').filter({ hasText: orderid })).toHaveCount(1);
  await task.getByRole('button', { name: `Count the bags again ${orderid}` }).click();
  const again = page.getByRole('dialog', { name: 'Count the bags again' });
  await expect(again).toContainText('Bags: 3 collected, 2 counted');
  await again.getByLabel('Bags').fill('1');
  await axe(page);
  await again.getByRole('button', { name: 'Note the count' }).click();
  await expect(again.getByText('Bags collected: 3. You counted 1.')).toBeVisible();
  await again.getByRole('button', { name: 'Note it all the same' }).click();
  await expect(task).toContainText('Bags: 3 collected, 1 counted');
  await fitsWidth(page, 360, 1440);
  await task.getByRole('button', { name: `Explain the difference ${orderid}` }).click();
  const explaining = page.getByRole('dialog', { name: 'Explain the difference' });
  await explaining.getByLabel('Explanation (only the laundry reads it)').fill('Two bags were put into one');
  await axe(page);
  await explaining.getByRole('button', { name: 'Note the explanation' }).click();
  await expect(task).toHaveCount(0);
  await expect(page.getByRole('region', { name: /^In the machines/ })).toContainText(orderid);
  await page.goto(staffLinks.order(orderid));
  await expect(page.getByText('Two bags were put into one').first()).toBeVisible();

  await page.getByLabel('What does it show?').selectOption('Damage');
  await page.getByLabel('Add a photo').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: samplePhoto('jpeg') });
  await expect(page.getByRole('img', { name: 'Damage' })).toBeVisible();
  await axe(page);
  await fitsWidth(page, 360);
});
