/**
 * Errors of the routes that are no calls: webhook, sandbox, photos, order events, outbox. Their
 * response contains no text of the database, and the error is logged.
 */
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { RAZORPAY_KEY, eventOf } from '../support/razorpay-stand-in.ts';
import { useProgram, type TestProgram } from '../support/program.ts';
import { newCustomer } from '../support/seed-customers.ts';

const razorpay = useProgram({
  PAYMENT_GATEWAY: 'razorpay',
  RAZORPAY_KEY_ID: RAZORPAY_KEY.id,
  RAZORPAY_KEY_SECRET: RAZORPAY_KEY.secret,
  RAZORPAY_WEBHOOK_SECRET: RAZORPAY_KEY.webhook,
  PUBLIC_URL: 'http://laundry.example',
});
const sandbox = useProgram();

const link = {
  id: 'plink_any',
  reference_id: 'any',
  amount: 100,
  amount_paid: 100,
  status: 'paid' as const,
  short_url: 'https://rzp.example/i/any',
  callback_url: '',
  expire_by: 0,
  payments: [{ payment_id: 'pay_any', amount: 100, status: 'captured' }],
};

const postEvent = () => {
  const { body, headers } = eventOf(link);
  return razorpay.caller().post('payments/webhook/razorpay', body, headers);
};

const ROUTES: { name: string; program: TestProgram; table: string; request: () => ReturnType<typeof postEvent> }[] = [
  { name: 'webhook', program: razorpay, table: 'payments', request: postEvent },
  { name: 'sandbox page', program: sandbox, table: 'sandbox_payments', request: () => sandbox.caller().get('payments/sandbox/any') },
  {
    name: 'sandbox choice',
    program: sandbox,
    table: 'sandbox_payments',
    request: () => sandbox.caller().request('POST', 'payments/sandbox/any/pay'),
  },
  {
    name: 'photo of a report',
    program: sandbox,
    table: 'claim_photos',
    request: async () => (await newCustomer(sandbox)).caller.get('claims/photo/any'),
  },
  {
    name: 'order events',
    program: sandbox,
    table: 'sessions',
    request: () => sandbox.caller().get('orders/events?orderid=any', { cookie: 'session=any' }),
  },
  {
    name: 'outbox.json',
    program: sandbox,
    table: 'outbox_messages',
    request: () => sandbox.caller().get('outbox.json', { cookie: 'browser=any' }),
  },
];

const loggedErrors = ({ log }: TestProgram) => log.filter((line) => line.includes('"level":50'));

afterEach(() => [razorpay, sandbox].forEach(({ log }) => log.splice(0)));

describe.each(ROUTES)('$name', ({ program, table, request }) => {
  test('a fault of the program returns 500 without text of the database, and is logged once', async () => {
    await sql`alter table ${sql.table(table)} rename to absent`.execute(program.db);
    const { statusCode, headers, body } = await request().finally(() =>
      sql`alter table absent rename to ${sql.table(table)}`.execute(program.db),
    );
    expect([statusCode, body]).toEqual([500, 'Something went wrong, try again later']);
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    expect(loggedErrors(program)).toEqual([expect.stringContaining('42P01')]);
  });
});

/** Runs `work` while the tables are locked. */
const locked = <Result>({ db }: TestProgram, tables: string[], work: () => Promise<Result>) =>
  db.transaction().execute(async (tx) => {
    for (const table of new Set(tables)) await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    return work();
  });

// A request waits four seconds for the database, so the routes wait together. The lock on sessions
// would stop the other routes before they read their own tables.
test.each([
  { what: 'their tables', routes: ROUTES.filter(({ table }) => table !== 'sessions') },
  { what: 'the sessions', routes: ROUTES.filter(({ table }) => table === 'sessions') },
])('the database does not respond about $what: 503 with Retry-After, logged once', async ({ routes }) => {
  const of = (program: TestProgram) => routes.filter((route) => route.program === program);
  const tablesOf = (program: TestProgram) => of(program).map(({ table }) => table);
  const results = await locked(razorpay, tablesOf(razorpay), () =>
    locked(sandbox, tablesOf(sandbox), () => Promise.all(routes.map(async ({ name, request }) => ({ name, ...(await request()) })))),
  );
  for (const { name, statusCode, headers, body } of results) {
    expect([statusCode, body], name).toEqual([503, 'We are busy right now, please try again in a moment']);
    expect(headers, name).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
  }
  for (const program of [razorpay, sandbox]) {
    expect(loggedErrors(program)).toEqual(of(program).map(() => expect.stringContaining('57014')));
  }
});

test.each(['orders/calendar/%00', 'orders/events?orderid=%00', 'claims/photo/a%00b', 'payments/sandbox/%00', 'outbox.json?mobile=%00'])(
  '%s, which the database cannot read: 400, not logged',
  async (path) => {
    const { statusCode, body } = await (await newCustomer(sandbox)).caller.get(path);
    expect([statusCode, body]).toEqual([400, 'The request holds text that is not valid']);
    expect((await sandbox.caller().request('POST', 'payments/sandbox/%00/pay')).statusCode).toBe(400);
    expect(loggedErrors(sandbox)).toEqual([]);
  },
);

test('an unreadable request returns its status and a short text, and is not logged', async () => {
  const { statusCode, body } = await sandbox.caller().request('POST', 'payments/sandbox/any/pay', '{"a":');
  expect([statusCode, body]).toEqual([400, 'The request is not valid JSON']);
  expect(loggedErrors(sandbox)).toEqual([]);
});
