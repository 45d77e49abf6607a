/**
 * Query plans with many rows: the statements of requests use indexes and cost too little for
 * just-in-time compilation (docs/decisions/0023).
 */
import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertAudit, insertClaims, insertOrders, now, spreadOrders } from '../../test/support/bulk-data.ts';
import { useProgram } from '../../test/support/program.ts';
import { invariant } from '../lib/invariant.ts';
import { hashToken } from '../security/tokens.server.ts';
import { findAccount } from '../domains/accounts/store.server.ts';
import { listAddresses } from '../domains/addresses/store.server.ts';
import { readStoredClaims, eraseClaimsOf, listPhotosConcerning } from '../domains/claims/store.server.ts';
import { listNewestOffers } from '../domains/offers/store.server.ts';
import { MAX_COUNTED } from '../domains/order-desk/desk/contract.ts';
import { readFoundOrders } from '../domains/order-desk/search-store.server.ts';
import { readOrderCounts, findDeskOrder, listDeskOrders, type OrderFilter } from '../domains/order-desk/store.server.ts';
import { STAGES } from '../domains/orders/contract.ts';
import { listFigures } from '../domains/figures/store.server.ts';
import { listVersions } from '../domains/orders/events-store.server.ts';
import { listOrderCountsOfEvenings, listReturnCountsOfEvenings } from '../domains/orders/evenings-store.server.ts';
import { deleteBodyKeys, insertOrder, readOrderInputs } from '../domains/orders/placing-store.server.ts';
import { setSessionOfGuestOrders } from '../domains/orders/guest-orders-store.server.ts';
import { countOtherPickups, findOrder, listOpenOrders, listOrders } from '../domains/orders/store.server.ts';
import { paymentsOfOrderSql } from '../domains/payments/overview-store.server.ts';
import { findPaid, insertWalletPayment, readPayableOrder, readWalletPayment } from '../domains/payments/store.server.ts';
import { listBestReviews } from '../domains/reviews/store.server.ts';
import type { Guest, SignedInCustomer } from '../domains/sessions/authentication.server.ts';
import { listLiveSessions, findSession } from '../domains/sessions/store.server.ts';
import { listAudit, sumCredits } from '../domains/staff/audit-store.server.ts';
import { listDriftedWallets, listOrdersPaidTwice, listUnbalancedEntries } from '../domains/wallet/audit-store.server.ts';
import { readBalance, listMovements, type Movement } from '../domains/wallet/store.server.ts';
import { openDatabase, type Db, type Tx } from './database.server.ts';
import { consumeLimit } from './limits.server.ts';
import type { DB } from './tables.generated.ts';

const ORDERS = 20_000;

/** Tables whose size does not grow with the number of customers. */
const SMALL_TABLES = new Set(['programs', 'area_variations', 'staff_members', 'evening_plans', 'evening_exceptions', 'evening_bookings']);

const sessionHash = hashToken('T7');
const customer = { kind: 'customer', id: 'C7', sessionHash } as unknown as SignedInCustomer;
const guest = { ...customer, kind: 'guest' } as unknown as Guest;
const key = { key: 'a new key', bodyHash: Buffer.of(1), boundAfter: new Date(0), boundBefore: new Date('9999-12-31') };
const limit = { name: 'orders of a customer', max: 20, windowSeconds: 60, subject: 'C7', now };
const booking = { area: 'manesar', day: '2026-11-21', version: 0, capacity: null } as const;
const order = {
  id: 'NEW',
  customer_id: 'C7',
  guest_session_hash: null,
  program_id: 'wash',
  program_name: 'Wash',
  unit: 'kg',
  area: 'manesar',
  base_rate_paise: 3800,
  surcharge_paise: 0,
  rate_paise: 3800,
  offer_id: null,
  offer_percent: 0,
  order_rate_paise: 3800,
  timeslot: '05:00 - 09:00 PM',
  pickup_day: '2026-11-21',
  return_day: '2026-11-22',
  detergent: '',
  conditioner: '',
  iron: '',
  stage: 'pickup',
  ship_name: 'Name',
  ship_mobile: '9000000000',
  ship_address1: 'House 1',
  ship_address2: 'Street 2',
  ship_landmark: 'Park',
  ship_pincode: '122052',
  ship_city: 'Gurugram',
  ship_state: 'Haryana',
  placed_at: now,
} as const;
const debit: Movement = {
  entryId: 'NEW',
  customerId: 'C7',
  kind: 'paid',
  walletPaise: -1,
  reason: 'A plan',
  reference: 'new',
  orderId: 'A140',
  at: now,
};
/** After all transactions of the test data. */
const mark = '9000000000';
const payment = { tid: 'n'.repeat(22), paymentReference: 'n'.repeat(20), amountPaise: 1, duePaise: 7600 };

/** Statements with the indexes that they must use. */
const STATEMENTS: Record<string, { run(db: Db): Promise<unknown>; indexes: string[] }> = {
  'a session': { run: (db) => findSession(db, sessionHash, now), indexes: ['sessions_pkey'] },
  'an account by mobile number': { run: (db) => findAccount(db, '9000000007'), indexes: ['customers_mobile_key'] },
  'the addresses of a customer': { run: (db) => listAddresses(db, customer), indexes: ['addresses_of_customer'] },
  'the offers of a customer': { run: (db) => listNewestOffers(db, customer), indexes: ['offers_of_customer'] },
  'the orders of a customer': {
    run: (db) => listOrders(db, customer, { payments: paymentsOfOrderSql, offset: 0, limit: 10 }),
    indexes: ['orders_of_customer', 'order_events_of_order', 'payments_of_order', 'payment_reversals_pkey', 'change_of_order'],
  },
  'the orders of a guest': {
    run: (db) => listOrders(db, guest, { payments: paymentsOfOrderSql, offset: 0, limit: 10 }),
    indexes: ['orders_of_guest', 'order_events_of_order', 'payments_of_order', 'payment_reversals_pkey', 'change_of_order'],
  },
  'an order by its id': {
    run: (db) => findOrder(db, customer, 'A140', paymentsOfOrderSql),
    indexes: ['orders_pkey', 'order_events_of_order', 'payments_of_order', 'payment_reversals_pkey', 'change_of_order'],
  },
  'the latest events of watched orders': { run: (db) => listVersions(db, ['A140', 'A141']), indexes: ['order_events_of_order'] },
  'the live sessions of watched orders': { run: (db) => listLiveSessions(db, [sessionHash], now), indexes: ['sessions_pkey'] },
  'the orders of a new guest session': {
    run: (db) => setSessionOfGuestOrders(db, { customerId: 'C7', sessionHash, replacedSessionHash: sessionHash, placedAfter: now }),
    indexes: ['orders_of_guest'],
  },
  'what placing an order reads': {
    run: (db) => readOrderInputs(db, customer, { today: '2026-11-21', addressid: 'D7', programid: 'wash', key }),
    indexes: ['idempotency_keys_pkey', 'orders_pkey', 'customers_pkey', 'offers_of_customer'],
  },
  'what placing an order writes': {
    run: (db) => insertOrder(db, { order, consent: undefined }, key, limit, booking),
    indexes: ['limit_windows_pkey', 'idempotency_keys_pkey'],
  },
  'the open orders of the laundry': { run: (db) => listOpenOrders(db), indexes: ['orders_open'] },
  'the orders of evenings': { run: (db) => listOrderCountsOfEvenings(db, '2026-12-01', '2026-12-14'), indexes: ['orders_by_evening'] },
  'the returns of evenings': {
    run: (db) => listReturnCountsOfEvenings(db, '2026-12-01', '2026-12-14'),
    indexes: ['orders_open', 'order_events_of_order'],
  },
  'the pickups of a customer on an evening': {
    run: (db) => countOtherPickups(db, { ...order, is_unassigned: false }),
    indexes: ['orders_by_evening_of_area'],
  },
  'the deletion of expired order keys': { run: (db) => deleteBodyKeys(db, now), indexes: ['order_keys_that_expire'] },
  'the movements of a wallet': {
    run: (db) => listMovements(db, 'C7', { offset: 0, limit: 11 }),
    indexes: ['ledger_postings_of_account', 'ledger_entries_pkey'],
  },
  'the balance of a wallet': { run: (db) => readBalance(db, 'C7'), indexes: ['ledger_accounts_customer_id_key'] },
  'the new entries of the ledger': {
    run: (db) => listUnbalancedEntries(db, mark),
    indexes: ['ledger_entries_by_xid', 'ledger_postings_pkey'],
  },
  'the wallets that new entries move': {
    run: (db) => listDriftedWallets(db, mark),
    indexes: ['ledger_entries_by_xid', 'ledger_postings_pkey', 'ledger_postings_of_account'],
  },
  'the orders that new entries pay': {
    run: (db) => listOrdersPaidTwice(db, mark),
    indexes: ['ledger_entries_by_xid', 'one_wallet_payment_per_order'],
  },
  'what paying for an order reads': {
    run: (db) => readPayableOrder(db, customer, 'A140'),
    indexes: ['orders_pkey', 'payments_of_order', 'payment_reversals_pkey'],
  },
  'what paying from the wallet reads': {
    run: (db) => readWalletPayment(db, customer, 'A140'),
    indexes: ['orders_pkey', 'payments_of_order', 'payment_reversals_pkey', 'ledger_accounts_customer_id_key'],
  },
  'what paying from the wallet writes': { run: (db) => insertWalletPayment(db, debit, payment), indexes: [] },
  'a received payment': {
    run: (db) => findPaid(db, 'n'.repeat(22)),
    indexes: ['payments_pkey', 'payment_reversals_pkey', 'orders_pkey'],
  },
  'the claims of a customer, for the copy and the erasure': {
    run: (db) => readStoredClaims(db, 'C7'),
    indexes: ['claims_customer_id_request_key_key', 'claims_of_order', 'orders_of_customer'],
  },
  'the photos of these claims': {
    run: (db) => listPhotosConcerning(db, 'C7'),
    indexes: ['claim_photos_of_customer', 'claim_photos_claim_id_position_key', 'claims_of_order'],
  },
  'the messages that an erasure removes': {
    run: (db) => eraseClaimsOf(db as Tx, 'C7'),
    indexes: ['claims_customer_id_request_key_key', 'claims_of_order'],
  },
  'the best reviews': { run: (db) => listBestReviews(db, 3), indexes: ['reviews_best', 'customers_pkey'] },
  'the credits of an operator in a day': {
    run: (db) => sumCredits(db, 'S7', { since: new Date('2026-10-01'), until: new Date('2026-10-02') }),
    indexes: ['staff_credits_of_member'],
  },
  'the audit of a day': {
    run: (db) => listAudit(db, { from: new Date('2025-06-01'), until: new Date('2025-06-02'), limit: 51 }),
    indexes: ['staff_audit_by_time'],
  },
  'a use of a limit': { run: (db) => consumeLimit(db, limit), indexes: ['limit_windows_pkey'] },
};

const stages = STAGES.map(({ stage }) => stage);
const everything = { isUnpaid: false, isToReturn: false };
const rider = { yesterday: '2026-11-20', tomorrow: '2026-11-22' };
const listed = (filter: Partial<OrderFilter>) => (on: Db) => listDeskOrders(on, { ...everything, ...filter }, { limit: 51 });
const searched = (search: string) => (on: Db) => readFoundOrders(on, { search, today: '2026-10-06' }, everything, { limit: 51 });

/** The lists of the staff: a filter must not read most of the orders, also if few fit. */
const DESK_STATEMENTS: Record<string, (db: Db) => Promise<unknown>> = {
  'a stage': listed({ stage: 'washing' }),
  'the delivered orders of a rare area': listed({ stage: 'delivered', area: 'vatika' }),
  'an open stage of a rare area': listed({ stage: 'pickup', area: 'vatika' }),
  'the orders of a rare area': listed({ area: 'vatika' }),
  'the unpaid orders of a rare area': listed({ stage: 'delivered', isUnpaid: true, area: 'vatika' }),
  'clothes to return': listed({ stage: 'cancelled', isToReturn: true }),
  'a day': listed({ day: '2025-02-01' }),
  'the orders of a customer': listed({ customerId: 'C7' }),
  'a name': searched('A140'),
  'a name that nobody has': searched('Zzz'),
  'a name that all have': searched('Bench'),
  'a mobile': searched('9000000007'),
  'a short code': searched('Q7Z9'),
  "a rider's stage": listed({ stage: 'delivery', rider }),
  'one order': (on) => findDeskOrder(on, 'A140'),
  'the counts of all stages': (on) => readOrderCounts(on, everything, stages),
  'the counts of a rare area': (on) =>
    readOrderCounts(on, { ...everything, area: 'vatika' }, stages, { delivered: { isUnpaid: true }, cancelled: { isToReturn: true } }),
};

const program = useProgram();
const sent: CompiledQuery[] = [];
let db: Db;

beforeAll(async () => {
  const pool = new pg.Pool({ ...program.connection, max: 2 });
  db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void sent.push(query) });
  await insertOrders(db, ORDERS);
  await spreadOrders(db);
  await insertAudit(db, ORDERS);
  await insertClaims(db, ORDERS);
}, 60_000);
afterAll(() => db.destroy());

describe.each(Object.entries(STATEMENTS))('the statement %s', (_name, { run, indexes }) => {
  test('uses its indexes, scans no large table and is not compiled', async () => {
    const { text, scanned, used, cost, jitAboveCost } = await planOf(run);
    expect(scanned, text).toEqual([]);
    expect(used, text).toEqual(expect.arrayContaining(indexes));
    expect(cost, text).toBeLessThan(jitAboveCost / 10);
  });
});

describe.each(Object.entries(DESK_STATEMENTS))('the list %s', (_name, run) => {
  test('reads few of the orders', async () => {
    const { text, rows } = await readRows(run);
    expect(rows, text).toBeLessThan(ORDERS / 8);
  });

  // PostgreSQL compares estimates before it uses one, and can be wrong by a hundred times.
  test('reads few of them with a plan for any values too', async () => {
    const read = await db.transaction().execute(async (tx) => {
      await sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
      const before = await rowsRead(tx);
      await run(tx);
      return (await rowsRead(tx)) - before;
    });
    expect(read).toBeLessThan(ORDERS / 8);
  });
});

test('the counts of the staff read no row of orders', async () => {
  await sql`vacuum orders`.execute(db);
  const read = await db.transaction().execute(async (tx) => {
    const before = await rowsRead(tx);
    expect(await readOrderCounts(tx, everything, stages)).toMatchObject({ delivered: MAX_COUNTED });
    await readOrderCounts(tx, everything, stages, { delivered: { isUnpaid: true }, cancelled: { isToReturn: true } });
    return (await rowsRead(tx)) - before;
  });
  expect(read).toBe(0);
});

test.each(Object.entries({ 'a list': listed({ stage: 'delivered' }), 'a mobile': searched('9000000007'), 'a name': searched('Bench') }))(
  'PostgreSQL plans %s a few times only',
  async (_name, run) => {
    const FIRST_PLANS = 5;
    const one = openDatabase({ connection: program.connection, poolSize: 1, onConnectionLost: () => {} });
    try {
      for (let time = 0; time < 2 * FIRST_PLANS; time += 1) await run(one.db);
      const { rows } = await sql`
        select statement from pg_prepared_statements where custom_plans > ${FIRST_PLANS}`.execute(one.db);
      expect(rows).toEqual([]);
    } finally {
      await one.close();
    }
  },
);

test('a report reads the orders that were delivered since the stored figures, and no other', async () => {
  const read = await db.transaction().execute(async (tx) => {
    // Ten orders follow, each with two events.
    await sql`update figures_progress set until = timestamptz '2026-10-06' + interval '990 seconds'`.execute(tx);
    const before = await rowsRead(tx);
    expect(await listFigures(tx, '2026-10-01', '2026-10-31')).toMatchObject([{ placed: 10, delivered: 10 }]);
    return (await rowsRead(tx)) - before;
  });
  expect(read).toBe(10);
});

test('the list of delivered orders does not read the open orders of the last days', async () => {
  const NEWEST = 5000;
  const tx = await db.startTransaction().execute();
  try {
    await sql`
      update orders set stage = 'pickup', weight_grams = null, items = null
       where id in (select id from orders order by pickup_day desc, id desc limit ${NEWEST})`.execute(tx);
    await sql`analyze orders`.execute(tx);
    const before = await rowsRead(tx);
    expect(await listed({ stage: 'delivered' })(tx)).toHaveLength(51);
    expect((await rowsRead(tx)) - before).toBeLessThan(NEWEST / 8);
  } finally {
    await tx.rollback().execute();
  }
});

/** Returns the rows of orders that this connection has read. */
async function rowsRead(tx: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'orders'`.execute(tx);
  return rows[0]?.read ?? 0;
}

test('detects the rows that a filter discards', async () => {
  const { rows } = await readRows((on) =>
    on
      .selectFrom('orders')
      .select('id')
      .where('stage', '=', 'delivered')
      .where('ship_city', '=', 'Nowhere')
      .orderBy('pickup_day')
      .execute(),
  );
  expect(rows).toBeGreaterThan(ORDERS / 2);
});

test('detects a scan of a large table', async () => {
  const { scanned } = await planOf((on) => on.selectFrom('orders').select('id').where('ship_city', '=', 'Gurugram').execute());
  expect(scanned).toEqual(['orders']);
});

interface PlanNode {
  'Node Type': string;
  'Total Cost': number;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Conflict Arbiter Indexes'?: string[];
  Plans?: PlanNode[];
}

/**
 * Plans the first statement of `run` with its parameters. PostgreSQL uses a generic plan only if it
 * costs no more.
 */
async function planOf(run: (db: Db) => Promise<unknown>) {
  sent.length = 0;
  // The statement fails if it refers to missing rows. Its plan does not need them.
  await run(db).catch(() => {});
  const [statement] = sent;
  invariant(statement, 'a statement was sent');
  const explained = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({
    ...statement,
    sql: `explain (format json) ${statement.sql}`,
  });
  const settings = await sql<{ jit: number }>`select current_setting('jit_above_cost')::float8 as jit`.execute(db);
  const [plan] = explained.rows[0]?.['QUERY PLAN'] ?? [];
  const [setting] = settings.rows;
  invariant(plan && setting, 'EXPLAIN returns a plan, and the server has the setting');
  const nodes = allNodes(plan.Plan);
  return {
    text: `${statement.sql}\n${JSON.stringify(plan.Plan, null, 1)}`,
    scanned: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? '')
      .filter((table) => !SMALL_TABLES.has(table)),
    used: nodes.flatMap((node) => node['Index Name'] ?? node['Conflict Arbiter Indexes'] ?? []),
    cost: plan.Plan['Total Cost'],
    jitAboveCost: setting.jit,
  };
}

/** Executes the first statement of `run`. Returns the rows of orders that it has read. */
async function readRows(run: (db: Db) => Promise<unknown>) {
  sent.length = 0;
  await run(db);
  const [statement] = sent;
  invariant(statement, 'a statement was sent');
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: ExecutedNode }[] }>({
    ...statement,
    sql: `explain (analyze, format json) ${statement.sql}`,
  });
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  invariant(plan, 'EXPLAIN returns a plan');
  const read = (allNodes(plan.Plan) as ExecutedNode[]).filter((node) => node['Relation Name'] === 'orders');
  return { text: `${statement.sql}\n${JSON.stringify(plan.Plan, null, 1)}`, rows: read.reduce((sum, node) => sum + rowsOf(node), 0) };
}

interface ExecutedNode extends PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
}

const rowsOf = (node: ExecutedNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'];

const allNodes = (node: PlanNode): PlanNode[] => [node].concat((node.Plans ?? []).flatMap(allNodes));
