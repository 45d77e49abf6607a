/** Refused calls of the staff are in the audit, within limits. */
import { beforeEach, expect, test } from 'vitest';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { transaction } from '../../db/database.server.ts';
import { addClaim } from '../claims/contract.ts';
import { settleDeskClaim } from '../claims/desk/contract.ts';
import { grant } from '../customers/desk/contract.ts';
import { attempt } from '../order-desk/desk/contract.ts';
import { setPerson } from './desk/contract.ts';
import { changePerson } from './service.server.ts';

const program = useProgram({ BOT_CHECK: 'off' });

const audit = () =>
  program.db
    .selectFrom('staff_audit')
    .select(['staff_id', 'action', 'subject_kind', 'subject_id', 'before', 'after'])
    .orderBy('id')
    .execute();

beforeEach(async () => {
  await program.db.deleteFrom('staff_audit').execute();
  program.clock.advance(60 * 60);
});

const refusedBy = (staffId: string | null, [kind, id]: readonly [string, string], after: object) => ({
  staff_id: staffId,
  action: 'refused',
  subject_kind: kind,
  subject_id: id,
  before: null,
  after,
});

test('an entry of a device whose clock is days off is in the audit once', async () => {
  const { caller, personid } = await newStaff(program, 'rider');
  const { orderid } = await place(await newOrderingCustomer(program));
  const at = addSeconds(program.clock.now(), -3 * DAY_SECONDS).toISOString();
  const entry = { orderid, version: 1, why: 'nobody-home', at, note: 'The door is green' } as const;
  for (let times = 0; times < 2; times += 1) {
    const sent = await caller.send(attempt, entry, { idempotencyKey: 'one-entry' });
    expect(sent).toMatchObject({ response: 'error', code: 'wrong-device-time' });
  }
  // A repeated request gets the first response.
  expect(await audit()).toEqual([refusedBy(personid, ['order', orderid], { call: 'staff/attempt', error: 'wrong-device-time' })]);
});

test('a credit and the settlement of a report to the own mobile are in the audit', async () => {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  const { userid } = customer;
  const { data: claim } = await customer.caller.send(addClaim, { userid, orderid, kind: 'missing', message: 'A sock is missing.' });
  const { claimid } = claim!;
  const { caller, personid } = await newStaff(program, 'operator', { mobile: customer.mobile });
  const credit = { mobile: customer.mobile, kind: 'promotion', amount: asPaise(100), reason: 'For me alone' } as const;
  expect(await caller.send(grant, credit, { idempotencyKey: newId() })).toMatchObject({ code: 'own-mobile' });
  const settlement = { claimid, answer: 'Sorry', amount: asPaise(100) };
  expect(await caller.send(settleDeskClaim, settlement, { idempotencyKey: newId() })).toMatchObject({ code: 'own-mobile' });
  expect(await audit()).toEqual([
    refusedBy(personid, ['call', 'staff/grant'], { call: 'staff/grant', error: 'own-mobile' }),
    refusedBy(personid, ['claim', claimid], { call: 'staff/settleclaim', error: 'own-mobile' }),
  ]);
});

test('a refused change of a person is in the audit without the words of the body', async () => {
  const { caller, personid } = await newStaff(program, 'owner');
  const unknown = newId();
  expect(await caller.send(setPerson, { action: 'change', personid: unknown, name: 'Anita', role: 'rider' })).toMatchObject({
    code: 'person-not-found',
  });
  expect(await audit()).toEqual([refusedBy(personid, ['person', unknown], { call: 'staff/setperson', error: 'person-not-found' })]);
});

test.each(['twelve', -1, 12.345, null])('a weight of %j is in the audit', async (weight) => {
  const { caller, personid } = await newStaff(program, 'rider');
  const { orderid } = await place(await newOrderingCustomer(program));
  const response = await caller.post('staff/weigh', { orderid, version: 1, weight, items: 3 });
  const { response: result, code: error } = response.json() as { response: string; code: string };
  expect(result).toBe('error');
  const rows = await audit();
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ staff_id: personid, action: 'refused', after: { error } });
});

test('a body of a caller without a session that does not match the contract is in the audit without its words', async () => {
  const response = await program.caller({ ip: '203.0.113.9' }).post('staff/weigh', { weight: 'a secret' });
  expect(response.statusCode).toBe(400);
  expect(await audit()).toEqual([refusedBy(null, ['call', 'staff/weigh'], { error: response.json().code })]);
});

test('calls without a session, of a customer and of a removed person are in the audit without an author', async () => {
  const { caller: customer } = await newCustomer(program);
  customer.cookies.set('staff', customer.cookies.get('session') ?? '');
  await newStaff(program, 'owner');
  const { caller: removed, personid } = await newStaff(program, 'owner');
  await transaction(program.db, (tx) => changePerson(tx, null, { action: 'remove', personid }, program.clock.now()));
  await program.db.deleteFrom('staff_audit').execute();
  for (const caller of [program.caller(), customer, removed]) {
    expect((await caller.post('staff/people', {})).statusCode).toBe(401);
    expect((await caller.get('staff/events')).statusCode).toBe(401);
  }
  const row = (path: string) => refusedBy(null, ['call', path], { error: 'login-required' });
  // Five a minute for the network of all three.
  expect(await audit()).toEqual(['staff/people', 'staff/events', 'staff/people', 'staff/events', 'staff/people'].map(row));
});

test('a crowd without sessions adds five rows a minute for each network and a hundred an hour', async () => {
  const knock = async (ip: string) => expect((await program.caller({ ip }).post('staff/people', {})).statusCode).toBe(401);
  for (let times = 0; times < 8; times += 1) await knock('203.0.113.1');
  expect(await audit()).toHaveLength(5);
  program.clock.advance(60);
  await knock('203.0.113.1');
  expect(await audit()).toHaveLength(6);
  await program.db.updateTable('limit_windows').set({ taken: 99 }).where('name', '=', 'audited strangers').execute();
  for (let host = 2; host < 5; host += 1) await knock(`203.0.113.${host}`);
  expect(await audit()).toHaveLength(7);
  // A block of 65,536 networks fills no table.
  const rows = async () => (await program.db.selectFrom('limit_windows').select('name').execute()).length;
  const before = await rows();
  for (let network = 0; network < 20; network += 1) await knock(`2001:db8:7:${network}::1`);
  expect(await rows()).toBe(before);
  program.clock.advance(60 * 60);
  await knock('203.0.113.1');
  expect(await audit()).toHaveLength(8);
});
