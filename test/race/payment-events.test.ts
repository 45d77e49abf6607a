/** A gateway's events, the redirect back and cash at the door at the same moment, through two programs (reliability bar, M8): each money counts once. */
import { expect, test } from 'vitest';
import { transaction } from '../../src/db/database.server.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { getPaymentDetails, startPayment } from '../../src/domains/payments/contract.ts';
import { recordManualPayment } from '../../src/domains/payments/service.server.ts';
import { auditLedger, isSound } from '../../src/domains/wallet/service.server.ts';
import { balanceOf } from '../../src/domains/wallet/store.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newGround } from '../support/child-program.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { eventOf, startRazorpay, type SignedEvent } from '../support/razorpay-stand-in.ts';
import { size } from '../support/size.ts';

const REST = asPaise(28_614);
const ROUNDS = size({ small: 3, full: 60 });

test(`M8: ${ROUNDS} payments told, asked about and paid in cash at once, through two processes`, { timeout: 300_000 }, async () => {
  const service = await startRazorpay();
  const ground = await newGround();
  await Promise.all([ground.start(undefined, service.settings), ground.start(undefined, service.settings)]);
  const gateway = ground.caller();
  /** As Razorpay does, until it is taken: a crowd may be told that there is no room. */
  const tell = async ({ body, headers }: SignedEvent): Promise<number> => {
    const { statusCode } = await gateway.post('payments/webhook/razorpay', body, headers);
    return statusCode === 503 ? tell({ body, headers }) : statusCode;
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    const { caller, userid, ...person } = await newOrderingCustomer(ground);
    const { orderid } = await place({ caller, userid, ...person });
    await weighOrder(ground.db, orderid, 7530, 12);
    await moveOrder(ground.db, orderid, 'queue', ground.clock.now());
    const begin = () => caller.send(startPayment, { userid, orderid, method: 'gateway', amount: REST });
    const begun = await Promise.all([begin(), begin(), begin(), begin()]);
    const [tid = '', ...others] = new Set(begun.flatMap(({ data }) => data?.tid ?? []));
    expect(others).toEqual([]);

    const rows = ground.db.selectFrom('payments').select(['method', 'state', 'amount_paise', 'reference']).where('order_id', '=', orderid);
    const [row] = await rows.execute();
    const link = service.linkOf(row?.reference ?? '');
    service.pay(link);
    const [event, renamed] = [eventOf(link), eventOf(link)];
    const forged = eventOf(link, { secret: 'guessed' });
    const cash = { orderid, method: 'cash', amountPaise: REST } as const;
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 24 }, (_, index) => tell([event, renamed, forged][index % 3]!))),
      Promise.all(Array.from({ length: 6 }, () => ground.caller().send(getPaymentDetails, { tid }))),
      transaction(ground.db, (tx) => recordManualPayment(tx, cash, ground.clock.now())),
    ]);
    expect(answers).toEqual(Array.from({ length: 24 }, (_, index) => (index % 3 === 2 ? 401 : 200)));
    expect((await rows.orderBy('method').execute()).map(({ method, state, amount_paise }) => [method, state, amount_paise])).toEqual([
      ['cash', 'received', REST],
      ['gateway', 'received', REST],
    ]);
    // The order costs it once: what came second is change, whichever it was.
    expect(await balanceOf(ground.db, userid)).toBe(REST);
  }
  expect(isSound(await auditLedger(ground.db))).toBe(true);
});
