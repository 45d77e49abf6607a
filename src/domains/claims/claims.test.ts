/** Claims: once each, with a deadline and a thread, and credited once. */
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { newId } from '../../lib/ids.ts';
import { dumpDatabase } from '../../../test/matrix/database.ts';
import { signUpCustomer } from '../../../test/support/customer.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { samplePhoto, uploadedPhoto } from '../../../test/support/photos.ts';
import { newGuest, newSession } from '../../../test/support/seed-customers.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { hashToken } from '../../security/tokens.server.ts';
import { useProgram } from '../../../test/support/program.ts';
import { transaction } from '../../db/database.server.ts';
import { getOrder } from '../orders/contract.ts';
import { assignOrders, setSessionOfGuestOrders } from '../orders/guest-orders-store.server.ts';
import { getTransactions } from '../wallet/contract.ts';
import { auditLedger, isSound } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { addClaim, addReply, getClaims, MAX_MESSAGE_LENGTH, type ClaimRequest } from './contract.ts';
import { MAX_CLAIMS_PER_DAY } from './rules.ts';
import { answerClaim, settleClaim } from './service.server.ts';

const program = useProgram({ BOT_CHECK: 'off' });

let customer: OrderingCustomer & { orderid: string };
let claim: ClaimRequest;
beforeEach(async () => {
  const ordering = await newOrderingCustomer(program);
  customer = { ...ordering, orderid: (await place(ordering)).orderid };
  claim = { userid: customer.userid, orderid: customer.orderid, kind: 'damaged', message: 'The blue shirt has a hole.' };
});

const report = (change: Partial<ClaimRequest> = {}, idempotencyKey?: string) =>
  customer.caller.send(addClaim, { ...claim, ...change }, idempotencyKey === undefined ? {} : { idempotencyKey });

async function reported(change: Partial<ClaimRequest> = {}) {
  const { data, message } = await report(change);
  if (!data) throw new Error(message);
  return data;
}

const sessionHashOf = ({ cookies }: Caller) => hashToken(cookies.get('session') ?? '');

const claimsOf = async (orderid?: string) =>
  (await customer.caller.send(getClaims, { userid: customer.userid, ...(orderid !== undefined && { orderid }) })).data;

describe('reporting', () => {
  test('returns the claim with its number, its deadline within 48 hours, its words and its photos', async () => {
    program.clock.set('2026-11-22T10:40:00Z');
    const photos = [await uploadedPhoto(customer.caller), await uploadedPhoto(customer.caller, samplePhoto('png'))];
    const data = await reported({ photos });
    expect(data).toEqual({
      claimid: expect.stringMatching(/^[0-9A-Z]{10}$/),
      orderid: customer.orderid,
      kind: 'damaged',
      status: 'open',
      claim_date: '2026-11-22 16:10:00',
      answer_by: '2026-11-24 16:00:00',
      reply_until: null,
      credited: null,
      reversed: null,
      reversed_at: null,
      messages: [{ author: 'customer', message: 'The blue shirt has a hole.', message_date: '2026-11-22 16:10:00' }],
      photos,
    });
    expect(await claimsOf(customer.orderid)).toEqual([data]);
    expect(await claimsOf()).toEqual([data]);
  });

  test('a reply adds up to three photos, or nothing', async () => {
    const [first, second, third] = [
      await uploadedPhoto(customer.caller),
      await uploadedPhoto(customer.caller),
      await uploadedPhoto(customer.caller),
    ];
    const { claimid } = await reported({ photos: [first] });
    const reply = async (photos: string[], message = 'Look here') => {
      const response = await customer.caller.send(addReply, { userid: customer.userid, claimid, message, photos });
      return response.response === 'success' ? response.data.photos : response.code;
    };
    expect(await reply([second, newId()])).toBe('unknown-photo');
    expect((await claimsOf())?.[0]).toMatchObject({ photos: [first], messages: [{}] });
    // The words of the last message, with another photo, are no retry of it.
    expect(await reply([second], 'The blue shirt has a hole.')).toEqual([first, second]);
    expect(await reply([third])).toEqual([first, second, third]);
    expect(await reply([third])).toEqual([first, second, third]);
    expect((await claimsOf())?.[0]?.messages).toHaveLength(3);
    // Three photos in each message.
    const more = [await uploadedPhoto(customer.caller), await uploadedPhoto(customer.caller), await uploadedPhoto(customer.caller)];
    expect(await reply(more, 'And here')).toEqual([first, second, third, ...more]);
    const four = await customer.caller.post(addReply.path, { claimid, message: 'Four', photos: ['a', 'b', 'c', 'd'] });
    expect([four.statusCode, JSON.parse(four.body)]).toEqual([400, expect.objectContaining({ code: 'too-many-photos' })]);
  });

  test('lists the newest first, and only those of the order', async () => {
    const first = await reported();
    program.clock.advance(60);
    const { orderid } = await place(customer, { detergent: '' });
    const second = await reported({ orderid, kind: 'other' });
    expect((await claimsOf())?.map(({ claimid }) => claimid)).toEqual([second.claimid, first.claimid]);
    expect((await claimsOf(orderid))?.map(({ claimid }) => claimid)).toEqual([second.claimid]);
  });

  test.each([
    ['no words', { message: '  ' }, 'claim-message-missing'],
    ['too many words', { message: 'x'.repeat(MAX_MESSAGE_LENGTH + 1) }, 'claim-message-too-long'],
    ['four photos', { photos: ['a', 'b', 'c', 'd'] }, 'too-many-photos'],
    ['twenty photos', { photos: Array.from({ length: 20 }, newId) }, 'too-many-photos'],
  ])('rejects %s', async (_what, change, code) => {
    const { statusCode, body } = await customer.caller.post(addClaim.path, { ...claim, ...change });
    expect([statusCode, JSON.parse(body)]).toEqual([400, expect.objectContaining({ response: 'error', code, data: null })]);
    expect(await claimsOf()).toEqual([]);
  });

  test('accepts the longest words, which count code points', async () => {
    const message = '👕'.repeat(MAX_MESSAGE_LENGTH);
    expect((await reported({ message })).messages[0]?.message).toBe(message);
  });

  test('refuses the order of another customer like an unknown one, and writes nothing', async () => {
    const other = await newOrderingCustomer(program);
    const { orderid } = await place(other);
    const before = await dumpDatabase(program);
    for (const id of [orderid, newId()]) {
      expect(await report({ orderid: id })).toMatchObject({ response: 'error', code: 'order-not-found', params: { orderid: id } });
      expect(await customer.caller.send(getClaims, { userid: customer.userid, orderid: id })).toMatchObject({ code: 'order-not-found' });
    }
    expect(await dumpDatabase(program)).toBe(before);
  });

  test('refuses a photo that is unknown, of another customer, or in another report, and writes nothing', async () => {
    const other = await newOrderingCustomer(program);
    const [foreign, used, own] = [
      await uploadedPhoto(other.caller),
      await uploadedPhoto(customer.caller),
      await uploadedPhoto(customer.caller),
    ];
    await reported({ message: 'The first report', photos: [used] });
    const before = await dumpDatabase(program);
    for (const photo of [foreign, used, newId(), own]) {
      expect(await report({ photos: [own, photo] })).toMatchObject({ response: 'error', code: 'unknown-photo' });
      expect(await dumpDatabase(program)).toBe(before);
    }
    expect((await reported({ photos: [own] })).photos).toEqual([own]);
  });

  test(`accepts ${MAX_CLAIMS_PER_DAY} reports a day, without retries, and more on the next day`, async () => {
    for (let number = 1; number <= MAX_CLAIMS_PER_DAY; number += 1) {
      await reported({ message: `Report ${number}` });
      await reported({ message: `Report ${number}` });
    }
    const before = await dumpDatabase(program);
    expect(await report()).toMatchObject({ response: 'error', code: 'too-many-claims' });
    expect(await dumpDatabase(program)).toBe(before);
    program.clock.advance(DAY_SECONDS);
    await reported();
  });
});

describe('a report that is sent again', () => {
  test('is the same report, with a key and without', async () => {
    const photos = [await uploadedPhoto(customer.caller)];
    for (const key of [undefined, 'a key of the page']) {
      const request = { message: `With ${key}`, photos: key === undefined ? [] : photos };
      const idempotencyKey = key?.replaceAll(' ', '-');
      const first = await report(request, idempotencyKey);
      program.clock.advance(3600);
      expect(first.response).toBe('success');
      expect(await report(request, idempotencyKey)).toEqual(first);
    }
    expect(await claimsOf()).toHaveLength(2);
  });

  test('with other words under the same key is refused', async () => {
    await report({}, 'the-same-key');
    expect(await report({ message: 'Something else' }, 'the-same-key')).toMatchObject({ code: 'claim-key-reused' });
    expect(await claimsOf()).toHaveLength(1);
  });

  test('has a key of the usual form', async () => {
    await expect(report({}, 'short')).rejects.toThrow(expect.objectContaining({ status: 400, code: 'invalid-idempotency-key' }));
  });

  test('does not meet the key of another customer', async () => {
    const other = await newOrderingCustomer(program);
    const { orderid } = await place(other);
    const theirs = { ...claim, userid: other.userid, orderid };
    await other.caller.send(addClaim, theirs, { idempotencyKey: 'the-same-key' });
    expect((await report({}, 'the-same-key')).data?.orderid).toBe(customer.orderid);
  });
});

describe('a guest', () => {
  test('reports and reads in the session of the order only', async () => {
    const guest = await newOrderingGuest(program);
    const { orderid } = await place(guest);
    const photos = [await uploadedPhoto(guest.caller)];
    const sent = await guest.caller.send(addClaim, { orderid, kind: 'missing', message: 'A sock', photos });
    expect(sent.response).toBe('success');
    expect((await guest.caller.send(getClaims, {})).data).toEqual([sent.data]);
    // Another browser with the same number has not ordered.
    const elsewhere = await newSession(program, guest.userid, 'guest');
    expect((await elsewhere.send(getClaims, {})).data).toEqual([]);
    expect(await elsewhere.send(getClaims, { orderid })).toMatchObject({ code: 'order-not-found' });
    expect(await elsewhere.send(addClaim, { orderid, kind: 'missing', message: 'A sock' })).toMatchObject({ code: 'order-not-found' });
    const photo = `claims/photo/${photos[0]}`;
    expect([(await guest.caller.get(photo)).statusCode, (await elsewhere.get(photo)).statusCode]).toEqual([200, 404]);
    // An account with the number reads them once it has claimed the order.
    const account = await newSession(program, guest.userid, 'customer');
    expect(await account.send(getClaims, { orderid })).toMatchObject({ code: 'order-not-found' });
    expect((await account.get(photo)).statusCode).toBe(404);
    await transaction(program.db, (tx) => assignOrders(tx, { customerId: guest.userid, placedAfter: new Date(0) }));
    expect((await account.send(getClaims, { orderid })).data).toEqual([sent.data]);
    expect((await account.get(photo)).statusCode).toBe(200);
  });
});

describe('the laundry', () => {
  const now = () => program.clock.now();

  test('answers in the thread; a repeated answer is not repeated', async () => {
    const { claimid } = await reported();
    program.clock.advance(3600);
    expect(await answerClaim(program.db, claimid, 'We are looking for it.', now())).toMatchObject({ status: 'done' });
    expect(await answerClaim(program.db, claimid, 'We are looking for it.', now())).toMatchObject({ status: 'already-answered' });
    const [listed] = (await claimsOf()) ?? [];
    expect(listed).toMatchObject({ status: 'answered', credited: null });
    expect(listed?.messages.map(({ author, message }) => [author, message])).toEqual([
      ['customer', 'The blue shirt has a hole.'],
      ['staff', 'We are looking for it.'],
    ]);
    expect(await answerClaim(program.db, 'unknown', 'Hello', now())).toEqual({ status: 'unknown-claim' });
  });

  test('settles with an amount that the wallet receives once', async () => {
    const { claimid } = await reported();
    const settle = () => settleClaim(program.db, { id: claimid, amountPaise: asPaise(50_050), message: 'We pay for the shirt.' }, now());
    expect(await settle()).toMatchObject({ status: 'done', claim: { status: 'settled', credited: 50_050 } });
    expect(await settle()).toMatchObject({ status: 'already-settled' });
    expect(await readBalance(program.db, customer.userid)).toBe(50_050);
    const { data: movements } = await customer.caller.send(getTransactions, { userid: customer.userid });
    expect(movements).toMatchObject([{ t_type: 'compensation', t_amount: 50_050, t_order: customer.orderid, t_cause: 'report' }]);
    expect((await claimsOf())?.[0]).toMatchObject({ status: 'settled', credited: 50_050 });
    expect(isSound(await auditLedger(program.db))).toBe(true);
    // Opened again by the customer, and answered since.
    await customer.caller.send(addReply, { userid: customer.userid, claimid, message: 'Thank you.', photos: [] });
    await answerClaim(program.db, claimid, 'You are welcome.', now());
    expect(await settle()).toMatchObject({ status: 'already-settled' });
    expect(await readBalance(program.db, customer.userid)).toBe(50_050);
  });

  test('each message is an event of the order, which open pages follow', async () => {
    const version = async () => (await customer.caller.send(getOrder, { orderid: customer.orderid })).data?.[0]?.version ?? 0;
    const versions = [await version()];
    const { claimid } = await reported();
    versions.push(await version());
    await answerClaim(program.db, claimid, 'We are looking for it.', now());
    versions.push(await version());
    await settleClaim(program.db, { id: claimid, amountPaise: asPaise(0), message: 'We found it.' }, now());
    versions.push(await version());
    expect([...new Set(versions)].toSorted((one, other) => one - other)).toEqual(versions);
    const events = await program.db.selectFrom('order_events').select('data').where('kind', '=', 'claim-message').execute();
    const ofClaim = events.map(({ data }) => data as { claim_id: string; by: string }).filter(({ claim_id }) => claim_id === claimid);
    expect(ofClaim.map(({ by }) => by)).toEqual(['customer', 'laundry', 'laundry']);
  });

  test('stores no control characters, which the terminal of the laundry would execute', async () => {
    const { messages } = await reported({ message: 'A hole\u001b]52;c;x\u0007\nin the shirt' });
    expect(messages[0]?.message).toBe('A hole ]52;c;x \nin the shirt');
  });

  /** A guest who has reported a problem, and how to settle it with an amount. */
  async function reportedByGuest() {
    const guest = await newOrderingGuest(program);
    const { orderid } = await place(guest);
    const { data } = await guest.caller.send(addClaim, { orderid, kind: 'damaged', message: 'The blue shirt has a hole.' });
    const settle = (amountPaise: number) =>
      settleClaim(program.db, { id: data?.claimid ?? '', amountPaise: asPaise(amountPaise), message: 'We pay for the shirt.' }, now());
    return { guest, settle };
  }
  const refused = { status: 'no-wallet', claim: { status: 'open', messages: [{}] } };

  test('credits no guest, and no account that later gets the number without the order', async () => {
    const { guest, settle } = await reportedByGuest();
    expect(await settle(100)).toMatchObject(refused);
    program.clock.advance(61 * DAY_SECONDS);
    const { userid: nextOwner } = await signUpCustomer(program, { mobile: guest.mobile });
    expect(await settle(100)).toMatchObject(refused);
    expect([await readBalance(program.db, guest.userid), await readBalance(program.db, nextOwner)]).toEqual([0, 0]);
    expect(await settle(0)).toMatchObject({ status: 'done' });
  });

  test('credits the account that the guest has opened with the number of the order', async () => {
    const { guest, settle } = await reportedByGuest();
    const { userid } = await signUpCustomer(program, { mobile: guest.mobile });
    expect(await settle(100)).toMatchObject({ status: 'done' });
    expect(await readBalance(program.db, userid)).toBe(100);
  });

  test('credits the customer of the order, not a guest who proved another number in the same browser', async () => {
    const [first, second] = [await newOrderingGuest(program), await newGuest(program)];
    const { orderid } = await place(first);
    await setSessionOfGuestOrders(program.db, {
      customerId: second.userid,
      sessionHash: sessionHashOf(second.caller),
      replacedSessionHash: sessionHashOf(first.caller),
      placedAfter: now(),
    });
    const { data } = await second.caller.send(addClaim, { orderid, kind: 'damaged', message: 'The blue shirt has a hole.' });
    const settled = { id: data?.claimid ?? '', amountPaise: asPaise(100), message: 'We pay for the shirt.' };
    await signUpCustomer(program, { mobile: first.mobile });
    expect(await settleClaim(program.db, settled, now())).toMatchObject({ status: 'done' });
    expect([await readBalance(program.db, first.userid), await readBalance(program.db, second.userid)]).toEqual([100, 0]);
  });

  test('credits each settlement of a report that was opened again, also in one millisecond', async () => {
    const { claimid } = await reported();
    for (const message of ['For the shirt.', 'For its buttons.', 'For its collar.']) {
      expect(await settleClaim(program.db, { id: claimid, amountPaise: asPaise(100), message }, now())).toMatchObject({ status: 'done' });
      await customer.caller.send(addReply, { userid: customer.userid, claimid, message: `Not enough: ${message}`, photos: [] });
    }
    expect(await readBalance(program.db, customer.userid)).toBe(300);
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('of concurrent settlements one credits', async () => {
    const { claimid } = await reported();
    const settle = (message: string) => settleClaim(program.db, { id: claimid, amountPaise: asPaise(100), message }, now());
    const results = await Promise.all(Array.from({ length: 8 }, (_, index) => settle(`Answer ${index}`)));
    expect(results.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 7 }, () => 'already-settled'), 'done']);
    expect(await readBalance(program.db, customer.userid)).toBe(100);
    expect((await claimsOf())?.[0]?.messages).toHaveLength(2);
  });

  test('settles without money, and may still add to the thread', async () => {
    const { claimid } = await reported();
    await settleClaim(program.db, { id: claimid, amountPaise: asPaise(0), message: 'The shirt came with the hole.' }, now());
    await answerClaim(program.db, claimid, 'See the photo of the pickup.', now());
    expect((await claimsOf())?.[0]).toMatchObject({ status: 'settled', credited: null, messages: [{}, {}, {}] });
    expect(await readBalance(program.db, customer.userid)).toBe(0);
  });
});
