/** The messages about received payments. docs/decisions/0132. */
import { beforeEach, describe, expect, test } from 'vitest';
import { newKey } from '../../../test/support/caller.ts';
import { receivedTexts, sendDueMessages, senderOptions, startMessageGateway } from '../../../test/support/message-sender.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { eventOf, startRazorpay } from '../../../test/support/razorpay-stand-in.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import type { ManualPaymentMethod } from '../manual-payments/rules.ts';
import { getDeskOrder, move, receive, reversePayment } from '../order-desk/desk/contract.ts';
import { confirmUpi, dismissUpi } from '../order-desk/desk/upi-contract.ts';
import * as cancelling from '../orders/cancelling-service.server.ts';
import { getOrder, PROGRESS_STAGES, UNDO_SECONDS, type Stage } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { payWithWallet, reportPaid, startPayment } from '../payments/contract.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { creditWallet } from '../wallet/service.server.ts';

const bank = await startRazorpay();
const program = useProgram(bank.settings);
const gateway = await startMessageGateway();

let owner: TestStaff;
beforeEach(async () => {
  owner = await newStaff(program, 'owner');
});

/** An order of 7.53 kg at ₹38. */
const DUE = asPaise(28_614);

/** Sends everything that is due, and returns the customer's texts since the last call. */
async function newTexts(who: OrderingCustomer): Promise<string[]> {
  await sendDueMessages(senderOptions(program, gateway));
  const texts = receivedTexts(gateway, who);
  gateway.phones.length = 0;
  return texts;
}

/** An order in this stage whose earlier messages are sent. */
async function debtor(stage: Stage = 'queue', newPerson: (at: typeof program) => Promise<OrderingCustomer> = newOrderingCustomer) {
  const person = await newPerson(program);
  const { orderid } = await place(person);
  await weighOrder(program.db, orderid, 7530, 12, program.clock.now());
  const stages = PROGRESS_STAGES.slice(1, PROGRESS_STAGES.findIndex((row) => row.stage === stage) + 1);
  for (const { stage: next } of stages) await moveOrder(program.db, orderid, next, program.clock.now(), { bonusTime: 'sign-up' });
  await newTexts(person);
  return { ...person, orderid };
}
type Debtor = Awaited<ReturnType<typeof debtor>>;

const cancel = ({ orderid }: Debtor) =>
  cancelling.cancelOrder({ db: program.db, readPaidPaise }, laundryCommand(), { orderid }, program.clock.now());

const take = async ({ orderid }: Debtor, rupees: number, method: ManualPaymentMethod = 'cash') => {
  const { data } = await owner.caller.send(receive, { orderid, method, amount: asPaise(rupees * 100), overpaid: true }, newKey());
  return data?.payments.findLast((payment) => payment.amount === rupees * 100)?.tid ?? '';
};
const reverse = (tid: string) => owner.caller.send(reversePayment, { tid, reason: 'Another order' }, newKey());

/** Begins an online payment. `arrive` lets the gateway report it. */
async function begunOnline({ caller, userid, orderid }: Debtor) {
  await caller.send(startPayment, { userid, orderid, method: 'gateway', amount: DUE });
  const row = await program.db.selectFrom('payments').select('reference').where('order_id', '=', orderid).executeTakeFirstOrThrow();
  const link = bank.linkOf(row.reference);
  return async () => {
    bank.pay(link);
    const { body, headers } = eventOf(link);
    expect((await program.caller().post('payments/webhook/razorpay', body, headers)).statusCode).toBe(200);
  };
}

/** Begins a UPI payment and reports it as paid. */
async function reported({ caller, userid, orderid }: Debtor) {
  const { data } = await caller.send(startPayment, { userid, orderid, method: 'upi', amount: DUE });
  await caller.send(reportPaid, { userid, orderid, tid: data?.tid ?? '' });
  return { orderid, reference: /[?&]tr=([^&]+)/.exec(data?.url ?? '')?.[1] ?? '' };
}

const receivedText = ({ orderid }: Debtor, amount: string, rest: string) =>
  `Dhulai: we have received Rs.${amount} for order ${orderid}. Left to pay: Rs.${rest}. https://laundry.example/auth/orders/vieworder/${orderid}`;

describe('an online payment', () => {
  test.each(['queue', 'delivered'] as const)('of an order in the stage %s sends one message at once', async (stage) => {
    const who = await debtor(stage);
    const arrive = await begunOnline(who);
    expect(await newTexts(who)).toEqual([]);
    await arrive();
    await arrive();
    expect(await newTexts(who)).toEqual([receivedText(who, '286.14', '0.00')]);
  });

  test('that arrives for a paid order says that it arrived, and that it is in the wallet', async () => {
    const who = await debtor();
    const arrive = await begunOnline(who);
    await take(who, 286.14);
    program.clock.advance(UNDO_SECONDS);
    await newTexts(who);
    await arrive();
    expect(await newTexts(who)).toEqual([
      receivedText(who, '286.14', '0.00'),
      `Dhulai: Rs.286.14 that you paid for order ${who.orderid} is back in your wallet.`,
    ]);
  });

  test('that arrives for a cancelled order sends the message about the wallet only, and to a guest that it arrived', async () => {
    for (const newPerson of [newOrderingCustomer, newOrderingGuest]) {
      const who = await debtor('queue', newPerson);
      const arrive = await begunOnline(who);
      await cancel(who);
      program.clock.advance(UNDO_SECONDS);
      await newTexts(who);
      await arrive();
      expect(await newTexts(who)).toEqual([
        newPerson === newOrderingGuest
          ? receivedText(who, '286.14', '0.00')
          : `Dhulai: Rs.286.14 that you paid for order ${who.orderid} is back in your wallet.`,
      ]);
    }
  });
});

test('a wallet payment sends a message with what is left to pay', async () => {
  const who = await debtor();
  const { caller, userid, orderid } = who;
  const credit = { kind: 'promotion', amountPaise: asPaise(20_000), reason: 'A test', reference: newId() } as const;
  await creditWallet(program.db, { ...credit, customerId: userid, at: program.clock.now() });
  await Promise.all([1, 2].map(async () => caller.send(payWithWallet, { userid, orderid, walletpayment: asPaise(14_307) })));
  expect(await newTexts(who)).toEqual([receivedText(who, '143.07', '143.07')]);
});

test('a reported UPI payment that is accepted after its dismissal sends a message', async () => {
  const who = await debtor();
  const payment = await reported(who);
  await owner.caller.send(dismissUpi, { ...payment, reason: 'Not on the statement' }, newKey());
  expect(await newTexts(who)).toEqual([expect.stringContaining('did not arrive')]);
  await Promise.all([1, 2].map(async () => owner.caller.send(confirmUpi, payment, newKey())));
  expect(await newTexts(who)).toEqual([]);
  program.clock.advance(UNDO_SECONDS);
  expect(await newTexts(who)).toEqual([receivedText(who, '286.14', '0.00')]);
});

describe('payments that the staff notes', () => {
  test('during a hand-over send one message, beside that of the delivery', async () => {
    const who = await debtor('delivery');
    const { orderid } = who;
    await take(who, 100);
    program.clock.advance(UNDO_SECONDS / 2);
    await take(who, 186.14, 'upi');
    const { data } = await owner.caller.send(getDeskOrder, { orderid });
    const code = (await who.caller.send(getOrder, { orderid })).data?.[0]?.hand_over_code ?? '';
    const moved = await owner.caller.send(move, { orderid, version: data?.version ?? 0, stage: 'delivered', code }, newKey());
    expect(moved.response).toBe('success');
    program.clock.advance(UNDO_SECONDS / 2);
    expect(await newTexts(who)).toEqual([receivedText(who, '286.14', '0.00')]);
    program.clock.advance(UNDO_SECONDS / 2);
    expect(await newTexts(who)).toEqual([
      `Dhulai: order ${orderid} is delivered. Your bill: https://laundry.example/auth/orders/bill/${orderid}`,
    ]);
  });

  test('a minute after the first one have a message of their own', async () => {
    const who = await debtor();
    await take(who, 100);
    program.clock.advance(UNDO_SECONDS);
    await take(who, 50);
    expect(await newTexts(who)).toEqual([receivedText(who, '100.00', '136.14')]);
    program.clock.advance(UNDO_SECONDS);
    expect(await newTexts(who)).toEqual([receivedText(who, '50.00', '136.14')]);
  });

  test('and reverses within the minute send nothing, also where another one stays', async () => {
    const who = await debtor();
    await reverse(await take(who, 200));
    program.clock.advance(UNDO_SECONDS);
    expect(await newTexts(who)).toEqual([]);
    const mistaken = await take(who, 250);
    program.clock.advance(UNDO_SECONDS - 1);
    await reverse(mistaken);
    await take(who, 280);
    program.clock.advance(1);
    expect(await newTexts(who)).toEqual([receivedText(who, '280.00', '6.14')]);
    program.clock.advance(UNDO_SECONDS);
    expect(await newTexts(who)).toEqual([]);
  });

  test('send a message about their reversal once they were named, also by the message of another one', async () => {
    const who = await debtor();
    await take(who, 100);
    program.clock.advance(UNDO_SECONDS / 2);
    const second = await take(who, 50);
    program.clock.advance(UNDO_SECONDS / 2);
    expect(await newTexts(who)).toEqual([receivedText(who, '150.00', '136.14')]);
    await reverse(second);
    expect(await newTexts(who)).toEqual([expect.stringContaining('your payment of Rs.50.00')]);
  });

  test('send a message about change that a reversal takes back, and none within the minute', async () => {
    const who = await debtor('delivery');
    const { orderid } = who;
    await reverse(await take(who, 340));
    program.clock.advance(UNDO_SECONDS);
    expect(await newTexts(who)).toEqual([]);
    const tid = await take(who, 350);
    expect(await newTexts(who)).toEqual([]);
    program.clock.advance(UNDO_SECONDS);
    expect(await newTexts(who)).toEqual([
      receivedText(who, '350.00', '0.00'),
      `Dhulai: Rs.63.86 that you paid for order ${orderid} is back in your wallet.`,
    ]);
    await reverse(tid);
    expect(await newTexts(who)).toEqual([
      `Dhulai: your payment of Rs.350.00 for order ${orderid} was taken back, and Rs.63.86 of it from your wallet. See why: https://laundry.example/auth/orders/vieworder/${orderid}`,
    ]);
  });

  test('send nothing beside the message of a cancellation within the minute', async () => {
    const who = await debtor();
    await take(who, 100);
    await cancel(who);
    program.clock.advance(UNDO_SECONDS);
    expect(await newTexts(who)).toEqual([expect.stringContaining('is cancelled. Back in your wallet: Rs.100.00.')]);
  });
});
