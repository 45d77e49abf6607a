/** The list of offers, and their effect on an order (docs/security.md, O9 and R5). */
import { fail } from '../../contract/route.server.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { describe, expect, test } from 'vitest';
import { countOrders, newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { newSession } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { addOrder, getOrder, orderError, orderMessages, type OrderRequest } from '../orders/contract.ts';
import { decodeOffer, getOffers } from './contract.ts';
import { activeOffer } from './rules.ts';
import { grantOffer } from './service.server.ts';

const program = useProgram();
const NOW = '2026-11-21T05:00:00.000Z';

const grant = ({ userid }: OrderingCustomer, percent: number, startedDaysAgo: number, validDays = 7) =>
  grantOffer(
    program.db,
    { customerId: userid, percent, validDays, reason: 'A test', startsAt: addSeconds(new Date(NOW), -startedDaysAgo * DAY_SECONDS) },
    program.clock.now(),
  );

/** The rates of Wash in Manesar with an offer, as the cart shows them. */
const withOffer = (offerid: string, percent = 15): Partial<OrderRequest> => ({
  offerid,
  offerrate: percent,
  orderrate: asPaise((3800 * (100 - percent)) / 100),
});

test('returns the offers of the customer, oldest first, with equal times in the order of their ids', async () => {
  const [meera, other] = [await newOrderingCustomer(program), await newOrderingCustomer(program)];
  const third = await grant(meera, 30, 1);
  const twins = [await grant(meera, 10, 3), await grant(meera, 20, 3)].toSorted();
  await grant(other, 50, 1);
  const response = await meera.caller.post('offers/getoffertransaction', { userid: meera.userid });
  const { data } = response.json() as { data: { offerid: string }[] };
  expect(data.map(({ offerid }) => offerid)).toEqual([...twins, third]);
  expect(data.at(-1)).toEqual({ offerid: third, offer_rate: 30, offer_validity: '7 days', ot_date: '2026-11-20 10:30:00' });
});

test('returns an empty list to a customer without offers', async () => {
  const meera = await newOrderingCustomer(program);
  expect(await meera.caller.send(getOffers, { userid: meera.userid })).toEqual({ response: 'success', message: 'Offers', data: [] });
});

test('an order uses the active offer and retains it after the offer has expired', async () => {
  const meera = await newOrderingCustomer(program);
  await grant(meera, 50, 20);
  const offerid = await grant(meera, 15, 2);
  const placed = await place(meera, withOffer(offerid));
  expect(placed).toMatchObject({ offerrate: 15, orderrate: 3230 });
  program.clock.advance(30 * DAY_SECONDS);
  const caller = await newSession(program, meera.userid, 'customer');
  const { data } = await caller.send(getOrder, { orderid: placed.orderid });
  expect(data?.[0]).toMatchObject({ offerid, offer_rate: 15, program_rate: 3800 });
  program.clock.set(NOW);
});

describe('rates that differ from the active offer (O9)', () => {
  test.each<[string, (meera: OrderingCustomer) => Promise<Partial<OrderRequest>>, ErrorMessage]>([
    ['an expired offer', async (meera) => withOffer(await grant(meera, 15, 8)), orderError('offer-changed')],
    ['a future offer', async (meera) => withOffer(await grant(meera, 15, -1)), orderError('offer-changed')],
    [
      'another customer’s offer',
      async () => withOffer(await grant(await newOrderingCustomer(program), 15, 1)),
      orderError('offer-changed'),
    ],
    ['an unknown offer', async () => withOffer(newId()), orderError('offer-changed')],
    [
      'an older active offer',
      async (meera) => {
        const older = await grant(meera, 15, 3);
        await grant(meera, 5, 1);
        return withOffer(older);
      },
      orderError('offer-changed'),
    ],
    [
      'no offer although one is active',
      async (meera) => {
        await grant(meera, 15, 1);
        return {};
      },
      orderError('offer-changed'),
    ],
    ['a higher percentage', async (meera) => withOffer(await grant(meera, 15, 1), 20), orderError('offer-changed')],
    ['a lower percentage', async (meera) => withOffer(await grant(meera, 15, 1), 10), orderError('offer-changed')],
    [
      'an order rate one paisa too low',
      async (meera) => ({ ...withOffer(await grant(meera, 15, 1)), orderrate: asPaise(3229) }),
      orderError('rates-changed'),
    ],
    [
      'the offer applied twice',
      async (meera) => ({ ...withOffer(await grant(meera, 15, 1)), orderrate: asPaise(2745) }),
      orderError('rates-changed'),
    ],
    [
      'the offer applied to the program rate',
      async (meera) => ({ ...withOffer(await grant(meera, 15, 1)), programrate: asPaise(3230) }),
      orderError('rates-changed'),
    ],
  ])('are rejected and write nothing: %s', async (_what, change, error) => {
    const meera = await newOrderingCustomer(program);
    const body = { ...meera.order, ...(await change(meera)) };
    const before = await countOrders(program);
    expect(await meera.caller.send(addOrder, body, { idempotencyKey: newId() })).toEqual(fail(error));
    expect(await countOrders(program)).toEqual(before);
  });

  test('a guest gets no offer, also with the mobile number of a customer who has one', async () => {
    const guest = await newOrderingGuest(program);
    const offerid = await grant(guest, 15, 1);
    expect(await guest.caller.send(addOrder, { ...guest.order, ...withOffer(offerid) })).toEqual(fail(orderError('offer-changed')));
    expect(await place(guest)).toMatchObject({ offerrate: 0, orderrate: 3800 });
  });
});

describe('server and browser agree on the limits of an offer to the millisecond (R5)', () => {
  test.each([
    ['from a morning', '2026-11-21T05:00:00Z', 7, '2026-11-28T05:00:00Z'],
    ['from midnight to midnight in Asia/Kolkata', '2026-11-21T18:30:00Z', 1, '2026-11-22T18:30:00Z'],
    ['all of 29 February', '2028-02-28T18:30:00Z', 1, '2028-02-29T18:30:00Z'],
    ['across 29 February', '2028-02-28T06:30:00Z', 2, '2028-03-01T06:30:00Z'],
    ['end of February without a leap day', '2027-02-28T06:30:00Z', 1, '2027-03-01T06:30:00Z'],
  ])('%s: an offer from %s for %i days is active up to and including %s', async (_what, startsAt, validDays, lastMoment) => {
    program.clock.set(startsAt);
    const meera = await newOrderingCustomer(program);
    const newOffer = { customerId: meera.userid, percent: 15, validDays, reason: 'A test', startsAt: new Date(startsAt) };
    const offerid = await grantOffer(program.db, newOffer, program.clock.now());
    const [first, last] = [new Date(startsAt).getTime(), new Date(lastMoment).getTime()];
    // The same customer at every limit, because a stale cache must not decide.
    for (const [moment, isActive] of [
      [first, false],
      [first + 1, true],
      [last, true],
      [last + 1, false],
    ] as const) {
      program.clock.set(new Date(moment));
      // Twice, so that both processes respond (test/race/two-programs.test.ts).
      for (let turn = 0; turn < 2; turn += 1) {
        const { data } = await meera.caller.send(getOffers, { userid: meera.userid });
        expect(activeOffer((data ?? []).map(decodeOffer), program.clock.now())).toEqual(isActive ? { id: offerid, percent: 15 } : null);
        const with15 = () => meera.caller.send(addOrder, { ...meera.order, ...withOffer(offerid) }, { idempotencyKey: newId() });
        const without = () => meera.caller.send(addOrder, meera.order, { idempotencyKey: newId() });
        const results = [await with15(), await without()].map((result) => (result.response === 'success' ? result.message : result));
        const [placed, refused] = [orderMessages.placed, fail(orderError('offer-changed'))];
        expect(results, program.clock.now().toISOString()).toEqual(isActive ? [placed, refused] : [refused, placed]);
      }
    }
    program.clock.set(NOW);
  });
});

test('an offer starts at the full second of its grant, because times on the wire have no fractions', async () => {
  program.clock.set('2026-11-21T05:00:00.400Z');
  const meera = await newOrderingCustomer(program);
  const startsAt = program.clock.now();
  const offerid = await grantOffer(
    program.db,
    { customerId: meera.userid, percent: 15, validDays: 1, reason: 'A test', startsAt },
    startsAt,
  );
  expect(await place(meera, withOffer(offerid))).toMatchObject({ offerrate: 15 });
});

test('a retry with the key returns the order after its offer has expired', async () => {
  program.clock.set(NOW);
  const meera = await newOrderingCustomer(program);
  const offerid = await grant(meera, 15, 6);
  const idempotencyKey = newId();
  const first = await place(meera, withOffer(offerid), { idempotencyKey });
  program.clock.advance(2 * DAY_SECONDS);
  expect(await place(meera, withOffer(offerid), { idempotencyKey })).toEqual(first);
  // Without the offer the body differs, so that it needs another key.
  expect(await meera.caller.send(addOrder, meera.order, { idempotencyKey })).toEqual(fail(orderError('order-key-reused')));
});
