/** The calls of the screen System. */
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { senderOptions, startMessageGateway } from '../../../test/support/message-sender.ts';
import { MSG91_KEY } from '../../../test/support/msg91-stand-in.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { sendEveningChange } from '../../../test/support/evenings.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { reportError } from '../error-reports/contract.ts';
import { insertMessage, setUnsent } from '../messages/store.server.ts';
import { NOTIFICATION_KINDS } from '../notifications/contract.ts';
import { sendAgain, sendNext } from '../notifications/service.server.ts';
import { cancelOrder } from '../orders/contract.ts';
import { changeMessageSettings } from '../profile/contract.ts';
import { transaction } from '../../db/database.server.ts';
import { PAGE, checkLedger, getAlerts, getSystem, listErrorReports, listUnsentMessages, sendMessageAgain } from './desk/contract.ts';
import { BACKUP_RUN, LEDGER_JOB } from './desk/rules.ts';
import { recordRunEnd } from './store.server.ts';
import { JOB_NAMES } from './desk/system-texts.ts';
import { AUDIT_LIMIT_SECONDS, acquireLedgerAudit, readAlerts, recordJob } from './service.server.ts';

const program = useProgram();
const MSG91 = { SMS_PROVIDER: 'msg91', MSG91_AUTH_KEY: MSG91_KEY, MSG91_TEMPLATE_ID: 'code', PUBLIC_URL: 'http://laundry.example' };
/** Without templates, and with a folder of photos that cannot exist. */
const incomplete = useProgram({ ...MSG91, PHOTO_DIR: '/dev/null/photos' });
const withSomeTemplates = useProgram({ ...MSG91, MSG91_TEMPLATE_WEIGHED: 'weighed', MSG91_TEMPLATE_DELIVERY: 'delivery' });
const service = await startMessageGateway();
beforeEach(async () => {
  service.behave();
  service.phones.length = 0;
  await program.db.deleteFrom('notifications').execute();
});

const send = () => sendNext(senderOptions(program, service, { onFailure: () => {} }));

const owner = async () => (await newStaff(program, 'owner')).caller;
const REJECTION = { status: 400, json: { type: 'error', message: 'flow 12345678 is blocked' } };

async function refusedMessage() {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  service.behave([REJECTION]);
  await send();
  service.behave();
  return { customer, orderid };
}

const firstMessage = async (caller: Awaited<ReturnType<typeof owner>>) => (await caller.send(listUnsentMessages, {})).data?.messages[0];

test('a refused message is sent again once, and its author is audited', async () => {
  const { caller, personid } = await newStaff(program, 'owner');
  const { customer, orderid } = await refusedMessage();
  const message = await firstMessage(caller);
  expect(message).toMatchObject({
    orderid,
    kind: 'placed',
    mobile: customer.mobile,
    state: 'refused',
    failure: 'rejected',
    error: 'MSG91 returned 400: flow … is blocked',
    attempts: 1,
    can_send_again: true,
  });
  expect((await caller.send(getSystem, {})).data?.messages).toMatchObject({ are_sent: true, refused: 1 });
  const { messageid = '' } = message ?? {};
  const results = await Promise.all([1, 2, 3].map(() => caller.send(sendMessageAgain, { messageid })));
  expect(results.map((result) => (result.response === 'success' ? 'sent' : result.code)).toSorted()).toEqual([
    'message-not-refused',
    'message-not-refused',
    'sent',
  ]);
  expect(await firstMessage(caller)).toMatchObject({ state: 'waiting', can_send_again: false });
  await send();
  await send();
  expect(service.phones.map(({ mobile }) => mobile)).toEqual([`91${customer.mobile}`]);
  expect((await caller.send(listUnsentMessages, {})).data).toEqual({ codes: [], messages: [], next: null });
  expect(await caller.send(sendMessageAgain, { messageid })).toMatchObject({ code: 'message-not-refused' });
  const rows = await program.db
    .selectFrom('staff_audit')
    .select(['action', 'subject_id', 'after'])
    .where('staff_id', '=', personid)
    .orderBy('action')
    .execute();
  const refused = { action: 'refused', subject_id: 'staff/sendagain', after: { call: 'staff/sendagain', error: 'message-not-refused' } };
  const sent = { action: 'send-message-again', subject_id: orderid, after: { message: 'placed' } };
  expect(rows).toEqual([refused, refused, refused, sent]);
});

test('a message that may have arrived, waits or is out of date is not sent again', async () => {
  const caller = await owner();
  await place(await newOrderingCustomer(program));
  service.behave([{ status: 500, json: {} }], { delivering: true });
  await send();
  const unsure = await firstMessage(caller);
  expect(unsure).toMatchObject({ state: 'unsure', failure: 'unknown', can_send_again: false });
  expect(await caller.send(sendMessageAgain, { messageid: unsure?.messageid ?? '' })).toMatchObject({ code: 'message-not-refused' });

  const { customer, orderid } = await refusedMessage();
  const { messageid = '' } = (await firstMessage(caller)) ?? {};
  await customer.caller.send(cancelOrder, { orderid });
  expect(await caller.send(sendMessageAgain, { messageid })).toMatchObject({ code: 'message-out-of-date' });
  const muted = await refusedMessage();
  const own = (await firstMessage(caller))?.messageid ?? '';
  const withoutTemplate = await transaction(program.db, (tx) =>
    sendAgain(tx, { hasTemplate: () => false }, Number(own), program.clock.now()),
  );
  expect(withoutTemplate).toEqual({ status: 'message-without-template' });
  const { userid } = muted.customer;
  const settings = { userid, placed: false, attempted: true, delivery: true, delivered: true };
  await muted.customer.caller.send(changeMessageSettings, settings);
  expect(await caller.send(sendMessageAgain, { messageid: own })).toMatchObject({ code: 'message-muted' });
  expect(await firstMessage(caller)).toMatchObject({ messageid: own, state: 'refused' });
  program.clock.advance(DAY_SECONDS + 1);
  const next = await owner();
  const late = await firstMessage(next);
  expect(late).toMatchObject({ state: 'refused', can_send_again: false });
  expect(await next.send(sendMessageAgain, { messageid: late?.messageid ?? '' })).toMatchObject({ code: 'message-out-of-date' });
  expect(await next.send(sendMessageAgain, { messageid: '999999999' })).toMatchObject({ code: 'message-not-found' });
  expect(service.phones).toHaveLength(1);
});

test('kinds of messages without a template are named, unless an older text replaces theirs', async () => {
  const read = async (of: typeof program) => (await (await newStaff(of, 'owner')).caller.send(getSystem, {})).data?.messages;
  expect(await read(program)).toMatchObject({ are_sent: true, unsent_kinds: [] });
  expect(await read(incomplete)).toMatchObject({ are_sent: false, unsent_kinds: NOTIFICATION_KINDS });
  const unsent = NOTIFICATION_KINDS.filter((kind) => !['weighed', 'corrected', 'delivery'].includes(kind));
  expect(await read(withSomeTemplates)).toMatchObject({ are_sent: true, unsent_kinds: unsent });
});

test('the owner reads that photos cannot be stored, also on Today', async () => {
  const read = async (of: typeof program) => {
    const { caller } = await newStaff(of, 'owner');
    const problems = (await caller.send(getAlerts, {})).data?.problems ?? [];
    return [(await caller.send(getSystem, {})).data?.stores_photos, problems.includes('photos-fail')];
  };
  expect(await read(program)).toEqual([true, false]);
  expect(await read(incomplete)).toEqual([false, true]);
});

test('messages that wait are listed after a minute or a failed attempt, and when they came too late', async () => {
  let caller = await owner();
  await place(await newOrderingCustomer(program));
  const list = async () => (await caller.send(listUnsentMessages, {})).data?.messages.map(({ state, failure }) => `${state} ${failure}`);
  expect(await list()).toEqual([]);
  service.behave([{ status: 503, json: {} }]);
  await send();
  expect(await list()).toEqual(['waiting not-accepted']);
  await place(await newOrderingCustomer(program));
  program.clock.advance(61);
  expect(await list()).toEqual(['waiting null', 'waiting not-accepted']);
  expect((await caller.send(getSystem, {})).data?.messages).toMatchObject({ overdue: 2, refused: 0 });
  program.clock.advance(DAY_SECONDS);
  caller = await owner();
  await send();
  await send();
  // The second one had no attempt: the sender was off.
  expect(await list()).toEqual(['too-late too-late']);
});

test('a code that was not sent is listed without its text', async () => {
  const caller = await owner();
  const now = program.clock.now();
  const message = { browser_hash: Buffer.alloc(32), mobile: '9812345678', text: 'Your code is 482913', code: '482913' };
  const id = await transaction(program.db, (tx) => insertMessage(tx, message, now));
  await setUnsent(program.db, id, 'withdrawn', { failure: 'rejected', error: 'MSG91 returned 400: no balance' });
  const { data } = await caller.send(listUnsentMessages, {});
  expect(data?.codes).toMatchObject([{ mobile: '9812345678', failure: 'rejected', error: 'MSG91 returned 400: no balance' }]);
  expect(JSON.stringify(data)).not.toContain('482913');
  const counts = async () => (await caller.send(getSystem, {})).data?.messages;
  expect(await counts()).toMatchObject({ codes_sent: 0, codes_failed: 1, codes_unreachable: 0 });
  const other = await transaction(program.db, (tx) => insertMessage(tx, message, now));
  await setUnsent(program.db, other, 'withdrawn', { failure: 'not-accepted', error: 'connect ECONNREFUSED' });
  expect(await counts()).toMatchObject({ codes_sent: 0, codes_failed: 2, codes_unreachable: 1 });
});

test('the owner reads the age of the last backup, and in live use also on Today that it is late', async () => {
  const caller = await owner();
  const read = async () => (await caller.send(getSystem, {})).data?.backup;
  expect(await read()).toEqual({ is_expected: false, succeeded: null });
  const endedAt = program.clock.now();
  await recordJob(program.db, { job: BACKUP_RUN, startedAt: endedAt, durationMs: 1 }, endedAt);
  expect(await read()).toEqual({ is_expected: false, succeeded: kolkataDateTime(endedAt) });

  const problemsAfter = async (seconds: number, expectsBackups: boolean) => {
    const inputs = { jobs: [], hasTemplate: () => true, storage: { check: async () => {} }, expectsBackups };
    return (await readAlerts(program.db, inputs, addSeconds(endedAt, seconds))).problems;
  };
  const nextNight = DAY_SECONDS + 2 * 60 * 60;
  expect(await problemsAfter(nextNight, true)).not.toContain('backup-late');
  expect(await problemsAfter(nextNight + 1, true)).toContain('backup-late');
  expect(await problemsAfter(nextNight + 1, false)).not.toContain('backup-late');
});

test('unsent messages have pages without gaps', async () => {
  const caller = await owner();
  await place(await newOrderingCustomer(program));
  await sql`insert into order_events (order_id, kind, stage, data, at)
            select order_id, kind, stage, data, at from order_events, generate_series(1, ${PAGE + 1})
             where id = (select max(event_id) from notifications)`.execute(program.db);
  await program.db.updateTable('notifications').set({ state: 'failed', failure: 'unknown' }).execute();
  const { data: first } = await caller.send(listUnsentMessages, {});
  const { data: second } = await caller.send(listUnsentMessages, { cursor: first?.next ?? '' });
  const seen = [first, second].map((page) => page?.messages.map(({ messageid }) => messageid) ?? []);
  expect(seen.map(({ length }) => length)).toEqual([PAGE, 2]);
  expect(new Set(seen.flat()).size).toBe(PAGE + 2);
  expect(second?.next).toBeNull();
});

test('error reports are grouped by message and paged', async () => {
  const caller = await owner();
  for (const message of ['first', 'second', 'first']) {
    program.clock.advance(1);
    await program.caller().send(reportError, { error: JSON.stringify({ message, stack: `${message} at cart.js:1:2` }) });
  }
  const { data } = await caller.send(listErrorReports, {});
  expect(data?.groups).toMatchObject([
    { message: 'first', count: 2, report: '{"message":"first","stack":"first at cart.js:1:2"}' },
    { message: 'second', count: 1 },
  ]);
  expect((await caller.send(getSystem, {})).data?.reports).toBe(3);
  await sql`insert into error_reports (message, report, reported_at)
            select 'report ' || n, '{}', ${program.clock.now()} from generate_series(1, ${PAGE}) n`.execute(program.db);
  const first = (await caller.send(listErrorReports, {})).data;
  const second = (await caller.send(listErrorReports, { cursor: first?.next ?? '' })).data;
  expect(first?.groups).toHaveLength(PAGE);
  expect(second?.groups.map(({ message }) => message)).toEqual(['first', 'second']);
  expect(second?.next).toBeNull();
});

test('jobs show their last run and its error without secrets', async () => {
  const caller = await owner();
  const startedAt = program.clock.now();
  const run = { job: 'reconciling payments', startedAt, durationMs: 1234 };
  await recordJob(program.db, run, startedAt);
  await recordJob(program.db, { ...run, error: new Error('no answer about 9876543210') }, addSeconds(startedAt, 1));
  const { data } = await caller.send(getSystem, {});
  // Each job has a name on the screen.
  expect(new Set(data?.jobs.map(({ job }) => job))).toEqual(new Set(Object.keys(JOB_NAMES)));
  expect(data?.jobs.find(({ job }) => job === run.job)?.run).toMatchObject({
    state: 'failed',
    seconds: 1.23,
    error: 'no answer about [removed]',
  });
  expect(data?.jobs.find(({ job }) => job === 'add up new figures')?.run).toBeNull();
});

test('the ledger is checked once at a time, with progress and a result', async () => {
  const { caller, personid } = await newStaff(program, 'owner');
  const ledgerRun = async () => (await caller.send(getSystem, {})).data;
  const stateOf = async () => (await ledgerRun())?.jobs.find(({ job }) => job === LEDGER_JOB)?.run?.state;
  const audits = sql`select 1 from pg_stat_activity where application_name like '%audit' and datname = current_database()`;
  await program.db.transaction().execute(async (tx) => {
    await sql`lock table ledger_accounts in access exclusive mode`.execute(tx);
    const results = await Promise.all([1, 2, 3].map(() => caller.send(checkLedger, {})));
    // The answer is stored for two days, and names nothing.
    expect(results.map(({ response, data }) => [response, data])).toEqual([1, 2, 3].map(() => ['success', null]));
    await expect.poll(async () => (await ledgerRun())?.ledger).toEqual({ progress: 1, steps: 5 });
    expect(await stateOf()).toBe('running');
    expect((await audits.execute(program.db)).rows).toHaveLength(1);
  });
  await expect.poll(stateOf).toBe('succeeded');
  const rows = await program.db.selectFrom('staff_audit').select(['action', 'subject_id']).where('staff_id', '=', personid).execute();
  expect(rows).toEqual([{ action: 'check-ledger', subject_id: LEDGER_JOB }]);
});

test('a fault of the ledger stays until a sound audit', async () => {
  const caller = await owner();
  const stateOf = async () => {
    const run = (await caller.send(getSystem, {})).data?.jobs.find(({ job }) => job === LEDGER_JOB)?.run;
    return [run?.state, run?.unbalanced !== null];
  };
  const audit = async (outcome: 'unbalanced' | 'succeeded') => {
    const startedAt = program.clock.now();
    expect(await acquireLedgerAudit(program.db, startedAt)).toBe(true);
    const running = await stateOf();
    await recordRunEnd(program.db, { job: LEDGER_JOB, startedAt, endedAt: startedAt, durationMs: 1, outcome, error: null });
    program.clock.advance(1);
    return [running, await stateOf()];
  };
  expect(await audit('unbalanced')).toEqual([
    ['running', false],
    ['unbalanced', true],
  ]);
  expect(await audit('succeeded')).toEqual([
    ['running', true],
    ['succeeded', false],
  ]);
});

test('an audit of a killed process does not block the next one', async () => {
  const caller = await owner();
  const now = program.clock.now();
  expect(await acquireLedgerAudit(program.db, now)).toBe(true);
  expect(await acquireLedgerAudit(program.db, now)).toBe(false);
  program.clock.advance(AUDIT_LIMIT_SECONDS + 61);
  const { data } = await caller.send(getSystem, {});
  expect(data?.jobs.find(({ job }) => job === LEDGER_JOB)?.run?.state).toBe('interrupted');
  expect(await acquireLedgerAudit(program.db, program.clock.now())).toBe(true);
});

test('an operator reads on Today that customers cannot order, and that a job fails', async () => {
  // Other tests leave failed jobs.
  await program.db.deleteFrom('job_runs').execute();
  const { caller } = await newStaff(program, 'operator');
  const alerts = async () => (await caller.send(getAlerts, {})).data;
  expect(await alerts()).toMatchObject({ offers_services: true, full_areas: [] });
  expect((await alerts())?.problems).not.toContain('job-failed');
  const plan = { action: 'plan', area: 'manesar', cut_off: '16:00', capacity: null } as const;
  await sendEveningChange(await owner(), { ...plan, closed_weekdays: [1, 2, 3, 4, 5, 6, 7] });
  const job = 'delete expired limits';
  const run = { job, startedAt: program.clock.now(), durationMs: 1, error: new Error('no space') };
  await recordJob(program.db, run, program.clock.now());
  expect(await alerts()).toMatchObject({ full_areas: ['manesar'], problems: expect.arrayContaining(['job-failed']) as string[] });
  await program.db.deleteFrom('job_runs').where('job', '=', job).execute();
  await sendEveningChange(await owner(), { ...plan, closed_weekdays: [] });
  expect(await alerts()).toMatchObject({ full_areas: [] });
});
