/**
 * The browser's side of placing, against the real program: what the cart shows is what the server
 * charges, and a lost answer is never a second order.
 */
import { protocolError } from '../../../../contract/protocol-errors.ts';
import { describe, expect, test } from 'vitest';
import { countOrders, home, newOrderingCustomer, newOrderingGuest } from '../../../../../test/support/ordering.ts';
import { useProgram } from '../../../../../test/support/program.ts';
import { newId } from '../../../../lib/ids.ts';
import { CallRefused, ConnectionLost } from '../../../../contract/call-failures.ts';
import type { Send } from '../../../../browser/client.ts';
import { AREAS } from '../../../catalogue/contract.ts';
import { loadCatalogue } from '../../../catalogue/pages/catalogue-data.ts';
import { orderError } from '../../contract.ts';
import { pickupDay } from '../../rules.ts';
import { EMPTY_DRAFT, cartActions, type Draft } from '../draft/cart-state.ts';
import { sendOrder } from './send-order.ts';
import type { Attempt } from './unplaced.ts';

const program = useProgram();

const shownNow = async (send: Send) => {
  const { services } = await loadCatalogue(send, () => {});
  return { services: services ?? [], pickupDay: pickupDay(program.clock.now()) };
};

/** A customer at the last stage of the cart, with Wash in Vatika unless told otherwise. */
async function customerAtTheCart(change: Partial<Draft> = {}): Promise<{ send: Send; attempt: Attempt }> {
  const { caller, userid, order } = await newOrderingCustomer(program);
  const market = await shownNow(caller.send);
  const picked = cartActions.pick(
    { ...EMPTY_DRAFT, area: 'vatika', address: { ...home, addressid: order.addressid!, userid } },
    market.services[0]!,
  );
  return { send: caller.send, attempt: { draft: { ...cartActions.refresh(picked, market), ...change, key: newId() }, userid } };
}

/** Counts the pauses instead of making them. */
const pauses = () => {
  const made: number[] = [];
  return { made, pause: async (ms: number) => void made.push(ms) };
};

/** The first `times` answers do not come back, though the call was made. */
const losingAnswers = (send: Send, times: number): Send => {
  let lost = 0;
  return async (call, body, options) => {
    const answer = await send(call, body, options);
    if (lost++ < times) throw new ConnectionLost('Failed to fetch');
    return answer;
  };
};

describe('each service costs in each area what the cart shows', () => {
  test.each(AREAS.flatMap((area) => [0, 1, 2].map((index) => ({ area, index }))))('$area, service $index', async ({ area, index }) => {
    const { send, attempt } = await customerAtTheCart({ area });
    const { services } = await shownNow(send);
    const service = services[index]!;
    const outcome = await sendOrder({ ...attempt, draft: { ...attempt.draft, service } }, send);
    expect(outcome).toMatchObject({
      status: 'placed',
      order: { area, orderrate: service.rates[area], offerrate: 0, pickup_date: '2026-11-21' },
    });
  });
});

test('a guest who has proved the mobile places the order with the address as it was typed', async () => {
  const { caller, mobile } = await newOrderingGuest(program);
  const { attempt } = await customerAtTheCart({ guestAddress: { ...home, mobile } });
  expect(await sendOrder({ ...attempt, userid: null }, caller.send)).toMatchObject({ status: 'placed' });
});

test('a lost answer is asked for again under the same key: one order', async () => {
  const { send, attempt } = await customerAtTheCart();
  const before = await countOrders(program);
  const { made, pause } = pauses();
  expect(await sendOrder(attempt, losingAnswers(send, 3), pause)).toMatchObject({ status: 'placed' });
  expect(made).toEqual([1000, 2000, 4000]);
  expect(await countOrders(program)).toMatchObject({ orders: before.orders + 1 });
});

test('it gives up in the end, and the same attempt finds the order later', async () => {
  const { send, attempt } = await customerAtTheCart();
  const before = await countOrders(program);
  const { made, pause } = pauses();
  expect(await sendOrder(attempt, losingAnswers(send, 100), pause)).toEqual({ status: 'failed', error: null });
  expect(made).toEqual([1000, 2000, 4000, 8000, 15_000]);
  expect(await sendOrder(attempt, send)).toMatchObject({ status: 'placed' });
  expect(await countOrders(program)).toMatchObject({ orders: before.orders + 1 });
});

test.each([503, 500, 429])('an answer %i may pass: it tries again', async (status) => {
  const { send, attempt } = await customerAtTheCart();
  const { made, pause } = pauses();
  let refusals = 2;
  const busy: Send = async (call, body, options) => {
    if (refusals-- > 0) throw new CallRefused(status, protocolError('service-busy'));
    return send(call, body, options);
  };
  expect(await sendOrder(attempt, busy, pause)).toMatchObject({ status: 'placed' });
  expect(made).toEqual([1000, 2000]);
});

describe('what fresh figures mend', () => {
  test('a rate that has changed', async () => {
    const { send, attempt } = await customerAtTheCart();
    const [wash] = (await shownNow(send)).services;
    const service = { ...wash!, rates: { ...wash!.rates, vatika: wash!.rates.manesar } };
    expect(await sendOrder({ ...attempt, draft: { ...attempt.draft, service } }, send)).toEqual({
      status: 'stale',
      error: orderError('rates-changed'),
    });
  });

  test.each([
    ['closed meanwhile', '2026-11-20', orderError('pickup-moved', { pickupDay: '2026-11-21' })],
    ['of a clock that is ahead', '2026-11-22', orderError('unknown-timeslot')],
  ])('a pickup day %s', async (_what, day, error) => {
    const { send, attempt } = await customerAtTheCart({ pickupDay: day });
    expect(await sendOrder(attempt, send)).toEqual({ status: 'stale', error });
  });
});

test('an address that is gone: refused in the server’s words, and not tried again', async () => {
  const { send, attempt } = await customerAtTheCart();
  const address = { ...attempt.draft.address!, addressid: 'GONE' };
  const { made, pause } = pauses();
  expect(await sendOrder({ ...attempt, draft: { ...attempt.draft, address } }, send, pause)).toEqual({
    status: 'failed',
    error: orderError('unknown-address'),
  });
  expect(made).toEqual([]);
});

test('a session that is over: refused, and not tried again', async () => {
  const { attempt } = await customerAtTheCart();
  expect(await sendOrder(attempt, program.caller().send)).toEqual({ status: 'failed', error: protocolError('login-required') });
});

test.each<[string, Partial<Draft>]>([
  ['program', { service: null }],
  ['area', { area: 'none' }],
  ['slot', { slotChosen: false }],
  ['address', { address: null }],
])('without the %s no call is made', async (_what, change) => {
  const { attempt } = await customerAtTheCart(change);
  let calls = 0;
  const outcome = await sendOrder(attempt, (...sent) => {
    calls++;
    return program.caller().send(...sent);
  });
  expect({ outcome, calls }).toEqual({ outcome: { status: 'failed', error: null }, calls: 0 });
});
