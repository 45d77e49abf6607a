import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runWith } from '../../../test/launch/run-tool.ts';
import { signUpCustomer } from '../../../test/support/customer.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { urlOf } from '../../../test/support/postgres.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { newStaffSession } from '../../../test/support/staff.ts';
import { transaction } from '../../db/database.server.ts';
import { createPasswords } from '../../security/passwords.server.ts';
import { composeProgram } from '../../compose.server.ts';
import { findAccount } from '../../domains/accounts/store.server.ts';
import { addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime, kolkataDay } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { parseSettings } from '../../settings.server.ts';
import { login } from '../../domains/accounts/contract.ts';
import { getAddresses } from '../../domains/addresses/contract.ts';
import { programsAndReviews } from '../../domains/catalogue/contract.ts';
import { decodeOffer, getOffers } from '../../domains/offers/contract.ts';
import { activeOffer } from '../../domains/offers/rules.ts';
import { getUserDetails } from '../../domains/profile/contract.ts';
import { getTransactions } from '../../domains/wallet/contract.ts';
import { getOrders, PROGRESS_STAGES } from '../../domains/orders/contract.ts';
import { isLate, startOfSlot } from '../../domains/orders/visit-rules.ts';
import { setPerson, staffLogin } from '../../domains/staff/desk/contract.ts';
import { changePerson, listPeople } from '../../domains/staff/service.server.ts';
import { auditLedger, isSound, reverseGrant } from '../../domains/wallet/service.server.ts';
import { loadSamples, SAMPLE_CUSTOMER, SAMPLE_STAFF } from './demo.server.ts';

describe('the sample customer', () => {
  const program = useProgram();
  const broken = useProgram();

  test('is created once by concurrent and repeated loads', async () => {
    await Promise.all([loadSamples(program), loadSamples(program), loadSamples(program)]);
    await loadSamples(program);
    expect(await program.db.selectFrom('customers').select('mobile').execute()).toEqual([{ mobile: SAMPLE_CUSTOMER.mobile }]);
    expect(await program.db.selectFrom('orders').select('id').execute()).toHaveLength(5);
    expect(await program.db.selectFrom('reviews').select('id').execute()).toHaveLength(4);
  });

  test('has a laundry with an owner, an operator and a rider, who are created once', async () => {
    const roles = async () =>
      (await program.db.selectFrom('staff_members').select('role').where('removed_at', 'is', null).orderBy('mobile').execute()).map(
        ({ role }) => role,
      );
    await loadSamples(program);
    expect(await roles()).toEqual(['owner', 'operator', 'rider']);
    const [{ mobile }, { password }] = [SAMPLE_STAFF[2], SAMPLE_CUSTOMER];
    expect(await program.caller().send(staffLogin, { mobile, password })).toMatchObject({ response: 'success', data: { role: 'rider' } });
    await program.db.updateTable('staff_members').set({ removed_at: program.clock.now() }).where('mobile', '=', mobile).execute();
    await loadSamples(program);
    expect(await roles()).toEqual(['owner', 'operator']);
  });

  test('is rolled back by a failed load and created by the next load', async () => {
    for (const table of ['customers', 'addresses', 'orders', 'order_events', 'offers', 'ledger_entries', 'payments', 'reviews']) {
      await sql`create function broken() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`.execute(broken.db);
      await sql.raw(`create trigger broken after insert on ${table} for each row execute function broken()`).execute(broken.db);
      await expect(loadSamples(broken)).rejects.toThrow('planted');
      await sql`drop function broken() cascade`.execute(broken.db);
      expect(await broken.db.selectFrom('customers').select('mobile').execute()).toEqual([]);
    }
    await loadSamples(broken);
    expect(await broken.db.selectFrom('orders').select('id').execute()).toHaveLength(5);
    expect(await broken.db.selectFrom('reviews').select('id').execute()).toHaveLength(4);
  });

  test('logs in and has an address in each area and an order in every stage, newest first', async () => {
    const caller = program.caller();
    const { mobile, password, name } = SAMPLE_CUSTOMER;
    expect(await caller.send(login, { mobile, password })).toMatchObject({ response: 'success', data: { name, mobile } });
    expect((await caller.send(getAddresses, {})).data).toMatchObject([{ area: 'vatika' }, { area: 'manesar' }]);
    const { data } = await caller.send(getOrders, {});
    expect(
      data?.map((order) => [
        order.washing_stage,
        order.order_date,
        order.program_name,
        order.total_weight,
        order.total_items,
        order.total_amount,
      ]),
    ).toEqual([
      ['pickup', '2026-11-21 10:10:00', 'Wash', null, null, null],
      ['queue', '2026-11-20 12:30:00', 'Wash + Iron', 5100, 16, 31_620],
      ['washing', '2026-11-20 09:40:00', 'Wash', 4750, 21, 22_800],
      ['delivery', '2026-11-19 18:45:00', 'Iron', 3250, 14, 14_625],
      ['delivered', '2026-11-15 11:20:00', 'Wash + Iron', 6400, 18, 39_168],
    ]);
  });

  test('has paid for the delivered order, half from the wallet and half in cash, to the paisa', async () => {
    const rows = await program.db
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'order_id')
      .select(['orders.stage', 'method', 'state', 'amount_paise', 'due_paise'])
      .orderBy('settled_at')
      .execute();
    const order = { stage: 'delivered', state: 'received', amount_paise: 19_584, due_paise: 39_168 };
    expect(rows).toEqual([
      { ...order, method: 'wallet' },
      { ...order, method: 'cash' },
    ]);
    expect(await auditLedger(program.db)).toMatchObject({ sumPaise: 0, drifted: [] });
  });

  test('has a transaction of every kind, an active offer and an expired offer', async () => {
    const caller = program.caller();
    const { mobile, password } = SAMPLE_CUSTOMER;
    await caller.send(login, { mobile, password });
    const { data } = await caller.send(getTransactions, {});
    expect(data?.map(({ t_type, t_amount }) => [t_type, t_amount])).toEqual([
      ['compensation', 4000],
      ['cashback', 2500],
      ['change', 340],
      ['paid', 19_584],
      ['promotion', 30_000],
    ]);
    expect((await caller.send(getUserDetails, {})).data?.wallet).toBe(17_256);
    const offers = (await caller.send(getOffers, {})).data ?? [];
    expect(offers.map(({ offer_rate }) => offer_rate)).toEqual([15, 10]);
    expect(activeOffer(offers.map(decodeOffer), program.clock.now())).toMatchObject({ percent: 10 });
  });

  test('has credits of the causes of the ledger, of which the staff can reverse the grants', async () => {
    const entries = await program.db
      .selectFrom('ledger_entries')
      .select(['kind', 'reference'])
      .where('kind', '<>', 'paid')
      .orderBy('created_at')
      .execute();
    expect(entries).toEqual([
      { kind: 'promotion', reference: expect.stringMatching(/^grant:/) },
      { kind: 'change', reference: expect.stringMatching(/^payment:.+:change$/) },
      { kind: 'cashback', reference: expect.stringMatching(/^grant:/) },
      { kind: 'compensation', reference: expect.stringMatching(/^grant:/) },
    ]);
    const { reference } = entries.at(-1)!;
    const reversal = { reference, reason: 'It was found', at: program.clock.now() };
    expect(await reverseGrant(program.db, reversal)).toMatchObject({ status: 'reversed', amountPaise: 4000 });
  });

  test('has reviews whose texts call them samples', async () => {
    const { data } = await program.caller().send(programsAndReviews, {});
    expect(data?.reviews.map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => SAMPLE_CUSTOMER.name));
    for (const { message } of data?.reviews ?? []) expect(message).toMatch(/^This is a sample review: /);
  });
});

describe.each(['2026-11-20T18:30:01Z', '2026-11-21T18:29:59Z'])('sample data created at %s, close to midnight', (now) => {
  const program = useProgram();

  test('has stages in chronological order, none of them in the future', async () => {
    program.clock.set(now);
    await loadSamples(program);
    const orders = await program.db.selectFrom('orders').select(['id', 'stage', 'placed_at']).execute();
    expect(orders.map(({ stage }) => stage).toSorted()).toEqual(PROGRESS_STAGES.map(({ stage }) => stage).toSorted());
    for (const { id, placed_at } of orders) {
      const events = await program.db
        .selectFrom('order_events')
        .selectAll()
        .where('order_id', '=', id)
        .orderBy('at')
        .orderBy('id')
        .execute();
      const stages = events.flatMap(({ stage }) => stage ?? []);
      expect(events[0]?.at).toEqual(placed_at);
      expect(stages).toEqual(PROGRESS_STAGES.slice(0, stages.length).map(({ stage }) => stage));
      expect(events.at(-1)!.at.getTime()).toBeLessThan(program.clock.now().getTime());
    }
  });
});

describe.each(['00:01', '08:00', '14:00', '17:59', '18:00', '19:30', '21:30', '22:25', '23:59'])('sample data created at %s', (time) => {
  const program = useProgram();

  test('has no order that is late in the next three hours, and none that is done before its time', async () => {
    program.clock.set(`2026-11-21T${time}:00+05:30`);
    await loadSamples(program);
    const caller = program.caller();
    await caller.send(login, SAMPLE_CUSTOMER);
    const orders = (await caller.send(getOrders, {})).data ?? [];
    expect(orders).toHaveLength(5);
    for (const hours of [0, 3]) {
      const now = addSeconds(program.clock.now(), hours * 60 * 60);
      expect(orders.filter((order) => isLate(order, now)).map(({ washing_stage: stage, due_at }) => [stage, due_at])).toEqual([]);
    }
    for (const { stages, collected_date: collected, pickup_date: day } of orders) {
      const times = stages.map(({ entered_at: at }) => at);
      expect(times).toEqual(times.toSorted());
      expect(times.at(-1)! <= kolkataDateTime(program.clock.now())).toBe(true);
      if (collected !== null) expect(collected >= startOfSlot(day)).toBe(true);
    }
  });
});

describe('a database that is used for more than a demonstration', () => {
  const program = useProgram();
  const laundry = useProgram({ BOT_CHECK: 'off' });

  const start = async (settings: Record<string, string>, { connection: database, clock } = program) => {
    const parsed = parseSettings({ DATABASE_URL: urlOf(database), LOG_LEVEL: 'silent', ...settings });
    const { app } = await composeProgram({ settings: parsed, database, secret: TEST_SECRET, build: undefined, clock });
    await app.close();
  };
  const startLive = (on = program) =>
    start(
      {
        MODE: 'live',
        PUBLIC_URL: 'https://laundry.example',
        SECRET: TEST_SECRET,
        TRUST_PROXY: '1',
        SMS_PROVIDER: 'msg91',
        MSG91_AUTH_KEY: 'key',
        MSG91_TEMPLATE_ID: 'template',
        BRAND_EMAIL: 'help@laundry.example',
        BRAND_MOBILE: '+91 98765 00000',
        BRAND_ADDRESS: 'Shop 4, Sector 81, Gurugram',
      },
      on,
    );

  /**
   * With the published password: an owner, whose people are visitors as well, and another password
   * for the sample operator. The command in the terminal adds a rider.
   */
  const addVisitors = async () => {
    const add = async (caller: Caller, person: { name: string; mobile: string; role: 'owner' | 'operator' }) =>
      (await caller.send(setPerson, { action: 'add', ...person })).data?.personid ?? '';
    const now = program.clock.now();
    await transaction(program.db, (tx) =>
      changePerson(tx, null, { action: 'add', name: 'Own Rider', mobile: '9123456789', role: 'rider' }, now),
    );
    const people = await listPeople(program.db);
    const idOf = (mobile: string) => people.find((person) => person.mobile === mobile)?.personid ?? '';
    const sampleOwner = await newStaffSession(program, idOf('9000000001'));
    const visitor = await add(sampleOwner, { name: 'Night Shift', mobile: '9123456780', role: 'owner' });
    await add(await newStaffSession(program, visitor), { name: 'Late Shift', mobile: '9123456781', role: 'operator' });
    const passwordHash = await createPasswords().hash('another password');
    await program.db.updateTable('staff_members').set({ password_hash: passwordHash }).where('id', '=', idOf('9000000002')).execute();
  };

  test('does not start in live mode before the sample accounts are ended', async () => {
    await startLive();
    await loadSamples(program);
    const { password_hash } = (await findAccount(program.db, SAMPLE_CUSTOMER.mobile)) ?? {};
    const seeded = { id: newId(), mobile: '5000000000', name: 'Asha Rao (sample)', password_hash, created_at: program.clock.now() };
    await program.db.insertInto('customers').values(seeded).execute();
    await addVisitors();
    const caller = program.caller();
    const { mobile: own, password } = SAMPLE_CUSTOMER;
    expect(await caller.send(login, { mobile: own, password })).toMatchObject({ response: 'success' });

    await expect(startLive()).rejects.toThrow(
      'visitors: 9000000001, 9000000002, 9000000003, 9123456780, 9123456781, 9876543210, 5000000000. Use an empty database, or end these accounts: npm run seed -- --end-accounts',
    );
    const ended = await runWith({ DATABASE_URL: urlOf(program.connection) }, ['seed', '--end-accounts']);
    expect(ended).toEqual({
      code: 0,
      err: '',
      out: 'Ended: 7 accounts of the demonstration. Their orders and payments stay: cancel what is open in the console.',
    });
    expect((await listPeople(program.db)).map(({ name }) => name)).toEqual(['Own Rider']);
    await startLive();
    await expect(caller.send(getUserDetails, {})).rejects.toMatchObject({ status: 401 });
    for (const { mobile } of [SAMPLE_CUSTOMER, seeded])
      expect(await program.caller().send(login, { mobile, password: SAMPLE_CUSTOMER.password })).toMatchObject({ response: 'error' });
    const [{ mobile }] = SAMPLE_STAFF;
    expect(await program.caller().send(staffLogin, { mobile, password: SAMPLE_CUSTOMER.password })).not.toMatchObject({
      response: 'success',
    });
    expect(isSound(await auditLedger(program.db))).toBe(true);
  });

  test('gets no samples beside its own customers', async () => {
    await signUpCustomer(laundry);
    expect(await loadSamples(laundry)).toBe(false);
    expect(await laundry.db.selectFrom('customers').select('id').execute()).toHaveLength(1);
    expect(await laundry.db.selectFrom('staff_members').select('id').execute()).toEqual([]);
  });

  test('does not start as a demonstration, and gets no samples, after it was in live use', async () => {
    await start({ MODE: 'demo' }, laundry);
    await startLive(laundry);
    await startLive(laundry);
    const day = kolkataDay(laundry.clock.now());
    await expect(start({ MODE: 'demo' }, laundry)).rejects.toThrow(`MODE=demo: this database is in live use since ${day}`);
    const seed = await runWith({ DATABASE_URL: urlOf(laundry.connection) }, ['seed', '--orders', '5', '--beside-other-orders']);
    expect(seed).toMatchObject({ code: 1, out: '', err: expect.stringContaining('in live use') });
  });
});
