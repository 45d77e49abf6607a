/**
 * Every staff call by every kind of caller. The expected outcomes come from `STAFF_CALLS`, which
 * the server checks too. A refused call returns no data and writes nothing but its audit row.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { addClaim } from '../../src/domains/claims/contract.ts';
import { recordManualPaymentOnce } from '../../src/domains/manual-payments/service.server.ts';
import { grantOffer } from '../../src/domains/offers/service.server.ts';
import { getOrders, type Stage } from '../../src/domains/orders/contract.ts';
import {
  DESK_EVENTS_PATH,
  ROLES,
  STAFF_CALLS,
  accessTo,
  mayCall,
  type Role,
  type StaffCallPath,
} from '../../src/domains/staff/desk/contract.ts';
import { newTid } from '../../src/domains/payments/service.server.ts';
import { changePerson } from '../../src/domains/staff/service.server.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { findEntry } from '../../src/domains/wallet/store.server.ts';
import { transaction } from '../../src/db/database.server.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import type { Caller } from '../support/caller.ts';
import { samplePhoto } from '../support/photos.ts';
import { moveOutForDelivery, newOrderingCustomer, place } from '../support/ordering.ts';
import { newCustomer } from '../support/seed-customers.ts';
import { newStaff } from '../support/staff.ts';
import { useProgram } from '../support/program.ts';
import { readWrites } from './database.ts';
import { staffRows, type StaffScene } from './staff-rows.ts';
import { laundryCommand } from '../../src/domains/staff/authentication.server.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const isStream = (path: string) => path === DESK_EVENTS_PATH;
const paths = Object.keys(STAFF_CALLS).filter((path) => !isStream(path)) as StaffCallPath[];

type Requester = 'nobody' | 'customer' | 'removed person' | Role;

interface RequestingPerson {
  caller: Caller;
  personid?: string;
}

const REQUESTERS: Record<Requester, () => Promise<RequestingPerson>> = {
  nobody: async () => ({ caller: program.caller() }),
  // With the cookie of the customer's session under the name of the staff's too.
  customer: async () => {
    const { caller } = await newCustomer(program);
    caller.cookies.set('staff', caller.cookies.get('session') ?? '');
    return { caller };
  },
  'removed person': async () => {
    await newStaff(program, 'owner');
    const { caller, personid } = await newStaff(program, 'owner');
    await transaction(program.db, (tx) => changePerson(tx, null, { action: 'remove', personid }, program.clock.now()));
    return { caller };
  },
  rider: () => newStaff(program, 'rider'),
  operator: () => newStaff(program, 'operator'),
  owner: () => newStaff(program, 'owner'),
};

/** `moverId` is the person who moved the order out for delivery. */
async function newScene(moverId: string): Promise<StaffScene> {
  const customer = await newOrderingCustomer(program);
  const now = program.clock.now();
  const [atPickup, { orderid }] = [await place(customer), await place(customer, { detergent: '' })];
  await moveOutForDelivery(program, orderid);
  await transaction(program.db, (tx) =>
    recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise: asPaise(100) }, now),
  );
  const events = program.db.selectFrom('order_events').select(['id', 'order_id']);
  const idOf = async (stage: Stage) =>
    (await events.where('order_id', '=', orderid).where('stage', '=', stage).executeTakeFirstOrThrow()).id;
  // A rider explains bags that another person has counted.
  const { personid: counterId } = await newStaff(program, 'operator');
  const authors = [
    { event_id: await idOf('washing'), staff_id: counterId, bags: 1 },
    { event_id: await idOf('delivery'), staff_id: moverId },
  ];
  await program.db.insertInto('order_event_authors').values(authors).execute();
  await program.db.insertInto('order_handling').values({ order_id: orderid, bags: 2 }).execute();
  const refused = await program.db
    .updateTable('notifications')
    .set({ state: 'withdrawn', failure: 'rejected' })
    .where('event_id', 'in', events.clearSelect().select('id').where('order_id', '=', atPickup.orderid))
    .returning('event_id')
    .executeTakeFirstOrThrow();
  const { tid } = await program.db.selectFrom('payments').select('tid').where('order_id', '=', orderid).executeTakeFirstOrThrow();
  const reference = newId();
  const begun = {
    tid: newTid(),
    order_id: orderid,
    method: 'upi',
    state: 'pending',
    amount_paise: 100,
    due_paise: 100,
    reference,
  } as const;
  await program.db
    .insertInto('payments')
    .values({ ...begun, created_at: now, reported_at: now })
    .execute();
  const { personid: holderId } = await newStaff(program, 'rider');
  await program.db
    .insertInto('cash_movements')
    .values({ staff_id: holderId, kind: 'received', amount_paise: 100, payment_tid: tid, at: now })
    .execute();
  const handin = { id: newId(), holder_id: holderId, counter_id: moverId, expected_paise: 100, counted_paise: 90, handed_in_at: now };
  await program.db.insertInto('cash_handins').values(handin).execute();
  const claim = { userid: customer.userid, orderid: atPickup.orderid, kind: 'missing', message: 'A sock is missing.' } as const;
  const { data: reported } = await customer.caller.send(addClaim, claim);
  const { data: seen } = await customer.caller.send(getOrders, {});
  const seenOrder = (id: string) => seen?.find((order) => order.orderid === id);
  const reviewid = newId();
  await program.db
    .insertInto('reviews')
    .values({ id: reviewid, customer_id: customer.userid, star: 1, message: 'Bad', created_at: now })
    .execute();
  const grant = `grant:${newId()}`;
  const credit = {
    customerId: customer.userid,
    kind: 'promotion',
    amountPaise: asPaise(100),
    reason: 'A gift',
    reference: grant,
    at: now,
  } as const;
  await creditWallet(program.db, credit);
  const entry = await findEntry(program.db, { reference: grant });
  const offerid = await grantOffer(
    program.db,
    { customerId: customer.userid, percent: 10, validDays: 7, reason: 'A gift', startsAt: now },
    now,
  );
  const { personid: colleagueId } = await newStaff(program, 'rider');
  await program.db
    .updateTable('claims')
    .set({ assigned_to: colleagueId })
    .where('id', '=', reported?.claimid ?? '')
    .execute();
  return {
    claimid: reported?.claimid ?? '',
    reviewid,
    customer: { mobile: customer.mobile, entryid: entry?.id ?? '', offerid },
    colleagueId,
    holderId,
    handinid: handin.id,
    messageid: String(refused.event_id),
    pickup: { orderid: atPickup.orderid, version: seenOrder(atPickup.orderid)?.version ?? 0 },
    delivery: { orderid, version: seenOrder(orderid)?.version ?? 0, code: seenOrder(orderid)?.hand_over_code ?? '', tid, reference },
  };
}

/** They change nothing. All other calls change something, and write a row of the audit for it. */
const READS: ReadonlySet<StaffCallPath> = new Set([
  'staff/me',
  'staff/people',
  'staff/audit',
  'staff/orders',
  'staff/board',
  'staff/order',
  'staff/riders',
  'staff/upipayments',
  'staff/cash',
  'staff/claims',
  'staff/customer',
  'staff/reviews',
  'staff/programs',
  'staff/report',
  'staff/system',
  'staff/alerts',
  'staff/messages',
  'staff/errorreports',
  'staff/slots',
  // It stores a challenge, for a change that `staff/addpasskey` makes.
  'staff/passkeyoptions',
]);
const NOT_CHANGES = ['staff_audit', 'staff_answers', 'staff_passkey_steps'];

const isAboutAnOrder = (path: StaffCallPath) => 'orderid' in ((staffRows[path].call.body as { shape?: object }).shape ?? {});

/** Requests that are refused change nothing and can share a scene. */
let sharedScene: StaffScene;
beforeAll(async () => {
  sharedScene = await newScene((await newStaff(program, 'owner')).personid);
  expect(sharedScene.delivery.code).toMatch(/^\d{4}$/);
});

const newKey = () => ({ 'idempotency-key': newId() });

/** An upload has its body in the query, and a photo. */
const send = (caller: Caller, path: StaffCallPath, body: Record<string, unknown>) =>
  staffRows[path].call.upload
    ? caller.request('POST', `${path}?${new URLSearchParams(body as Record<string, string>).toString()}`, samplePhoto('jpeg'), {
        'content-type': 'image/jpeg',
        ...newKey(),
      })
    : caller.post(path, body, newKey());

const isRole = (requester: string): requester is Role => ROLES.some((role) => role === requester);

function expectedOutcome(requester: Requester, path: StaffCallPath): string {
  if (accessTo(path).roles === 'anyone') {
    const { succeeds } = staffRows[path];
    return succeeds === 'always' || (succeeds === 'for staff' && isRole(requester)) ? '200 success' : '200 error';
  }
  if (!isRole(requester)) return '401 login-required';
  return mayCall(requester, path) ? '200 success' : '403 not-permitted';
}

test('the table lists exactly the staff calls that the program serves', async () => {
  const { paths: served } = (await program.caller().get('openapi.json')).json() as { paths: Record<string, object> };
  expect(paths.map((path) => `/${path}`).toSorted()).toEqual(Object.keys(served).filter((path) => path.startsWith('/staff/')));
});

describe.each(paths)('%s', (path) => {
  test.each(Object.keys(REQUESTERS) as Requester[])('responds to %s as the table states', async (requester) => {
    const { caller, personid } = await REQUESTERS[requester]();
    const expected = expectedOutcome(requester, path);
    const isAllowed = personid !== undefined && expected === '200 success';
    const scene = isAllowed ? await newScene(personid) : sharedScene;
    const body = staffRows[path].body(scene);
    const isRead = isAllowed && READS.has(path);
    const before = await readWrites(program, isRead ? NOT_CHANGES : ['staff_audit']);
    const lastRow = await lastAuditRow();
    const response = await send(caller, path, body);
    const envelope = response.json() as { response: string; code?: string; data: unknown };
    const detail = response.statusCode === 200 ? envelope.response : envelope.code;
    expect(`${response.statusCode} ${detail}`).toBe(expected);
    expect(codesIn(envelope, scene.delivery.code)).toEqual([]);
    expect(codesIn(await auditedSince(lastRow, personid), scene.delivery.code)).toEqual([]);
    if (isRead) expect(await readWrites(program, NOT_CHANGES)).toEqual(before);
    else if (isAllowed) expect(await auditedSince(lastRow, personid)).toHaveLength(1);
    else if (response.statusCode !== 200) {
      expect(Object.keys(envelope)).toEqual(['response', 'message', 'code', 'params', 'data']);
      expect(envelope.data).toBeNull();
      expect(await readWrites(program, ['staff_audit'])).toEqual(before);
    }
  });
});

const lastAuditRow = async () => {
  const row = await program.db.selectFrom('staff_audit').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
};

const auditedSince = (id: number, personid: string | undefined) =>
  program.db
    .selectFrom('staff_audit')
    .select(['action', 'before', 'after'])
    .where('id', '>', id)
    .where('staff_id', personid === undefined ? 'is' : '=', personid ?? null)
    .execute();

/** Numbers of rows, which can have the digits of a code. */
const IS_ID = /(?:id|version|next|cursor)$/;

/**
 * Returns the paths of a hand-over code in a response: a field of its name, its digits as a value
 * or as a word of a text. A longer number, a time and an amount are none.
 */
function codesIn(value: unknown, code: string, path = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      key === 'hand_over_code' ? [`${path}.${key}`] : IS_ID.test(key) ? [] : codesIn(inner, code, `${path}.${key}`),
    );
  }
  const isCode =
    typeof value === 'string' && code !== '' ? new RegExp(`(?<![\\d\\w:.,-])${code}(?![\\d\\w:.,-])`).test(value) : value === Number(code);
  return isCode ? [path] : [];
}

test('the search for hand-over codes finds a field, a value and a word', () => {
  const response = { data: { hand_over_code: null, note: 'The code is 4711', code: '4711', tries: 4711, at: '4711-11-21', version: 4711 } };
  expect(codesIn(response, '4711')).toEqual(['.data.hand_over_code', '.data.note', '.data.code', '.data.tries']);
});

test('a refused call of a person is in the audit', async () => {
  const { caller, personid } = await newStaff(program, 'rider');
  await caller.post('staff/people', {});
  const rows = await program.db.selectFrom('staff_audit').select(['action', 'subject_id']).where('staff_id', '=', personid).execute();
  expect(rows).toEqual([{ action: 'refused', subject_id: 'staff/people' }]);
});

const fresh = paths.filter((path) => accessTo(path).needsFreshLogin === true);

describe.each(fresh)('%s', (path) => {
  test('is refused ten minutes after the log-in', async () => {
    const { caller, personid } = await newStaff(program, 'owner');
    const body = staffRows[path].body(await newScene(personid));
    program.clock.advance(600);
    expect((await send(caller, path, body)).statusCode).toBe(200);
    program.clock.advance(1);
    const [before, lastRow] = [await readWrites(program, ['staff_audit']), await lastAuditRow()];
    const response = await send(caller, path, body);
    expect([response.statusCode, response.json().code]).toEqual([403, 'login-too-old']);
    expect(await readWrites(program, ['staff_audit'])).toEqual(before);
    expect(await auditedSince(lastRow, personid)).toMatchObject([{ action: 'refused' }]);
  });
});

describe('a rider who does not see an order', () => {
  const ofOneOrder = paths.filter((path) => mayCall('rider', path) && isAboutAnOrder(path));

  test.each(ofOneOrder)('%s is refused as for an unknown order', async (path) => {
    const { caller, personid } = await newStaff(program, 'rider');
    const { personid: moverId } = await newStaff(program, 'operator');
    const scene = await newScene(moverId);
    const { orderid } = staffRows[path].body(scene) as { orderid: string };
    // To be collected after tomorrow, and delivered before yesterday.
    const later = { pickup_day: '2026-11-23', stage: 'pickup', weight_grams: null, items: null } as const;
    for (const change of [later, { pickup_day: '2026-11-19', stage: 'delivered', weight_grams: 2000, items: 8 } as const]) {
      await program.db.updateTable('orders').set(change).where('id', '=', orderid).execute();
      const written = ['staff_answers', 'staff_audit'];
      const before = await readWrites(program, written);
      const response = await send(caller, path, staffRows[path].body(scene));
      expect(response.json()).toMatchObject({ code: 'order-not-found', data: null });
      expect(await readWrites(program, written)).toEqual(before);
    }
    const isDelivery = ['staff/move', 'staff/moveback', 'staff/receive', 'staff/countbags', 'staff/explainbags'].includes(path);
    const step = isDelivery ? ({ stage: 'delivery' } as const) : ({ stage: 'pickup', weight_grams: null, items: null } as const);
    const overdue = { pickup_day: '2026-11-18', ...step };
    await program.db.updateTable('orders').set(overdue).where('id', '=', orderid).execute();
    await program.db.updateTable('order_event_authors').set({ staff_id: personid }).where('staff_id', '=', moverId).execute();
    expect((await send(caller, path, staffRows[path].body(scene))).json()).toMatchObject({ response: 'success' });
  });
});
