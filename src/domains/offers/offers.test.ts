/** Offers by the calls: the list, and what an order makes of it (reliability bar, O9 and R5). */
import { fail } from '../../contract/route.server.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { describe, expect, test } from 'vitest';
import { countOrders, newOrderingCustomer, newOrderingGuest, place, type OrderingPerson } from '../../../test/support/ordering.ts';
import { newSession } from '../../../test/support/people.ts';
import { useProgram } from '../../../test/support/program.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { addOrder, getOrder, orderError, orderMessages, type OrderRequest } from '../orders/contract.ts';
import { getOffers } from './contract.ts';
import { activeOffer } from './rules.ts';
import { grantOffer } from './service.server.ts';

const program = useProgram();
const NOW = '2026-11-21T05:00:00.000Z';

const grant = ({ userid }: OrderingPerson, percent: number, startedDaysAgo: number, validDays = 7) =>
  grantOffer(
    program.db,
    { customerId: userid, percent, validDays, reason: 'A test', startsAt: addSeconds(new Date(NOW), -startedDaysAgo * DAY_SECONDS) },
    program.clock.now(),
  );

/** Wash in Manesar, 15 % off, as the cart shows it. */
const withOffer = (offerid: string, percent = 15): Partial<OrderRequest> => ({
  offerid,
  offerrate: percent,
  orderrate: asPaise((3800 * (100 - percent)) / 100),
});

test('the list is the customer’s own, oldest first, the id deciding between those of one moment', async () => {
  const [meera, other] = [await newOrderingCustomer(program), await newOrderingCustomer(program)];
  const third = await grant(meera, 30, 1);
  const twins = [await grant(meera, 10, 3), await grant(meera, 20, 3)].toSorted();
  await grant(other, 50, 1);
  const answer = await meera.caller.post('offers/getoffertransaction', { userid: meera.userid });
  const { data } = answer.json() as { data: { offerid: string }[] };
  expect(data.map(({ offerid }) => offerid)).toEqual([...twins, third]);
  expect(data.at(-1)).toEqual({ offerid: third, offer_rate: 30, offer_validity: '7 days', ot_date: '2026-11-20 10:30:00' });
});

test('none is an empty list', async () => {
  const meera = await newOrderingCustomer(program);
  expect(await meera.caller.send(getOffers, { userid: meera.userid })).toEqual({ response: 'success', message: 'Offers', data: [] });
});

test('an order takes the active offer, and keeps it when it is over', async () => {
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

describe('figures that are not the offer of now: refused, and nothing is written (O9)', () => {
  test.each<[string, (meera: OrderingPerson) => Promise<Partial<OrderRequest>>, ErrorMessage]>([
    ['an offer that is over', async (meera) => withOffer(await grant(meera, 15, 8)), orderError('offer-changed')],
    ['an offer still to come', async (meera) => withOffer(await grant(meera, 15, -1)), orderError('offer-changed')],
    ['another customer’s', async () => withOffer(await grant(await newOrderingCustomer(program), 15, 1)), orderError('offer-changed')],
    ['one that nobody has', async () => withOffer(newId()), orderError('offer-changed')],
    [
      'an older one that is active too',
      async (meera) => {
        const older = await grant(meera, 15, 3);
        await grant(meera, 5, 1);
        return withOffer(older);
      },
      orderError('offer-changed'),
    ],
    [
      'none, though there is one',
      async (meera) => {
        await grant(meera, 15, 1);
        return {};
      },
      orderError('offer-changed'),
    ],
    ['more percent', async (meera) => withOffer(await grant(meera, 15, 1), 20), orderError('offer-changed')],
    ['less percent', async (meera) => withOffer(await grant(meera, 15, 1), 10), orderError('offer-changed')],
    [
      'the offer, and a paisa less than it makes',
      async (meera) => ({ ...withOffer(await grant(meera, 15, 1)), orderrate: asPaise(3229) }),
      orderError('rates-changed'),
    ],
    [
      'the offer taken twice',
      async (meera) => ({ ...withOffer(await grant(meera, 15, 1)), orderrate: asPaise(2745) }),
      orderError('rates-changed'),
    ],
    [
      'the offer taken off the uncut rate',
      async (meera) => ({ ...withOffer(await grant(meera, 15, 1)), programrate: asPaise(3230) }),
      orderError('rates-changed'),
    ],
  ])('%s', async (_what, change, error) => {
    const meera = await newOrderingCustomer(program);
    const body = { ...meera.order, ...(await change(meera)) };
    const before = await countOrders(program);
    expect(await meera.caller.send(addOrder, body, { idempotencyKey: newId() })).toEqual(fail(error));
    expect(await countOrders(program)).toEqual(before);
  });

  test('a guest has none, also with the mobile of a customer who has', async () => {
    const guest = await newOrderingGuest(program);
    const offerid = await grant(guest, 15, 1);
    expect(await guest.caller.send(addOrder, { ...guest.order, ...withOffer(offerid) })).toEqual(fail(orderError('offer-changed')));
    expect(await place(guest)).toMatchObject({ offerrate: 0, orderrate: 3800 });
  });
});

describe('at its edges the server decides to the millisecond, and as the browser does (R5)', () => {
  test.each([
    ['from a morning', '2026-11-21T05:00:00Z', 7, '2026-11-28T05:00:00Z'],
    ['from midnight to midnight in Asia/Kolkata', '2026-11-21T18:30:00Z', 1, '2026-11-22T18:30:00Z'],
    ['all of 29 February', '2028-02-28T18:30:00Z', 1, '2028-02-29T18:30:00Z'],
    ['over 29 February', '2028-02-28T06:30:00Z', 2, '2028-03-01T06:30:00Z'],
    ['where there is no 29 February', '2027-02-28T06:30:00Z', 1, '2027-03-01T06:30:00Z'],
  ])('%s: %s, %i days, up to and with %s', async (_what, startsAt, validDays, lastMoment) => {
    program.clock.set(startsAt);
    const meera = await newOrderingCustomer(program);
    const given = { customerId: meera.userid, percent: 15, validDays, reason: 'A test', startsAt: new Date(startsAt) };
    const offerid = await grantOffer(program.db, given, program.clock.now());
    const [first, last] = [new Date(startsAt).getTime(), new Date(lastMoment).getTime()];
    // One customer lives through all of it: what was true at one edge must not be remembered at the
    // next.
    for (const [moment, holds] of [
      [first, false],
      [first + 1, true],
      [last, true],
      [last + 1, false],
    ] as const) {
      program.clock.set(new Date(moment));
      // Twice, because two programs take turns (test/race/two-programs.test.ts).
      for (let turn = 0; turn < 2; turn += 1) {
        const { data } = await meera.caller.send(getOffers, { userid: meera.userid });
        expect(activeOffer(data ?? [], program.clock.now())).toEqual(holds ? { id: offerid, percent: 15 } : null);
        const with15 = () => meera.caller.send(addOrder, { ...meera.order, ...withOffer(offerid) }, { idempotencyKey: newId() });
        const without = () => meera.caller.send(addOrder, meera.order, { idempotencyKey: newId() });
        const answers = [await with15(), await without()].map((answer) => (answer.response === 'success' ? answer.message : answer));
        const [yes, no] = [orderMessages.placed, fail(orderError('offer-changed'))];
        expect(answers, program.clock.now().toISOString()).toEqual(holds ? [yes, no] : [no, yes]);
      }
    }
    program.clock.set(NOW);
  });
});

test('an offer begins with the second it is granted in: the wire knows no parts of one', async () => {
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

test('a key leads to its order also when the offer it was placed with is over', async () => {
  program.clock.set(NOW);
  const meera = await newOrderingCustomer(program);
  const offerid = await grant(meera, 15, 6);
  const idempotencyKey = newId();
  const first = await place(meera, withOffer(offerid), { idempotencyKey });
  program.clock.advance(2 * DAY_SECONDS);
  expect(await place(meera, withOffer(offerid), { idempotencyKey })).toEqual(first);
  // With what is true now, it is another order and needs a key of its own.
  expect(await meera.caller.send(addOrder, meera.order, { idempotencyKey })).toEqual(fail(orderError('order-key-reused')));
});
