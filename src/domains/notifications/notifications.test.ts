import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { newKey } from '../../../test/support/caller.ts';
import { TEST_MORNING } from '../../../test/support/fake-clock.ts';
import { receivedTexts, sendDueMessages, senderOptions, startMessageGateway, TEMPLATE_IDS } from '../../../test/support/message-sender.ts';
import { MSG91_TEMPLATE } from '../../../test/support/msg91-stand-in.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { addClaim, addReply } from '../claims/contract.ts';
import { answerClaim, settleClaim } from '../claims/service.server.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { outboxGateway } from '../messages/provider.server.ts';
import { getDeskOrder, receive, rescheduleOrder, reversePayment } from '../order-desk/desk/contract.ts';
import { dismissUpi } from '../order-desk/desk/upi-contract.ts';
import { cancelOrder, reschedule, undoCancel, UNDO_SECONDS, PROGRESS_STAGES, type Stage } from '../orders/contract.ts';
import { chooseDelivery } from '../orders/delivery-contract.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { setEarlierStage, setReturned } from '../orders/changing-store.server.ts';
import * as cancelling from '../orders/cancelling-service.server.ts';
import * as orders from '../orders/service.server.ts';
import { changeMessageSettings, getMessageSettings } from '../profile/contract.ts';
import { reportPaid, startPayment } from '../payments/contract.ts';
import { readPaidPaise } from '../payments/store.server.ts';
import { createAuthentication } from '../sessions/authentication.server.ts';
import { cleanUpNotifications, createNotifications, sendNext } from './service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { listUnsentMessages } from '../system/desk/contract.ts';
import { newStaff } from '../../../test/support/staff.ts';

const program = useProgram();
const service = await startMessageGateway();
beforeEach(() => {
  service.behave();
  service.phones.length = 0;
});

const failures: string[] = [];
beforeEach(() => void (failures.length = 0));
const viaMsg91 = (templateIds: Record<string, string | undefined> = TEMPLATE_IDS) =>
  senderOptions(program, service, { templateIds, onFailure: (error) => void failures.push((error as Error).message) });

/** Sends everything that is due. */
const sendAll = (sender = viaMsg91()) => sendDueMessages(sender);
const textsTo = (who: OrderingCustomer) => receivedTexts(service, who);

async function ordered(newPerson: (at: typeof program) => Promise<OrderingCustomer> = newOrderingCustomer) {
  const person = await newPerson(program);
  return { ...person, orderid: (await place(person)).orderid };
}
const weigh = (orderid: string, grams = 7530) => orders.weighOrder(program.db, orderid, grams, 12, program.clock.now());
const move = (orderid: string, stage: Stage) => orders.moveOrder(program.db, orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });
const statesOf = async (orderid: string) => {
  const rows = program.db.selectFrom('notifications').innerJoin('order_events', 'order_events.id', 'event_id').select('state');
  return (await rows.where('order_id', '=', orderid).orderBy('event_id').execute()).map(({ state }) => state);
};

describe.each([
  ['a customer', newOrderingCustomer],
  ['a guest', newOrderingGuest],
] as const)('%s', (_who, newPerson) => {
  test('gets one message for each step, with the weight, the amount and the bill', async () => {
    const who = await ordered(newPerson);
    const { orderid } = who;
    await sendAll();
    await weigh(orderid);
    for (const { stage } of PROGRESS_STAGES.slice(1)) await move(orderid, stage);
    await sendAll();
    await sendAll();
    const page = `https://laundry.example/auth/orders/vieworder/${orderid}`;
    expect(textsTo(who)).toEqual([
      `Dhulai: order ${orderid} is placed. Our rider comes on Nov 21, 2026, 05:00 - 09:00 PM. ${page}`,
      `Dhulai: your laundry of order ${orderid} weighs 7.53 kg (pieces: 12) and costs Rs.286.14. See: ${page}`,
      `Dhulai: order ${orderid} is out for delivery. Give the rider your hand-over code: ${page}`,
      `Dhulai: order ${orderid} is delivered. Your bill: https://laundry.example/auth/orders/bill/${orderid}`,
    ]);
    expect(await statesOf(orderid)).toEqual(['sent', 'sent', 'sent', 'sent']);
    expect(failures).toEqual([]);
  });

  test('gets a message about a cancellation after the minute to undo it', async () => {
    const who = await ordered(newPerson);
    await sendAll();
    service.phones.length = 0;
    await who.caller.send(cancelOrder, { orderid: who.orderid });
    await sendAll();
    expect(textsTo(who)).toEqual([]);
    program.clock.advance(UNDO_SECONDS);
    await sendAll();
    const page = `https://laundry.example/auth/orders/vieworder/${who.orderid}`;
    expect(textsTo(who)).toEqual([`Dhulai: order ${who.orderid} is cancelled. Details: ${page}`]);
  });
});

test('an undone cancellation sends no message, and a second one sends one', async () => {
  const who = await ordered();
  await sendAll();
  service.phones.length = 0;
  for (let round = 0; round < 2; round += 1) {
    await who.caller.send(cancelOrder, { orderid: who.orderid });
    program.clock.advance(1);
    await who.caller.send(undoCancel, { orderid: who.orderid });
    program.clock.advance(1);
  }
  await who.caller.send(cancelOrder, { orderid: who.orderid });
  program.clock.advance(UNDO_SECONDS);
  await sendAll();
  expect(textsTo(who)).toHaveLength(1);
});

test('the refund of a cancellation, and of money that arrives later, sends a message with its amount', async () => {
  const who = await ordered();
  const { orderid } = who;
  await weigh(orderid);
  await move(orderid, 'queue');
  const cash = (amountPaise: number, mayOverpay = false) =>
    transaction(program.db, (tx) =>
      recordManualPaymentOnce(
        tx,
        laundryCommand(),
        { orderid, method: 'cash', amountPaise: asPaise(amountPaise), mayOverpay },
        program.clock.now(),
      ),
    );
  await cash(10_050);
  await sendAll();
  service.phones.length = 0;
  await cancelling.cancelOrder({ db: program.db, readPaidPaise }, laundryCommand(), { orderid }, program.clock.now());
  await cash(2000, true);
  await sendAll();
  program.clock.advance(UNDO_SECONDS);
  await sendAll();
  expect(textsTo(who)).toEqual([
    `Dhulai: Rs.20.00 that you paid for order ${orderid} is back in your wallet.`,
    `Dhulai: order ${orderid} is cancelled. Back in your wallet: Rs.100.50. The reason, and when your clothes come: https://laundry.example/auth/orders/vieworder/${orderid}`,
  ]);
});

test('a reported UPI payment that did not arrive sends one message with its amount', async () => {
  const who = await ordered();
  const { orderid } = who;
  await weigh(orderid);
  await move(orderid, 'queue');
  const { data } = await who.caller.send(startPayment, { orderid, method: 'upi', amount: asPaise(28_614) });
  await who.caller.send(reportPaid, { orderid, tid: data?.tid ?? '' });
  const reference = /[?&]tr=([^&]+)/.exec(data?.url ?? '')?.[1] ?? '';
  const owner = await newStaff(program, 'owner');
  await sendAll();
  service.phones.length = 0;
  const dismiss = () => owner.caller.send(dismissUpi, { orderid, reference, reason: 'Not on the statement' }, newKey());
  await Promise.all([dismiss(), dismiss()]);
  await sendAll();
  expect(textsTo(who)).toEqual([
    `Dhulai: your UPI payment of Rs.286.14 for order ${orderid} did not arrive. See why: https://laundry.example/auth/orders/vieworder/${orderid}`,
  ]);
});

test('a reversed payment sends one message with its amount, also if its reversal is retried', async () => {
  const who = await ordered();
  const { orderid } = who;
  await weigh(orderid);
  await move(orderid, 'queue');
  const owner = await newStaff(program, 'owner');
  const { data } = await owner.caller.send(receive, { orderid, method: 'cash', amount: asPaise(20_000) }, newKey());
  program.clock.advance(UNDO_SECONDS);
  await sendAll();
  service.phones.length = 0;
  const reversal = { tid: data?.payments[0]?.tid ?? '', reason: 'Another order' };
  const options = newKey();
  await Promise.all([options, options, newKey()].map(async (option) => owner.caller.send(reversePayment, reversal, option)));
  await sendAll();
  const page = `https://laundry.example/auth/orders/vieworder/${orderid}`;
  expect(textsTo(who)).toEqual([
    `Dhulai: your payment of Rs.200.00 for order ${orderid} was taken back and is due again. See why: ${page}`,
  ]);
});

test('a weight that was corrected before its message was sent sends one message', async () => {
  const who = await ordered();
  await weigh(who.orderid, 9990);
  await weigh(who.orderid, 7530);
  await sendAll();
  expect(textsTo(who).filter((text) => text.includes(' kg '))).toEqual([expect.stringContaining('7.53 kg')]);
});

test('a corrected weight and a delivery without the code have their own words, where they are registered', async () => {
  const { corrected: _corrected, unconfirmed: _unconfirmed, ...older } = TEMPLATE_IDS;
  for (const registered of [TEMPLATE_IDS, older]) {
    const who = await ordered();
    const { orderid } = who;
    await weigh(orderid, 9990);
    await sendAll(viaMsg91(registered));
    service.phones.length = 0;
    await orders.weighOrder(program.db, orderid, 7530, 12, program.clock.now(), { reason: 'The basket was on the scale' });
    for (const { stage } of PROGRESS_STAGES.slice(1, -1)) await move(orderid, stage);
    await orders.moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up', reason: 'The guard took it' });
    await sendAll(viaMsg91(registered));
    const page = `https://laundry.example/auth/orders/vieworder/${orderid}`;
    const [weighed, , delivered] = textsTo(who);
    expect([weighed, delivered]).toEqual(
      registered === TEMPLATE_IDS
        ? [
            `Dhulai: we corrected the weight of order ${orderid}: it is 7.53 kg (pieces: 12) and costs Rs.286.14. See why: ${page}`,
            `Dhulai: order ${orderid} was handed over without your code. If you did not get it, tell us here: ${page}`,
          ]
        : [
            `Dhulai: your laundry of order ${orderid} weighs 7.53 kg (pieces: 12) and costs Rs.286.14. See: ${page}`,
            `Dhulai: order ${orderid} is delivered. Your bill: https://laundry.example/auth/orders/bill/${orderid}`,
          ],
    );
  }
});

test('a pickup day that changes twice sends one message, with the last day', async () => {
  const who = await ordered();
  await sendAll();
  service.phones.length = 0;
  for (const pickup_date of ['2026-11-23', '2026-11-24']) await who.caller.send(reschedule, { orderid: who.orderid, pickup_date });
  await sendAll();
  expect(textsTo(who)).toEqual([
    `Dhulai: the pickup of order ${who.orderid} is now on Nov 24, 2026, 05:00 - 09:00 PM. Details: https://laundry.example/auth/orders/vieworder/${who.orderid}`,
  ]);
});

test('another evening of a delivery sends one message, with the last evening, until the rider comes', async () => {
  const who = await ordered();
  const { orderid } = who;
  await weigh(orderid);
  for (const stage of ['queue', 'washing', 'delivery'] as const) await move(orderid, stage);
  const operator = await newStaff(program, 'operator');
  const fail = () =>
    transaction(program.db, (tx) => insertOrderEvent(tx, orderid, { kind: 'attempted', why: 'nobody-home', at: program.clock.now() }));
  const choose = (delivery_date: string) => who.caller.send(chooseDelivery, { orderid, delivery_date });
  await fail();
  await sendAll();
  service.phones.length = 0;
  for (const day of ['2026-11-23', '2026-11-24', '2026-11-24']) expect((await choose(day)).response).toBe('success');
  await sendAll();
  const textOf = (day: string) =>
    `Dhulai: the delivery of order ${orderid} is now on ${day}, 05:00 - 09:00 PM. Details: https://laundry.example/auth/orders/vieworder/${orderid}`;
  expect(textsTo(who)).toEqual([textOf('Nov 24, 2026')]);
  const { data: order } = await operator.caller.send(getDeskOrder, { orderid });
  const change = { orderid, version: order?.version ?? 0, pickup_date: '2026-11-23', reason: 'The van is broken' };
  expect((await operator.caller.send(rescheduleOrder, change, newKey())).response).toBe('success');
  await sendAll();
  expect(textsTo(who).slice(1)).toEqual([textOf('Nov 23, 2026')]);
  await choose('2026-11-24');
  await fail();
  await sendAll();
  expect(textsTo(who).slice(2)).toEqual([expect.stringContaining('but met nobody')]);
});

test('a failed visit sends a message while the order waits for another visit', async () => {
  const who = await ordered();
  const { orderid } = who;
  await sendAll();
  service.phones.length = 0;
  const fail = () =>
    transaction(program.db, (tx) =>
      insertOrderEvent(tx, orderid, {
        kind: 'attempted',
        why: 'nobody-home',
        visitedAt: new Date('2026-11-21T13:10:00.000Z'),
        at: program.clock.now(),
      }),
    );
  await fail();
  await sendAll();
  expect(textsTo(who)).toEqual([
    `Dhulai: our rider came for order ${orderid} on Sat, Nov 21, 6:40 PM, but met nobody. Choose when we come again: https://laundry.example/auth/orders/vieworder/${orderid}`,
  ]);
  await fail();
  await weigh(orderid);
  await sendAll();
  expect(textsTo(who).slice(1)).toEqual([expect.stringContaining('weighs 7.53 kg')]);
});

test('a failed visit that was to return the clothes of a cancelled order is reported until they are returned', async () => {
  const who = await ordered();
  const { orderid } = who;
  await weigh(orderid);
  const fail = () =>
    transaction(program.db, (tx) => insertOrderEvent(tx, orderid, { kind: 'attempted', why: 'nobody-home', at: program.clock.now() }));
  program.clock.advance(1);
  // Out of date with the cancellation.
  await fail();
  program.clock.advance(1);
  await cancelling.cancelOrder({ db: program.db, readPaidPaise }, laundryCommand(), { orderid }, program.clock.now());
  program.clock.advance(UNDO_SECONDS);
  await sendAll();
  service.phones.length = 0;
  await fail();
  await sendAll();
  expect(textsTo(who)).toEqual([expect.stringContaining('but met nobody. Choose when we come again')]);
  await fail();
  await transaction(program.db, (tx) => setReturned(tx, orderid, program.clock.now(), program.clock.now()));
  await sendAll();
  expect(textsTo(who)).toHaveLength(1);
});

test('an order that is moved back sends no second message that it is out for delivery', async () => {
  const who = await ordered();
  await weigh(who.orderid);
  for (const { stage } of PROGRESS_STAGES.slice(1)) await move(who.orderid, stage);
  await sendAll();
  service.phones.length = 0;
  await transaction(program.db, (tx) => setEarlierStage(tx, who.orderid, { to: 'delivery' }, program.clock.now()));
  await sendAll();
  expect(textsTo(who)).toEqual([]);
});

test('each reply of the laundry to a report sends a message, those of the customer do not', async () => {
  const who = await ordered();
  await sendAll();
  service.phones.length = 0;
  const { userid, orderid } = who;
  const claim = { userid, orderid, kind: 'missing', message: 'A sock is missing' } as const;
  const claimid = (await who.caller.send(addClaim, claim)).data?.claimid ?? '';
  await answerClaim(program.db, claimid, 'Which colour?', program.clock.now());
  await who.caller.send(addReply, { userid, claimid, message: 'Blue' });
  await sendAll();
  await settleClaim(program.db, { id: claimid, amountPaise: asPaise(15_000), message: 'We are sorry.' }, program.clock.now());
  await sendAll();
  expect(textsTo(who)).toEqual([
    `Dhulai: we have answered your report about order ${orderid}: https://laundry.example/auth/orders/problem/${orderid}`,
    `Dhulai: your report about order ${orderid} is settled. Paid into your wallet: Rs.150.00. https://laundry.example/auth/orders/problem/${orderid}`,
  ]);
});

test('an order has at most thirty messages in a day, and the owner sees that another was not sent', async () => {
  const who = await ordered();
  const { userid, orderid } = who;
  const claim = { userid, orderid, kind: 'missing', message: 'A sock is missing' } as const;
  const claimid = (await who.caller.send(addClaim, claim)).data?.claimid ?? '';
  const answer = async (words: string) => {
    await answerClaim(program.db, claimid, words, program.clock.now());
    await sendAll();
  };
  for (let count = 2; count <= 31; count += 1) await answer(`Answer ${count}`);
  expect(await statesOf(orderid)).toEqual([...Array<string>(30).fill('sent'), 'withdrawn']);
  const { caller: owner } = await newStaff(program, 'owner');
  const unsent = async () => (await owner.send(listUnsentMessages, {})).data?.messages.filter((message) => message.orderid === orderid);
  expect(await unsent()).toMatchObject([{ orderid, kind: 'answered', state: 'too-many', failure: 'too-many', can_send_again: false }]);
  program.clock.advance(DAY_SECONDS);
  await answer('On the next day');
  expect((await statesOf(orderid)).at(-1)).toBe('sent');
});

test('attempts that the gateway does not accept use up no messages of the order', async () => {
  const who = await ordered();
  const { userid, orderid } = who;
  const claim = { userid, orderid, kind: 'missing', message: 'A sock is missing' } as const;
  const claimid = (await who.caller.send(addClaim, claim)).data?.claimid ?? '';
  for (let count = 2; count <= 8; count += 1) await answerClaim(program.db, claimid, `Answer ${count}`, program.clock.now());
  service.behave([{ status: 503, json: {} }]);
  const before = service.requests.length;
  // All within the same day, for which messages are counted.
  while (service.requests.length - before < 40) {
    await sendAll();
    program.clock.advance(300);
  }
  service.behave();
  program.clock.advance(3600);
  await sendAll();
  expect(await statesOf(orderid)).toEqual(Array<string>(8).fill('sent'));
});

describe('the choice of the customer', () => {
  test('switches off the kinds that are not about money', async () => {
    const who = await ordered();
    const { orderid, userid } = who;
    expect((await who.caller.send(getMessageSettings, { userid })).data).toEqual({
      placed: true,
      attempted: true,
      delivery: true,
      delivered: true,
    });
    const none = { placed: false, attempted: false, delivery: false, delivered: false };
    expect((await who.caller.send(changeMessageSettings, { userid, ...none })).data).toEqual(none);
    expect((await who.caller.send(getMessageSettings, { userid })).data).toEqual(none);
    await weigh(orderid);
    for (const { stage } of PROGRESS_STAGES.slice(1)) await move(orderid, stage);
    await sendAll();
    expect(textsTo(who)).toEqual([expect.stringContaining('weighs 7.53 kg')]);
    await who.caller.send(changeMessageSettings, { userid, ...none, placed: true });
    const { orderid: next } = await place(who, { detergent: '' });
    await sendAll();
    expect(textsTo(who).at(-1)).toContain(`order ${next} is placed`);
  });

  test.each([{ weighed: false }, { placed: 'no' }, {}])('%j is no choice', async (body) => {
    const who = await newOrderingCustomer(program);
    const response = await who.caller.post(changeMessageSettings.path, { delivery: true, ...body });
    expect(response.statusCode).toBe(400);
  });
});

describe('a gateway that fails', () => {
  test('gets a message again that it did not accept, with a longer wait each time', async () => {
    const who = await ordered();
    service.behave([{ status: 503, json: {} }]);
    expect(await sendNext(viaMsg91())).toBe('not-sent');
    expect(await sendNext(viaMsg91())).toBe('idle');
    program.clock.advance(30);
    expect(await sendNext(viaMsg91())).toBe('not-sent');
    program.clock.advance(30);
    expect(await sendNext(viaMsg91())).toBe('idle');
    service.behave();
    program.clock.advance(30);
    await sendAll();
    expect(textsTo(who)).toHaveLength(1);
    expect(await statesOf(who.orderid)).toEqual(['sent']);
  });

  test('gets a message once if its result is unknown', async () => {
    const who = await ordered();
    service.behave([{ status: 500, json: {} }], { delivering: true });
    expect(await sendNext(viaMsg91())).toBe('not-sent');
    service.behave();
    program.clock.advance(DAY_SECONDS / 2);
    await sendAll();
    expect(textsTo(who)).toHaveLength(1);
    expect(await statesOf(who.orderid)).toEqual(['failed']);
  });

  test('does not get a message again that it rejected, or that is a day old', async () => {
    const [rejected, late] = [await ordered(), await ordered()];
    service.behave([
      { status: 400, json: { type: 'error', message: 'flow is blocked' } },
      { status: 503, json: {} },
    ]);
    await sendAll();
    service.behave();
    program.clock.advance(DAY_SECONDS + 1);
    await sendAll();
    expect(service.phones).toEqual([]);
    expect(await statesOf(rejected.orderid)).toEqual(['withdrawn']);
    expect(await statesOf(late.orderid)).toEqual(['withdrawn']);
  });

  test('a kind without a template is withdrawn without a failure', async () => {
    const who = await ordered();
    await sendAll(viaMsg91({ code: MSG91_TEMPLATE }));
    expect([await statesOf(who.orderid), failures, service.phones]).toEqual([['withdrawn'], [], []]);
  });
});

test('a message that cannot be written waits for an hour and holds up no other one', async () => {
  program.clock.advance(DAY_SECONDS);
  await sendAll();
  const broken = await ordered();
  const event = program.db.updateTable('order_events').where('order_id', '=', broken.orderid).where('kind', '=', 'cancelled');
  await broken.caller.send(cancelOrder, { orderid: broken.orderid });
  const { data } = await program.db
    .selectFrom('order_events')
    .select('data')
    .where('order_id', '=', broken.orderid)
    .where('kind', '=', 'cancelled')
    .executeTakeFirstOrThrow();
  await event.set({ data: '{}' }).execute();
  program.clock.advance(UNDO_SECONDS);
  const next = await ordered();
  const authentication = createAuthentication({ db: program.db, clock: program.clock, https: false });
  const sender = createNotifications({ ...viaMsg91(), authentication });
  sender.start();
  await expect
    .poll(() => statesOf(next.orderid), { timeout: 10_000 })
    .toEqual(['sent'])
    .finally(() => sender.stop());
  expect(await statesOf(broken.orderid)).toEqual(['withdrawn', 'waiting']);
  expect(failures).toEqual([expect.stringContaining('cannot be written')]);

  await event.set({ data: JSON.stringify(data) }).execute();
  await sendAll();
  expect(await statesOf(broken.orderid)).toEqual(['withdrawn', 'waiting']);
  program.clock.advance(3600);
  await sendAll();
  expect(await statesOf(broken.orderid)).toEqual(['withdrawn', 'sent']);
});

describe('the circuit breaker of the sender', () => {
  const WAIT = { timeout: 15_000 };
  /** Longer than the time between two polls of the sender. */
  const POLLED_MS = 1500;
  const requests = (count: number) => expect.poll(() => service.requests.length, WAIT).toBe(count);

  /** Runs the sender with the messages of this many orders and a gateway that accepts nothing. */
  async function withSender(orderCount: number, run: () => Promise<void>) {
    // Sends the messages of other tests.
    program.clock.advance(DAY_SECONDS);
    await sendAll();
    for (let count = 0; count < orderCount; count += 1) await ordered();
    service.behave([{ status: 503, json: {} }]);
    service.requests.length = 0;
    const authentication = createAuthentication({ db: program.db, clock: program.clock, https: false });
    const sender = createNotifications({ ...viaMsg91(), authentication });
    sender.start();
    await run().finally(() => sender.stop());
  }

  /** Places an order whose message is withdrawn once the sender acquires it. */
  async function orderedMuted() {
    const who = await newOrderingCustomer(program);
    const muted = { placed: false, attempted: false, delivery: false, delivered: false };
    await who.caller.send(changeMessageSettings, { userid: who.userid, ...muted });
    return (await place(who)).orderid;
  }
  const withdrawn = (orderid: string) => expect.poll(() => statesOf(orderid), WAIT).toEqual(['withdrawn']);

  test('opens after five failures, also with idle polls and a withdrawn message between them', { timeout: 60_000 }, async () => {
    await withSender(3, async () => {
      await requests(3);
      await withdrawn(await orderedMuted());
      // The second attempts.
      program.clock.advance(30);
      await requests(5);
      await sleep(POLLED_MS);
      expect(service.requests).toHaveLength(5);
      service.behave();
      program.clock.advance(60);
      await requests(8);
    });
  });

  test('lets a message through after a withdrawn one', { timeout: 60_000 }, async () => {
    await withSender(5, async () => {
      await requests(5);
      const muted = await orderedMuted();
      service.behave();
      program.clock.advance(30);
      await requests(10);
      await withdrawn(muted);
    });
  });
});

test('a message whose process stopped while sending it is not sent again', async () => {
  const who = await ordered();
  await program.db
    .updateTable('notifications')
    .set({ state: 'sending', changed_at: program.clock.now() })
    .where('state', '=', 'waiting')
    .execute();
  await sendAll();
  program.clock.advance(61);
  await cleanUpNotifications(program.db, program.clock.now());
  await sendAll();
  expect(textsTo(who)).toEqual([]);
  expect(await statesOf(who.orderid)).toEqual(['failed']);
  program.clock.advance(31 * DAY_SECONDS);
  await cleanUpNotifications(program.db, program.clock.now());
  expect(await statesOf(who.orderid)).toEqual([]);
});

test('the outbox of a demonstration shows the messages of the session, and no others', async () => {
  const [who, stranger] = [await ordered(), await ordered(newOrderingGuest)];
  await sendAll({ ...viaMsg91(), gateway: outboxGateway });
  const shown = async ({ caller }: OrderingCustomer) =>
    (await caller.get('outbox/orders.json')).json() as { mobile: string; text: string }[];
  expect(await shown(who)).toMatchObject([{ mobile: who.mobile, text: expect.stringContaining(`order ${who.orderid} is placed`) }]);
  expect(await shown(stranger)).toMatchObject([{ mobile: stranger.mobile, text: expect.stringContaining(stranger.orderid) }]);
  expect((await program.caller().get('outbox/orders.json')).json()).toEqual([]);
  expect((await who.caller.get('outbox')).body).toContain(`order ${who.orderid} is placed`);
});

describe('the calendar file of a pickup', () => {
  beforeEach(() => program.clock.set(TEST_MORNING));

  test('has the slot, the address and the state of the order', async () => {
    const who = await ordered();
    const response = await who.caller.get(`orders/calendar/${who.orderid}`);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    const unfolded = response.body.replaceAll('\r\n ', '');
    expect(unfolded.split('\r\n')).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        'DTSTART:20261121T113000Z',
        'DTEND:20261121T153000Z',
        'STATUS:CONFIRMED',
        expect.stringMatching(new RegExp(String.raw`^DESCRIPTION:Order ${who.orderid}\\nhttp.*${who.orderid}\\nQuestions\? Call \+?\d`)),
        `URL:http://localhost:3000/auth/orders/vieworder/${who.orderid}`,
        'TRIGGER:-PT1H',
        String.raw`LOCATION:Flat 12\, Tower B\, Vatika India Next\, Opposite the water tank\, Gurugram 122052`,
      ]),
    );
    for (const line of response.body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    await who.caller.send(cancelOrder, { orderid: who.orderid });
    expect((await who.caller.get(`orders/calendar/${who.orderid}`)).body).toContain('STATUS:CANCELLED');
  });

  test('is not found for others', async () => {
    const [who, other] = [await ordered(), await ordered()];
    for (const caller of [other.caller, program.caller()]) {
      expect((await caller.get(`orders/calendar/${who.orderid}`)).statusCode).toBe(404);
    }
  });
});
