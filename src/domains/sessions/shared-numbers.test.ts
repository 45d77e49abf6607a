/**
 * A number with a new owner: the account of the former one and a guest have one customer. What one
 * of them does uses up no limit of the other. docs/decisions/0145.
 */
import { beforeEach, expect, test } from 'vitest';
import { openOrderEvents } from '../../../test/support/event-stream.ts';
import { receivedTexts, sendDueMessages, senderOptions, startMessageGateway } from '../../../test/support/message-sender.ts';
import { newOrderingGuest, place, placeOutForDelivery, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { samplePhoto, upload } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newSession, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { waitingStatements } from '../../../test/support/blocked-statements.ts';
import { transaction } from '../../db/database.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { logout } from '../accounts/contract.ts';
import { addClaim, addReply } from '../claims/contract.ts';
import { MAX_CLAIMS_PER_DAY, MAX_PHOTOS_PER_DAY, MAX_REPLIES_PER_DAY } from '../claims/rules.ts';
import { cancelOrder, getOrders, undoCancel } from '../orders/contract.ts';
import { MAX_CUSTOMER_CHANGES_PER_DAY } from '../orders/rules.ts';
import { startPayment } from '../payments/contract.ts';
import { changeMessageSettings, getUserDetails } from '../profile/contract.ts';
import { addReview } from '../reviews/contract.ts';
import { STREAM_LIMITS } from '../../streams/event-streams.server.ts';

const program = useProgram();

let account: TestCustomer;
let guest: OrderingCustomer;
let orderid: string;
beforeEach(async () => {
  guest = await newOrderingGuest(program);
  ({ orderid } = await place(guest, {}, { idempotencyKey: newId() }));
  const values = { name: 'Meera', password_hash: 'no password fits this' };
  await program.db.updateTable('customers').set(values).where('id', '=', guest.userid).execute();
  account = { ...guest, caller: await newSession(program, guest.userid, 'customer') };
});

const times = async (count: number, call: (number: number) => Promise<unknown>) => {
  for (let number = 0; number < count; number += 1) await call(number);
};

test('changes of orders, also calls that change nothing', async () => {
  const undo = () => account.caller.send(undoCancel, { orderid });
  await times(MAX_CUSTOMER_CHANGES_PER_DAY, undo);
  await expect(undo()).rejects.toMatchObject({ status: 429, code: 'too-many-changes' });
  expect(await guest.caller.send(cancelOrder, { orderid })).toMatchObject({ response: 'success' });
});

test('reports and replies', async () => {
  const own = await placeOutForDelivery(program, account);
  const report = ({ caller }: TestCustomer, id: string, message: string) =>
    caller.send(addClaim, { orderid: id, kind: 'missing', message });
  const claimid = (await report(account, own, 'A sock')).data?.claimid ?? '';
  await times(MAX_CLAIMS_PER_DAY - 1, (number) => report(account, own, `Sock ${number}`));
  expect(await report(account, own, 'One more')).toMatchObject({ code: 'too-many-claims' });
  const reported = await report(guest, orderid, 'A sari');
  expect(reported).toMatchObject({ response: 'success' });

  const reply = ({ caller }: TestCustomer, id: string, message: string) => caller.send(addReply, { claimid: id, message });
  await times(MAX_REPLIES_PER_DAY, (number) => reply(account, claimid, `Please look again, ${number}`));
  expect(await reply(account, claimid, 'One more')).toMatchObject({ code: 'too-many-replies' });
  expect(await reply(guest, reported.data?.claimid ?? '', 'It is red')).toMatchObject({ response: 'success' });
});

test('photos', async () => {
  await times(MAX_PHOTOS_PER_DAY, () => upload(account.caller, 'not a photo'));
  expect(await upload(account.caller, samplePhoto('webp'))).toMatchObject({ code: 'too-many-uploads' });
  expect(await upload(guest.caller, samplePhoto('webp'))).toMatchObject({ response: 'success' });
});

test('payments at the gateway', async () => {
  const start = ({ caller }: TestCustomer) => caller.send(startPayment, { orderid, method: 'gateway', amount: asPaise(100) });
  await times(30, () => start(account));
  await expect(start(account)).rejects.toMatchObject({ status: 429 });
  expect(await start(guest)).toMatchObject({ response: 'error', code: 'not-payable-yet' });
});

test('open streams of events', async () => {
  const origin = await program.app.listen({ port: 0, host: '127.0.0.1' });
  const own = await placeOutForDelivery(program, account);
  const open = async ({ caller }: Pick<TestCustomer, 'caller'>, id: string) => (await openOrderEvents(origin, caller, id)).status;
  await times(STREAM_LIMITS.perCaller, async () => {
    expect(await open({ caller: await newSession(program, account.userid, 'customer') }, own)).toBe(200);
  });
  expect(await open(account, own)).toBe(429);
  expect(await open(guest, orderid)).toBe(200);
});

test('requests at the same time', async () => {
  const { promise: locked, resolve: setLocked } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = transaction(program.db, async (tx) => {
    await tx.selectFrom('customers').select('id').where('id', '=', account.userid).forUpdate().execute();
    setLocked();
    await released;
  });
  await locked;
  const review = { userid: account.userid, star: 5, message: 'Clean and on time' };
  const writing = Array.from({ length: 30 }, () => account.caller.send(addReview, review));
  await waitingStatements(program, 4);
  const listed = await Promise.race([
    guest.caller.send(getOrders, {}),
    new Promise((resolve) => setTimeout(() => resolve('waited for the account'), 2500)),
  ]);
  release();
  await Promise.all([holding, ...writing]);
  expect(listed).toMatchObject({ response: 'success' });
});

test('a log-out of the account everywhere ends no session of a guest', async () => {
  const phone = await newSession(program, account.userid, 'customer');
  await account.caller.send(logout, { everywhere: true });
  await expect(phone.send(getUserDetails, {})).rejects.toMatchObject({ status: 401 });
  expect((await guest.caller.send(getOrders, {})).data).toMatchObject([{ orderid }]);
});

test('message settings of the account silence no message about the order of a guest', async () => {
  const gateway = await startMessageGateway();
  const muted = { placed: false, attempted: false, delivery: false, delivered: false };
  await account.caller.send(changeMessageSettings, { userid: account.userid, ...muted });
  await placeOutForDelivery(program, account);
  await sendDueMessages(senderOptions(program, gateway));
  const [placed, weighed, ...others] = receivedTexts(gateway, account);
  expect(placed).toContain(`order ${orderid} is placed`);
  expect(weighed).toContain('weighs');
  expect(others).toEqual([]);
});
