import { describe, expect, test } from 'vitest';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { fail } from '../../contract/route.server.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import {
  countOrders,
  home,
  newOrderingCustomer,
  newOrderingGuest,
  place,
  washInManesar,
  type OrderingCustomer,
} from '../../../test/support/ordering.ts';
import { asPaise } from '../../lib/money.ts';
import { addAddress, editAddress, getAddresses } from '../addresses/contract.ts';
import { addOrder, getOrder, orderError } from './contract.ts';

const program = useProgram();

describe('an order', () => {
  test.each([
    ['wash', 'manesar', 3800, 0, { detergent: 'surfexcel', conditioner: 'softtouch', iron: '' }],
    ['wash', 'vatika', 4800, 1000, { detergent: 'surfexcel', conditioner: 'softtouch', iron: '' }],
    ['wash-iron', 'manesar', 6200, 0, { detergent: 'surfexcel', conditioner: 'softtouch', iron: 'steam' }],
    ['wash-iron', 'vatika', 7200, 1000, { detergent: 'surfexcel', conditioner: 'softtouch', iron: 'steam' }],
    ['iron', 'manesar', 4500, 0, { detergent: '', conditioner: '', iron: 'steam' }],
    ['iron', 'vatika', 5000, 500, { detergent: '', conditioner: '', iron: 'steam' }],
  ] as const)('of %s in %s is stored at %i paise with its surcharge', async (programid, area, rate, surcharge, choices) => {
    const meera = await newOrderingCustomer(program);
    const request = { program: programid, area, programrate: asPaise(rate), orderrate: asPaise(rate), ...choices };
    const placed = await place(meera, request);
    expect(placed).toEqual({
      orderid: expect.stringMatching(/^[0-9A-Z]{12}$/),
      timeslot: '05:00 - 09:00 PM',
      back_by: '2026-11-22 21:00:00',
      pickup_date: '2026-11-21',
      area,
      offerrate: 0,
      orderrate: rate,
    });
    const stored = await program.db.selectFrom('orders').selectAll().where('id', '=', placed.orderid).executeTakeFirst();
    expect(stored).toEqual({
      id: placed.orderid,
      customer_id: meera.userid,
      guest_session_hash: null,
      program_id: programid,
      program_name: { wash: 'Wash', 'wash-iron': 'Wash + Iron', iron: 'Iron' }[programid],
      unit: 'kg',
      area,
      base_rate_paise: rate - surcharge,
      surcharge_paise: surcharge,
      rate_paise: rate,
      offer_id: null,
      offer_percent: 0,
      order_rate_paise: rate,
      timeslot: '05:00 - 09:00 PM',
      return_day: '2026-11-22',
      pickup_day: '2026-11-21',
      ...choices,
      cancelled_at: null,
      cancelled_by: null,
      cancelled_from: null,
      cancellations: 0,
      is_unpaid: false,
      stage: 'pickup',
      weight_grams: null,
      items: null,
      ship_name: home.name,
      ship_mobile: home.mobile,
      ship_address1: home.address1,
      ship_address2: home.address2,
      ship_landmark: home.landmark,
      ship_pincode: home.pincode,
      ship_city: home.city,
      ship_state: home.state,
      placed_at: program.clock.now(),
      returned_at: null,
    });
    expect(await program.db.selectFrom('order_events').selectAll().where('order_id', '=', placed.orderid).execute()).toEqual([
      {
        id: expect.any(Number),
        xid: expect.any(String),
        order_id: placed.orderid,
        kind: 'placed',
        stage: 'pickup',
        data: {},
        at: program.clock.now(),
      },
    ]);
  });

  test('returns rupees at both spellings of the path', async () => {
    const meera = await newOrderingCustomer(program);
    for (const path of ['orders/addorder.php', 'orders/addorder']) {
      const response = await meera.caller.post(path, { ...meera.order, programrate: 38, orderrate: 38 });
      expect(response.json()).toMatchObject({
        response: 'success',
        message: 'Order placed successfully',
        data: { orderrate: 38, offerrate: 0 },
      });
    }
  });

  test('retains its address after the customer deletes it', async () => {
    const meera = await newOrderingCustomer(program);
    const { orderid } = await place(meera);
    await program.db.deleteFrom('addresses').where('customer_id', '=', meera.userid).execute();
    const { data } = await meera.caller.send(getOrder, { userid: meera.userid, orderid });
    expect(data?.[0]).toMatchObject(home);
  });

  test('without an area uses the area with the rate that the customer saw', async () => {
    const meera = await newOrderingCustomer(program);
    const seen = { area: undefined, programrate: asPaise(4800), orderrate: asPaise(4800) };
    expect(await place(meera, seen)).toMatchObject({ area: 'vatika', orderrate: 4800 });
  });

  test('rejects an outdated rate', async () => {
    const meera = await newOrderingCustomer(program);
    await program.db.updateTable('programs').set({ rate_paise: 3950 }).where('id', '=', 'wash').execute();
    try {
      expect(await meera.caller.send(addOrder, meera.order)).toEqual(fail(orderError('rates-changed')));
      const seen = { programrate: asPaise(3950), orderrate: asPaise(3950) };
      expect(await place(meera, seen)).toMatchObject({ orderrate: 3950 });
    } finally {
      await program.db.updateTable('programs').set({ rate_paise: 3800 }).where('id', '=', 'wash').execute();
    }
  });
});

describe('the area of the address', () => {
  const vatika = { area: 'vatika', programrate: asPaise(4800), orderrate: asPaise(4800) } as const;
  const withoutArea = { area: undefined };
  const addressOf = async ({ caller }: OrderingCustomer) => (await caller.send(getAddresses, {})).data?.[0];

  /** Returns a customer whose address is in Manesar, and an order of Wash there. */
  const inManesar = async () => {
    const meera = await newOrderingCustomer(program);
    await meera.caller.send(editAddress, { ...home, area: 'manesar', addressid: meera.order.addressid! });
    return meera;
  };

  test.each([
    ['another area', vatika],
    ['the rate of another area', { ...vatika, ...withoutArea }],
    ['another area and its options', { ...vatika, iron: '' as const }],
  ])('rejects an order with %s, and writes nothing', async (_what, change) => {
    const meera = await inManesar();
    const before = await countOrders(program);
    const options = { idempotencyKey: `area-${meera.userid}` };
    expect(await meera.caller.send(addOrder, { ...meera.order, ...change }, options)).toEqual(fail(orderError('area-mismatch')));
    expect(await countOrders(program)).toEqual(before);
    // The key is free for the corrected order.
    expect(await place(meera, {}, options)).toMatchObject({ area: 'manesar' });
  });

  test('is the area of an order that names none', async () => {
    expect(await place(await inManesar(), withoutArea)).toMatchObject({ area: 'manesar', orderrate: 3800 });
  });

  test('is that of the first order that names one, if it was unknown', async () => {
    const meera = await newOrderingCustomer(program);
    await place(meera, withoutArea);
    expect(await addressOf(meera)).toMatchObject({ area: null });
    await place(meera, vatika);
    expect(await addressOf(meera)).toMatchObject({ area: 'vatika' });
    expect(await meera.caller.send(addOrder, meera.order)).toEqual(fail(orderError('area-mismatch')));
  });

  test('remains unknown after a rejected order', async () => {
    const meera = await newOrderingCustomer(program);
    await meera.caller.send(addOrder, { ...meera.order, ...vatika, orderrate: asPaise(1) });
    expect(await addressOf(meera)).toMatchObject({ area: null });
  });

  test('of a guest is compared, and optional', async () => {
    const asha = await newOrderingGuest(program);
    const guestAddress = { ...asha.order.guest_address!, area: 'vatika' } as const;
    const options = { idempotencyKey: `guest-${asha.userid}` };
    const mismatch = { ...asha.order, guest_address: guestAddress };
    expect(await asha.caller.send(addOrder, mismatch, options)).toEqual(fail(orderError('area-mismatch')));
    expect(await place(asha, { ...vatika, guest_address: guestAddress }, options)).toMatchObject({ area: 'vatika' });
    // A key binds the area of the address, too.
    expect(await asha.caller.send(addOrder, { ...mismatch, ...vatika, guest_address: asha.order.guest_address }, options)).toEqual(
      fail(orderError('order-key-reused')),
    );
    expect(await place(asha)).toMatchObject({ area: 'manesar' });
  });
});

describe('uses only rates and days of the server (docs/security.md, O9)', () => {
  test.each<[string, object, ErrorMessage]>([
    ['a rate of a paisa', { programrate: 0.01, orderrate: 0.01 }, orderError('rates-changed')],
    ['a negative rate', { programrate: -38, orderrate: -38 }, orderError('rates-changed')],
    ['the rate of the other area', { programrate: 38, orderrate: 38, area: 'vatika' }, orderError('rates-changed')],
    ['a rate that no area has', { programrate: 40, orderrate: 40, area: undefined }, orderError('rates-changed')],
    ['an order rate below the rate', { orderrate: 19 }, orderError('rates-changed')],
    ['an offer that is not theirs', { offerid: 'WELCOME', offerrate: 50, orderrate: 19 }, orderError('offer-changed')],
    ['a percentage without an offer', { offerrate: 50, orderrate: 19 }, orderError('offer-changed')],
    ['an unknown program', { program: 'dry-clean' }, orderError('unknown-program')],
    ['a program id with SQL', { program: "wash' or '1'='1" }, orderError('unknown-program')],
    ['an unknown slot', { timeslot: '09:00 - 11:00 AM' }, orderError('unknown-timeslot')],
    ['a day that is too far', { pickup_date: '2026-11-28' }, orderError('pickup-day-too-far', { lastDay: '2026-11-27' })],
    ['options of another service', { iron: 'steam' }, orderError('wrong-options')],
    ['an unknown address', { addressid: 'NOSUCHADDRESS0000000' }, orderError('unknown-address')],
    ['no address', { addressid: undefined }, orderError('unknown-address')],
    ["a guest's address in a customer's order", { addressid: undefined, guest_address: home }, orderError('unknown-address')],
  ])('%s is rejected, and nothing is written', async (_what, change, error) => {
    const meera = await newOrderingCustomer(program);
    const before = await countOrders(program);
    const body = { ...meera.order, programrate: 38, orderrate: 38, ...change };
    const response = await meera.caller.post('orders/addorder.php', body, { 'idempotency-key': `refused-${meera.userid}` });
    expect([response.statusCode, response.json()]).toEqual([200, fail(error)]);
    expect(await countOrders(program)).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['an unknown area', { area: 'delhi' }, 'area'],
    ['a rate as text', { programrate: '38' }, 'programrate'],
    ['a rate with thousandths', { programrate: 38.001 }, 'programrate'],
    ['no rate', { orderrate: undefined }, 'orderrate'],
    ['a rate that is too large', { orderrate: 1e300 }, 'orderrate'],
    ['a list for a program', { program: ['wash'] }, 'program'],
    ['more than 100 %', { offerrate: 101 }, 'offerrate'],
    ['an unknown detergent', { detergent: 'bleach' }, 'detergent'],
    ['a day as text', { pickup_date: 'today' }, 'pickup_date'],
  ])('%s does not match the contract', async (_what, change, field) => {
    const meera = await newOrderingCustomer(program);
    const before = await countOrders(program);
    const response = await meera.caller.post('orders/addorder.php', { ...meera.order, programrate: 38, orderrate: 38, ...change });
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { response: 'error', message: `Invalid value for ${field}`, code: 'invalid-value', params: { field }, data: null },
    ]);
    expect(await countOrders(program)).toEqual(before);
  });

  test("another customer's address is rejected", async () => {
    const [meera, other] = await Promise.all([newOrderingCustomer(program), newOrderingCustomer(program)]);
    const before = await countOrders(program);
    expect(await meera.caller.send(addOrder, { ...meera.order, addressid: other.order.addressid })).toEqual(
      fail(orderError('unknown-address')),
    );
    expect(await countOrders(program)).toEqual(before);
  });

  test('fields outside the contract are dropped (docs/security.md, I2)', async () => {
    const meera = await newOrderingCustomer(program);
    const extra = {
      orderid: 'MINE',
      washing_stage: 'delivered',
      total_weight: 0.01,
      total_amount: 0,
      wallet: 9999,
      customer_id: 'x',
      role: 'staff',
    };
    const response = await meera.caller.post('orders/addorder.php', { ...meera.order, programrate: 38, orderrate: 38, ...extra });
    const { orderid } = response.json().data;
    const { data } = await meera.caller.send(getOrder, { orderid });
    expect(data?.[0]).toMatchObject({
      orderid: expect.not.stringMatching('MINE'),
      washing_stage: 'pickup',
      total_weight: null,
      total_amount: null,
    });
  });

  test.each(['short', 'x'.repeat(65), 'with space', 'same:0123456789', 'söme-key'])('the key %j is rejected', async (key) => {
    const meera = await newOrderingCustomer(program);
    const body = { ...meera.order, programrate: 38, orderrate: 38 };
    expect((await meera.caller.post('orders/addorder.php', body, { 'idempotency-key': key })).statusCode).toBe(400);
  });
});

describe('the pickup day', () => {
  const PICKUP_MOVED = {
    response: 'error',
    message: 'The pickup you saw is now closed, the next one is on Nov 22, 2026. Please place the order again',
    code: 'pickup-moved',
    params: { pickupDay: '2026-11-22' },
    data: null,
  };
  test.each([
    ['2026-11-21T10:29:59.999Z', '2026-11-21', '2026-11-21'],
    ['2026-11-21T10:30:00.000Z', '2026-11-22', '2026-11-22'],
    ['2026-11-21T18:29:59.999Z', '2026-11-22', '2026-11-22'],
    ['2026-11-21T18:30:00.000Z', '2026-11-22', '2026-11-22'],
    ['2026-11-21T10:30:00.000Z', '2026-11-21', PICKUP_MOVED],
    ['2026-11-21T18:30:00.000Z', '2026-11-21', PICKUP_MOVED],
  ])('at %s an order for %s results in %s', async (now, shown, outcome) => {
    const morning = program.clock.now();
    const meera = await newOrderingCustomer(program);
    program.clock.set(now);
    const response = await meera.caller.send(addOrder, { ...meera.order, pickup_date: shown });
    program.clock.set(morning);
    expect(response.response === 'success' ? response.data.pickup_date : response).toEqual(outcome);
  });
});

describe('a guest', () => {
  test('orders with the address of the body and the verified mobile number', async () => {
    const guest = await newOrderingGuest(program);
    const { orderid } = await place(guest);
    const { data } = await guest.caller.send(getOrder, { orderid });
    expect(data?.[0]).toMatchObject({ ...home, mobile: guest.mobile, washing_stage: 'pickup' });
  });

  test.each([
    ['no proof', () => program.caller()],
    ['a forged one', () => forged('a'.repeat(43))],
  ])('with %s gets the error mobile-not-verified', async (_what, caller) => {
    const before = await countOrders(program);
    const attempt = caller().send(addOrder, { ...washInManesar, guest_address: home });
    await expect(attempt).rejects.toMatchObject({ name: 'CallRefused', status: 401, ...orderError('mobile-not-verified') });
    expect(await countOrders(program)).toEqual(before);
  });

  test('must verify the number of the address', async () => {
    const guest = await newOrderingGuest(program);
    const before = await countOrders(program);
    const attempt = guest.caller.send(addOrder, { ...guest.order, guest_address: home });
    await expect(attempt).rejects.toMatchObject({ name: 'CallRefused', status: 401, ...orderError('mobile-not-verified') });
    expect(await countOrders(program)).toEqual(before);
  });

  test('cannot use a saved address, also of the account with the same mobile number', async () => {
    const meera = await newOrderingCustomer(program);
    const caller = await newSession(program, meera.userid, 'guest');
    const { addressid } = (await meera.caller.send(addAddress, { ...home, userid: meera.userid })).data ?? {};
    expect(await caller.send(addOrder, { ...washInManesar, addressid })).toMatchObject({ ...orderError('unknown-address') });
  });
});

function forged(token: string) {
  const caller = program.caller();
  caller.cookies.set('session', token);
  return caller;
}

test.each([
  ['no session', async () => program.caller()],
  ['a forged session', async () => forged('b'.repeat(43))],
  ['an expired session', async () => expiredSession()],
])('rejects a customer’s order with %s', async (_what, caller) => {
  const meera = await newOrderingCustomer(program);
  const before = await countOrders(program);
  await expect((await caller()).send(addOrder, meera.order)).rejects.toMatchObject({
    name: 'CallRefused',
    status: 401,
    ...protocolError('login-required'),
  });
  expect(await countOrders(program)).toEqual(before);
});

async function expiredSession() {
  const { userid } = await newOrderingCustomer(program);
  const caller = await newSession(program, userid, 'customer');
  await program.db.updateTable('sessions').set({ expires_at: program.clock.now() }).where('customer_id', '=', userid).execute();
  return caller;
}

test('rejects the userid of another customer', async () => {
  const [meera, other] = await Promise.all([newOrderingCustomer(program), newOrderingCustomer(program)]);
  const attempt = meera.caller.send(addOrder, { ...meera.order, userid: other.userid });
  await expect(attempt).rejects.toMatchObject({ name: 'CallRefused', status: 401, ...protocolError('login-required') });
});
