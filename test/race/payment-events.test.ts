/**
 * Concurrent webhook events, status polls and a cash payment through two processes
 * (docs/security.md, M8): each counts once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { transaction } from '../../src/db/database.server.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { getPaymentDetails, startPayment } from '../../src/domains/payments/contract.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { auditLedger, isSound } from '../../src/domains/wallet/service.server.ts';
import { readBalance } from '../../src/domains/wallet/store.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newTestEnvironment } from '../support/test-environment.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { eventOf, startRazorpay, type SignedEvent } from '../support/razorpay-stand-in.ts';
import { size } from '../support/size.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const REST = asPaise(28_614);
const ROUNDS = size({ small: 3, full: 60 });

test(`M8: ${ROUNDS} payments settle once with concurrent events, polls and cash through two processes`, { timeout: 300_000 }, async () => {
  const service = await startRazorpay();
  const environment = await newTestEnvironment();
  await Promise.all([environment.start(undefined, service.settings), environment.start(undefined, service.settings)]);
  const gateway = environment.caller();
  /** Sends an event again after a 503, like Razorpay. */
  const sendEvent = async ({ body, headers }: SignedEvent): Promise<number> => {
    const { statusCode } = await gateway.post('payments/webhook/razorpay', body, headers);
    return statusCode === 503 ? sendEvent({ body, headers }) : statusCode;
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    const { caller, userid, ...customer } = await newOrderingCustomer(environment);
    const { orderid } = await place({ caller, userid, ...customer });
    await weighOrder(environment.db, orderid, 7530, 12, environment.clock.now());
    await moveOrder(environment.db, orderid, 'queue', environment.clock.now());
    const begin = () => caller.send(startPayment, { userid, orderid, method: 'gateway', amount: REST });
    const begun = await Promise.all([begin(), begin(), begin(), begin()]);
    const [tid = '', ...others] = new Set(begun.flatMap(({ data }) => data?.tid ?? []));
    expect(others).toEqual([]);

    const rows = environment.db
      .selectFrom('payments')
      .select(['method', 'state', 'amount_paise', 'reference'])
      .where('order_id', '=', orderid);
    const [row] = await rows.execute();
    const link = service.linkOf(row?.reference ?? '');
    service.pay(link);
    const [event, renamed] = [eventOf(link), eventOf(link)];
    const forged = eventOf(link, { secret: 'guessed' });
    const cash = { orderid, method: 'cash', amountPaise: REST, mayOverpay: true } as const;
    const [statuses] = await Promise.all([
      Promise.all(Array.from({ length: 24 }, (_, index) => sendEvent([event, renamed, forged][index % 3]!))),
      Promise.all(Array.from({ length: 6 }, () => environment.caller().send(getPaymentDetails, { tid }))),
      transaction(environment.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, environment.clock.now())),
    ]);
    expect(statuses).toEqual(Array.from({ length: 24 }, (_, index) => (index % 3 === 2 ? 401 : 200)));
    expect((await rows.orderBy('method').execute()).map(({ method, state, amount_paise }) => [method, state, amount_paise])).toEqual([
      ['cash', 'received', REST],
      ['gateway', 'received', REST],
    ]);
    // The order is paid once: the later payment is credited to the wallet.
    expect(await readBalance(environment.db, userid)).toBe(REST);
  }
  expect(isSound(await auditLedger(environment.db))).toBe(true);
});

test('twenty concurrent starts of one payment through two processes open one page', async () => {
  const service = await startRazorpay();
  const environment = await newTestEnvironment();
  await Promise.all([environment.start(undefined, service.settings), environment.start(undefined, service.settings)]);
  const { caller, userid, ...customer } = await newOrderingCustomer(environment);
  const { orderid } = await place({ caller, userid, ...customer });
  await weighOrder(environment.db, orderid, 7530, 12, environment.clock.now());
  await moveOrder(environment.db, orderid, 'queue', environment.clock.now());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  service.behave([], { until: released });
  const starting = Promise.allSettled(
    Array.from({ length: 20 }, () => caller.send(startPayment, { userid, orderid, method: 'gateway', amount: REST })),
  );
  while (service.requests.length === 0) await sleep(5);
  await sleep(500);
  release();
  const starts = await starting;
  const [row] = await environment.db.selectFrom('payments').select(['tid', 'reference']).where('order_id', '=', orderid).execute();
  const page = { tid: row?.tid, url: service.linkOf(row?.reference ?? '').short_url };
  // On a busy machine some starts wait longer than the program lets them.
  for (const start of starts) {
    if (start.status === 'fulfilled') expect(start.value.data).toMatchObject(page);
    else expect(start.reason).toMatchObject({ status: 429 });
  }
  expect(starts.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  expect(service.requests.filter(({ body }) => body !== undefined)).toHaveLength(1);
});
