/** Places orders from the browser against the real program, also if responses are lost. */
import { protocolError } from '../../../../contract/protocol-errors.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { countOrders, home, newOrderingCustomer, newOrderingGuest } from '../../../../../test/support/ordering.ts';
import { useProgram } from '../../../../../test/support/program.ts';
import { newId } from '../../../../lib/ids.ts';
import { CallRefused, ConnectionLost, ServerFault } from '../../../../contract/call-failures.ts';
import type { Send } from '../../../../contract/send.ts';
import { AREAS } from '../../../catalogue/contract.ts';
import { loadCatalogue } from '../../../catalogue/pages/catalogue-data.ts';
import { orderError } from '../../contract.ts';
import { pickupDay } from '../../../evenings/rules.ts';
import { EMPTY_DRAFT, cartActions, type Draft } from '../draft/cart-state.ts';
import { sendOrder } from './send-order.ts';
import type { Attempt } from './unplaced.ts';

const program = useProgram();

const currentMarket = async (send: Send) => {
  const { services } = await loadCatalogue(send, () => {});
  return { services: services ?? [], pickupDay: pickupDay(program.clock.now()) };
};

/** Returns an attempt of a customer at the last stage of the cart, by default Wash in Vatika. */
async function newAttempt(change: Partial<Draft> = {}): Promise<{ send: Send; attempt: Attempt }> {
  const { caller, userid, order } = await newOrderingCustomer(program);
  const market = await currentMarket(caller.send);
  const picked = cartActions.pick(
    { ...EMPTY_DRAFT, area: 'vatika', address: { ...home, area: null, addressid: order.addressid!, userid } },
    market.services[0]!,
  );
  return { send: caller.send, attempt: { draft: { ...cartActions.refresh(picked, market), ...change, key: newId() }, userid } };
}

/** Records the delays and does not wait. */
const pauses = () => {
  const made: number[] = [];
  return { made, pause: async (ms: number) => void made.push(ms) };
};

/** Makes every call, and loses the first `times` responses. */
const losingResponses = (send: Send, times: number): Send => {
  let lost = 0;
  return async (call, body, options) => {
    const result = await send(call, body, options);
    if (lost++ < times) throw new ConnectionLost('Failed to fetch');
    return result;
  };
};

describe('the rate of the cart', () => {
  test.each(AREAS.flatMap((area) => [0, 1, 2].map((index) => ({ area, index }))))(
    'is charged by the server in $area for service $index',
    async ({ area, index }) => {
      const { send, attempt } = await newAttempt({ area });
      const { services } = await currentMarket(send);
      const service = services[index]!;
      const outcome = await sendOrder({ ...attempt, draft: { ...attempt.draft, service } }, send);
      expect(outcome).toMatchObject({
        status: 'placed',
        order: { area, orderrate: service.rates[area], offerrate: 0, pickup_date: '2026-11-21' },
      });
    },
  );
});

test('a guest with a verified mobile number places the order with the typed address', async () => {
  const { caller, mobile } = await newOrderingGuest(program);
  const { attempt } = await newAttempt({ guestAddress: { ...home, mobile } });
  expect(await sendOrder({ ...attempt, userid: null }, caller.send)).toMatchObject({ status: 'placed' });
});

test('a retry after a lost response uses the same key and places one order', async () => {
  const { send, attempt } = await newAttempt();
  const before = await countOrders(program);
  const { made, pause } = pauses();
  expect(await sendOrder(attempt, losingResponses(send, 3), pause)).toMatchObject({ status: 'placed' });
  expect(made).toEqual([1000, 2000, 4000]);
  expect(await countOrders(program)).toMatchObject({ orders: before.orders + 1 });
});

test('the body has the keys of an offer only with an offer', async () => {
  const { attempt } = await newAttempt();
  const bodies: object[] = [];
  const record: Send = async (_call, body) => {
    bodies.push(body as object);
    throw new CallRefused(400, protocolError('invalid-body'));
  };
  await sendOrder(attempt, record);
  await sendOrder({ ...attempt, draft: { ...attempt.draft, offer: { id: 'O1', percent: 10 } } }, record);
  expect(bodies[0]).not.toHaveProperty('offerid');
  expect(bodies[0]).not.toHaveProperty('offerrate');
  expect(bodies[1]).toMatchObject({ offerid: 'O1', offerrate: 10 });
});

test('sendOrder fails after all retries, and a later attempt returns the order', async () => {
  const { send, attempt } = await newAttempt();
  const before = await countOrders(program);
  const { made, pause } = pauses();
  expect(await sendOrder(attempt, losingResponses(send, 100), pause)).toEqual({ status: 'failed', error: null });
  expect(made).toEqual([1000, 2000, 4000, 8000, 15_000]);
  expect(await sendOrder(attempt, send)).toMatchObject({ status: 'placed' });
  expect(await countOrders(program)).toMatchObject({ orders: before.orders + 1 });
});

describe('on a hanging connection', () => {
  afterEach(() => void vi.useRealTimers());

  /** Loses the connection after `seconds`. Like fetch, it rejects when its signal aborts. */
  const loses =
    (seconds: number): Send =>
    (_call, _body, options) =>
      new Promise((_resolve, reject) => {
        const abort = () => reject(new DOMException('aborted', 'AbortError'));
        if (options?.signal?.aborted) return abort();
        options?.signal?.addEventListener('abort', abort);
        setTimeout(() => reject(new ConnectionLost('Failed to fetch')), seconds * 1000);
      });

  test.each([
    ['the first try', [100]],
    ['the second try', [30, 20]],
    ['the last pause', [0, 0, 0, 0, 20, 0]],
  ])('ends after 45 s, during %s', async (_what, durations) => {
    const { attempt } = await newAttempt();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let tries = 0;
    const outcome = sendOrder(attempt, (...sent) => loses(durations[tries++]!)(...sent));
    await vi.advanceTimersByTimeAsync(45_000);
    expect(await outcome).toEqual({ status: 'failed', error: null });
    expect(tries).toBe(durations.length);
  });
});

test.each([
  new CallRefused(503, protocolError('service-busy')),
  new CallRefused(429, protocolError('service-busy')),
  new ServerFault(protocolError('internal-error')),
])('retries after %s', async (error) => {
  const { send, attempt } = await newAttempt();
  const { made, pause } = pauses();
  let rejections = 2;
  const busy: Send = async (call, body, options) => {
    if (rejections-- > 0) throw error;
    return send(call, body, options);
  };
  expect(await sendOrder(attempt, busy, pause)).toMatchObject({ status: 'placed' });
  expect(made).toEqual([1000, 2000]);
});

describe('the request is stale', () => {
  test('returns stale for a rate that has changed', async () => {
    const { send, attempt } = await newAttempt();
    const [wash] = (await currentMarket(send)).services;
    const service = { ...wash!, rates: { ...wash!.rates, vatika: wash!.rates.manesar } };
    expect(await sendOrder({ ...attempt, draft: { ...attempt.draft, service } }, send)).toEqual({
      status: 'stale',
      error: orderError('rates-changed'),
    });
  });

  test.each([
    ['that is closed', '2026-11-20', orderError('pickup-moved', { pickupDay: '2026-11-21' })],
    ['that is too far', '2026-11-28', orderError('pickup-day-too-far', { lastDay: '2026-11-27' })],
  ])('returns stale for a pickup day %s', async (_what, day, error) => {
    const { send, attempt } = await newAttempt({ pickupDay: day });
    expect(await sendOrder(attempt, send)).toEqual({ status: 'stale', error });
  });
});

test('returns the server’s error for a deleted address without a retry', async () => {
  const { send, attempt } = await newAttempt();
  const address = { ...attempt.draft.address!, addressid: 'GONE' };
  const { made, pause } = pauses();
  expect(await sendOrder({ ...attempt, draft: { ...attempt.draft, address } }, send, pause)).toEqual({
    status: 'failed',
    error: orderError('unknown-address'),
  });
  expect(made).toEqual([]);
});

test('returns the error of an expired session without a retry', async () => {
  const { attempt } = await newAttempt();
  expect(await sendOrder(attempt, program.caller().send)).toEqual({ status: 'failed', error: protocolError('login-required') });
});

test.each<[string, Partial<Draft>]>([
  ['program', { service: null }],
  ['area', { area: 'none' }],
  ['slot', { slotChosen: false }],
  ['address', { address: null }],
])('makes no call without the %s', async (_what, change) => {
  const { attempt } = await newAttempt(change);
  let calls = 0;
  const outcome = await sendOrder(attempt, (...sent) => {
    calls++;
    return program.caller().send(...sent);
  });
  expect({ outcome, calls }).toEqual({ outcome: { status: 'failed', error: null }, calls: 0 });
});
