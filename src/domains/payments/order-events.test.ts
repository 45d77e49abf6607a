/** The events of an order that its payments cause. */
import { expect, test } from 'vitest';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { transaction } from '../../db/database.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { recordManualPaymentOnce, reverseManualPayment } from '../manual-payments/service.server.ts';
import { getOrder } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { getPaymentDetails, payWithWallet, startPayment } from './contract.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const program = useProgram();
/** An order of 7.53 kg at ₹38, and its half. */
const [DUE, HALF] = [asPaise(28_614), asPaise(14_307)];

test('each change of a payment is an event of its order', async () => {
  const { caller, userid, ...person } = await newOrderingCustomer(program);
  const { orderid } = await place({ caller, userid, ...person });
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  const credit = { kind: 'promotion', amountPaise: HALF, reason: 'A test', reference: newId() } as const;
  await creditWallet(program.db, { ...credit, customerId: userid, at: program.clock.now() });
  const before = await eventsOf(orderid);

  const started = await caller.send(startPayment, { userid, orderid, method: 'gateway', amount: DUE });
  await caller.request('POST', `${started.data?.url.replace(/^\//, '')}/fail`);
  await caller.send(getPaymentDetails, { tid: started.data?.tid ?? '' });
  await caller.send(payWithWallet, { userid, orderid, walletpayment: HALF, walletbalance: 0 });
  const cash = await transaction(program.db, (tx) =>
    recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise: HALF }, program.clock.now()),
  );
  const reference = 'reference' in cash ? cash.reference : '';
  await reverseManualPayment(program.db, laundryCommand(), { reference, reason: 'A test' }, program.clock.now());

  const payments = await program.db.selectFrom('payments').select(['method', 'reference']).where('order_id', '=', orderid).execute();
  const referenceOf = (method: string) => payments.find((row) => row.method === method)?.reference;
  expect((await eventsOf(orderid)).slice(before.length)).toEqual([
    { kind: 'payment-begun', stage: null, data: { reference: referenceOf('gateway') }, at: program.clock.now() },
    { kind: 'payment-failed', stage: null, data: { reference: referenceOf('gateway') }, at: program.clock.now() },
    { kind: 'paid', stage: null, data: { reference: referenceOf('wallet') }, at: program.clock.now() },
    { kind: 'paid', stage: null, data: { reference: referenceOf('cash') }, at: program.clock.now() },
    {
      kind: 'payment-reversed',
      stage: null,
      data: { reference: referenceOf('cash'), amount_paise: HALF, cash: 'given-back', reason: 'A test' },
      at: program.clock.now(),
    },
  ]);
});

test('a repeated start of an online payment, and a UPI code, are no other event', async () => {
  const { caller, userid, ...person } = await newOrderingCustomer(program);
  const { orderid } = await place({ caller, userid, ...person });
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  for (const method of ['gateway', 'gateway', 'upi'] as const) {
    expect(await caller.send(startPayment, { userid, orderid, method, amount: DUE })).toMatchObject({ response: 'success' });
  }
  expect((await eventsOf(orderid)).filter(({ kind }) => kind === 'payment-begun')).toHaveLength(1);
});

const eventsOf = (orderid: string) =>
  program.db.selectFrom('order_events').select(['kind', 'stage', 'data', 'at']).where('order_id', '=', orderid).orderBy('id').execute();

test('the version of an order increases with a payment', async () => {
  const { caller, userid, ...person } = await newOrderingCustomer(program);
  const { orderid } = await place({ caller, userid, ...person });
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  const version = async () => (await caller.send(getOrder, { userid, orderid })).data?.[0]?.version ?? 0;
  const before = await version();
  await transaction(program.db, (tx) =>
    recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'upi', amountPaise: DUE }, program.clock.now()),
  );
  expect(await version()).toBeGreaterThan(before);
});
