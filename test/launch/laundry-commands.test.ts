/**
 * `npm run ledger`, `grant` and `order`: on the server of DATABASE_URL, and on the embedded server
 * with and without a running program.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/database.server.ts';
import { getOffers } from '../../src/domains/offers/contract.ts';
import { getOrder } from '../../src/domains/orders/contract.ts';
import { getOrderPayments } from '../../src/domains/payments/contract.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { ChildProgram, freePort } from '../support/program-process.ts';
import { httpCaller } from '../support/http-caller.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { newCustomer } from '../support/seed-customers.ts';
import { urlOf } from '../support/postgres.ts';
import { useProgram } from '../support/program.ts';
import { waitForExit, initialisedFolder, postmasterPid } from './processes.ts';

const program = useProgram({}, { clock: { ...systemClock, set: () => {}, advance: () => {} } });

interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

const runWith = (env: Record<string, string>, [script = '', ...args]: string[]) =>
  new Promise<CommandResult>((resolve) => {
    const child = execFile(
      process.execPath,
      [`tools/${script}.ts`, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (_error, out, err) => resolve({ code: child.exitCode, out: out.trim(), err: err.trim() }),
    );
  });

const run = (...args: string[]) => runWith({ DATABASE_URL: urlOf(program.connection) }, args);

test('weighs an order, moves it from stage to stage, and rejects transitions out of order', { timeout: 120_000 }, async () => {
  const meera = await newOrderingCustomer(program);
  const { orderid } = await place(meera);
  expect((await run('order', 'list')).out).toContain(`${orderid}  pickup  Wash  not weighed  Meera Nair`);
  expect(await run('order', 'move', orderid, 'queue')).toMatchObject({
    code: 1,
    err: `The order must be weighed first. ${orderid}: pickup, not weighed`,
  });
  expect(await run('order', 'weigh', orderid, '7.531', '12')).toMatchObject({ code: 1, out: '' });
  expect(await run('order', 'weigh', orderid, '7.53', '12')).toEqual({ code: 0, out: `${orderid}: pickup, 7.53 kg`, err: '' });
  expect(await run('order', 'move', orderid, 'washing')).toMatchObject({ code: 1, out: '' });
  for (const stage of ['queue', 'washing', 'delivery', 'delivered']) {
    expect(await run('order', 'move', orderid, stage)).toEqual({ code: 0, out: `${orderid}: ${stage}, 7.53 kg`, err: '' });
  }
  expect(await run('order', 'weigh', orderid, '1', '1')).toMatchObject({ code: 1 });
  expect(await run('order', 'receive', orderid, 'cash', '286.14')).toEqual({
    code: 0,
    out: `${orderid}: ₹286.14 received (cash)`,
    err: '',
  });
  expect((await meera.caller.send(getOrderPayments, { orderid })).data?.rest).toBe(0);
  const { data } = await meera.caller.send(getOrder, { orderid });
  expect(data?.[0]).toMatchObject({ washing_stage: 'delivered', total_weight: 7530, total_items: 12, total_amount: 28_614 });
  expect((await run('order', 'list')).out).not.toContain(orderid);
});

describe('npm run grant', () => {
  test('credits the wallet in a balanced ledger', { timeout: 60_000 }, async () => {
    const meera = await newCustomer(program);
    const granted = await run('grant', 'compensation', meera.mobile, '120.50', '=a button', 'lost,', 'we are "sorry"');
    expect(granted).toMatchObject({ code: 0, out: expect.stringContaining('received ₹120.50 (compensation)') });
    await run('grant', 'cashback', meera.mobile, '9', 'Tenth order');
    expect((await meera.caller.send(getUserDetails, { token: meera.userid })).data?.wallet).toBe(12_950);
    expect(await run('ledger', 'audit')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^The ledger is balanced: \d+ postings, ₹129.50 in all wallets\.$/),
    });
    const { out } = await run('ledger', 'export');
    const [head, ...lines] = out.split('\n');
    expect(head).toBe('time,entry,kind,reason,reference,order,account,rupees');
    const customerLines = lines
      .filter((line) => line.includes(`"wallet:${meera.userid}"`))
      .map((line) => line.replace(/^"[^"]*","[^"]*",/, ''));
    expect(customerLines).toEqual([
      expect.stringMatching(/^"compensation","'=a button lost, we are ""sorry""","grant:[0-9A-Z]{20}","","wallet:[0-9A-Z]{20}",120\.50$/),
      expect.stringMatching(/^"cashback","Tenth order","grant:[0-9A-Z]{20}","","wallet:[0-9A-Z]{20}",9\.00$/),
    ]);
    const paise = lines.map((line) => Number(line.split(',').at(-1)?.replace('.', '')));
    expect(paise.reduce((sum, amount) => sum + amount, 0)).toBe(0);
  });

  test('grants the same amount for the same reason once under concurrent calls', { timeout: 60_000 }, async () => {
    const meera = await newCustomer(program);
    const runTwice = async (...args: string[]) => Promise.all([run('grant', ...args), run('grant', ...args)]);
    for (const args of [
      ['compensation', meera.mobile, '40', 'A lost sock'],
      ['offer', meera.mobile, '10', '5', 'A lost sock'],
    ]) {
      const results = await runTwice(...args);
      expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
      expect(results.find(({ code }) => code === 1)?.err).toMatch(/^\d{10} already received this grant for 'A lost sock', reference \S+\./);
    }
    expect(await run('grant', 'compensation', meera.mobile, '40', 'Another lost sock')).toMatchObject({ code: 0 });
    expect((await meera.caller.send(getUserDetails, { token: meera.userid })).data?.wallet).toBe(8000);
    expect((await meera.caller.send(getOffers, { userid: meera.userid })).data).toHaveLength(1);
  });

  test('grants an offer that is active immediately', async () => {
    const meera = await newCustomer(program);
    expect(await run('grant', 'offer', meera.mobile, '15', '7', 'Welcome')).toMatchObject({ code: 0 });
    const { data } = await meera.caller.send(getOffers, { userid: meera.userid });
    expect(data).toEqual([expect.objectContaining({ offer_rate: 15, offer_validity: '7 days' })]);
  });
});

test('npm run order -- list prints the number of omitted orders', { timeout: 120_000 }, async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  await sql`insert into orders select (jsonb_populate_record(orders, jsonb_build_object('id', 'COPY' || copy))).*
    from orders, generate_series(1, 203) as copy where id = ${orderid}`.execute(program.db);
  const undelivered = await program.db.selectFrom('orders').select('id').where('stage', '<>', 'delivered').execute();
  const lines = (await run('order', 'list')).out.split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([201, `and ${undelivered.length - 200} more, placed later`]);
  await program.db.deleteFrom('orders').where('id', 'like', 'COPY%').execute();
  expect((await run('order', 'list')).out).not.toContain(' more, placed later');
});

const INVALID_COMMANDS: [string[], RegExp][] = [
  [['ledger'], /^npm run ledger -- audit/],
  [['grant', 'constructor'], /^npm run grant -- offer/],
  [['grant', 'compensation', '9000000000', '50', 'A reason'], /^No customer has the mobile '9000000000'\.$/],
  [['grant', 'compensation', '9000000000', '-50', 'A reason'], /^'-50' is not an amount from ₹0\.01 to ₹10,000/],
  [['grant', 'compensation', '9000000000', '10000.01', 'A reason'], /^'10000\.01' is not an amount/],
  [['grant', 'compensation', '9000000000', '50'], /^Give a reason of 3 to 200 characters/],
  [['grant', 'paid', '9000000000', '50', 'A reason'], /^npm run grant -- offer/],
  [['grant', 'offer', '9000000000', '101', '7', 'A reason'], /^'101' is not a number of percent from 1 to 100\.$/],
  [['grant', 'offer', '9000000000', '15', '0', 'A reason'], /^'0' is not a number of days from 1 to 3650\.$/],
  [['order', 'weigh', 'NOSUCHORDER0', '7', '3'], /^There is no such order\.$/],
  [['order', 'move', 'NOSUCHORDER0', 'pickup'], /^'pickup' is not a stage that an order can move to/],
  [['order', 'receive', 'NOSUCHORDER0', 'cash', '100'], /^There is no such order\.$/],
  [['order', 'receive', 'NOSUCHORDER0', 'gold', '100'], /^'gold' is not a payment method: cash, upi\.$/],
];

test('invalid arguments change nothing and print the reason', { timeout: 120_000 }, async () => {
  await Promise.all(
    INVALID_COMMANDS.map(async ([args, line]) => {
      const { code, out, err } = await run(...args);
      expect([code, out], args.join(' ')).toEqual([1, '']);
      expect(err).toMatch(line);
    }),
  );
});

test('npm run ledger -- audit prints a wrong balance and fails', async () => {
  const meera = await newCustomer(program);
  await run('grant', 'promotion', meera.mobile, '50', 'A test');
  const setBalance = (paise: number) =>
    program.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update ledger_accounts set balance_paise = ${paise} where customer_id = ${meera.userid}`.execute(tx);
    });
  await setBalance(5001);
  const { code, err } = await run('ledger', 'audit');
  await setBalance(5000);
  expect(code).toBe(1);
  expect(err).toContain(`"id": "wallet:${meera.userid}"`);
});

test('commands use the database of a running program, or start and stop it themselves', { timeout: 120_000 }, async () => {
  const dataDir = await initialisedFolder();
  onTestFinished(async () => {
    const pid = postmasterPid(dataDir);
    if (!pid) return;
    process.kill(pid, 'SIGQUIT');
    await waitForExit(pid);
  });
  expect(await runWith({ DATA_DIR: dataDir }, ['ledger', 'audit'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('start the program once'),
  });

  const child = await new ChildProgram(await freePort(), { DATA_DIR: dataDir }).ready();
  onTestFinished(() => child.kill());
  const connectionString = (await readFile(join(dataDir, 'url'), 'utf8')).trim();
  const database = openDatabase({ connection: { connectionString }, poolSize: 2, onConnectionLost: () => {} });
  const meera = await newCustomer({ db: database.db, clock: systemClock, caller: () => httpCaller(() => child.url) });
  expect(await runWith({ DATA_DIR: dataDir }, ['grant', 'promotion', meera.mobile, '50', 'A test'])).toMatchObject({ code: 0 });
  expect((await meera.caller.send(getUserDetails, { token: meera.userid })).data?.wallet).toBe(5000);
  await database.close();
  child.signal('SIGTERM');
  expect(await child.ended).toBe(0);

  expect((await runWith({ DATA_DIR: dataDir }, ['ledger', 'audit'])).out).toContain('The ledger is balanced');
  expect(postmasterPid(dataDir)).toBeUndefined();
});
