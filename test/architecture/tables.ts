/** Rules for access to tables. */
import { importsOf, programFiles, withoutComments, type Rule, type Tree } from './tree.ts';

/** The domain whose stores access each table, or the one file. Other code calls their functions. */
const OWNERS: Readonly<Record<string, string>> = {
  live_use: 'src/server/demo/live-use.server.ts',
  customers: 'accounts',
  erased_numbers: 'accounts',
  consents: 'consents',
  sessions: 'sessions',
  reset_handles: 'accounts',
  verification_codes: 'verification',
  verification_grants: 'verification',
  known_devices: 'verification',
  login_waits: 'accounts',
  referral_bonuses: 'referrals',
  outbox_messages: 'messages',
  limit_windows: 'src/db/limits.server.ts',
  bot_proofs: 'bot-check',
  addresses: 'addresses',
  programs: 'catalogue',
  area_variations: 'catalogue',
  evening_plans: 'evenings',
  evening_exceptions: 'evenings',
  evening_bookings: 'evenings',
  ledger_accounts: 'wallet',
  ledger_entries: 'wallet',
  ledger_postings: 'wallet',
  offers: 'offers',
  orders: 'orders',
  order_events: 'orders',
  order_event_authors: 'order-desk',
  order_photos: 'order-desk',
  order_handling: 'order-desk',
  unexplained_bags: 'order-desk',
  cash_balances: 'cash',
  cash_handins: 'cash',
  cash_movements: 'cash',
  // Only older versions write to it (0012_order_events.sql).
  order_stages: 'orders',
  idempotency_keys: 'orders',
  payments: 'payments',
  payment_events: 'payments',
  payment_reversals: 'payments',
  notifications: 'notifications',
  notification_settings: 'profile',
  // The records of the sandbox gateway, which only demonstrations use.
  sandbox_payments: 'src/domains/payments/providers/sandbox.server.ts',
  reviews: 'reviews',
  review_counts: 'reviews',
  error_reports: 'error-reports',
  claims: 'claims',
  claim_messages: 'claims',
  claim_photos: 'claims',
  deleted_photos: 'photos',
  daily_figures: 'figures',
  figures_progress: 'figures',
  job_runs: 'system',
  staff_members: 'staff',
  staff_sessions: 'staff',
  staff_audit: 'staff',
  staff_answers: 'staff',
  staff_credits: 'staff',
  staff_passkeys: 'src/domains/staff/passkeys-store.server.ts',
  staff_passkey_steps: 'src/domains/staff/passkeys-store.server.ts',
};

const isOwner = (file: string, owner: string) =>
  owner.includes('/') ? file === owner : new RegExp(`^src/domains/${owner}/(?:[a-z-]+-)?store\\.server\\.ts$`).test(file);

/** The tables that migrations create, without those that the same file drops. */
const tablesOf = (tree: Tree) =>
  [...tree]
    .filter(([file]) => /^src\/db\/migrations\/.*\.sql$/.test(file))
    .flatMap(([, text]) => {
      const dropped = new Set([...text.matchAll(/^drop table if exists (\w+)/gim)].map(([, table]) => table));
      return [...text.matchAll(/^create\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?(\w+)/gim)]
        .map(([, table]) => table ?? '')
        .filter((table) => !dropped.has(table));
    });

/** A table name in a Kysely call ('orders', 'orders.id', 'orders as placed') or in SQL text. */
const naming = (table: string) =>
  new RegExp(`['"\`]${table}(?:\\.\\w+)?(?:\\s+as\\s+\\w+)?['"\`]|\\b(?:from|join|into|update|table|only|truncate)\\s+"?${table}\\b`, 'i');

export const tablesHaveOwners: Rule = {
  name: 'OWNERS lists every table and no other',
  why: 'a table without an owner is changed from many places',
  faults: (tree) => {
    const tables = tablesOf(tree);
    return [
      ...tables.filter((table) => !OWNERS[table]).map((table) => `${table} has no owner in test/architecture/tables.ts`),
      ...Object.keys(OWNERS)
        .filter((table) => !tables.includes(table))
        .map((table) => `${table} has an owner but no migration makes it`),
    ];
  },
  planted: { 'src/db/migrations/9999_planted.sql': 'create table planted (id text primary key);' },
};

export const tablesStayInTheirStore: Rule = {
  name: 'a table is named only in the stores of its owner',
  why: 'the store keeps the invariants of its rows; a query elsewhere bypasses them',
  faults: (tree) =>
    programFiles(tree)
      .filter(([file]) => file.includes('.server.'))
      .flatMap(([file, text]) => {
        const code = withoutComments(text);
        return Object.entries(OWNERS)
          .filter(([table, owner]) => !isOwner(file, owner) && naming(table).test(code))
          .map(([table, owner]) => `${file} names ${table}, which belongs to ${owner}`);
      }),
  planted: {
    'src/domains/payments/store.server.ts': "export const paid = (db: Db) => db.selectFrom('orders').selectAll().execute();",
    'src/domains/orders/placing-service.server.ts': 'await sql`update orders set stage = ${stage}`.execute(db);',
    'src/domains/payments/orders-store.server.ts': 'await sql`update orders set stage = ${stage}`.execute(db);',
    'src/domains/home/store.server.ts': "query.innerJoin('customers as who', 'who.id', 'customer_id')",
  },
};

export const rowTypesStayInStores: Rule = {
  name: 'row types are used in stores only',
  why: 'a screen or a rule with a row parameter depends on the table; pass only the values that it needs',
  faults: (tree) =>
    programFiles(tree)
      .filter(([file]) => !/^src\/db\/|[/-]store\.server\.ts$/.test(file))
      .filter(([, text]) => importsOf(text).some(({ specifier }) => specifier.endsWith('tables.generated.ts')))
      .map(([file]) => file),
  planted: { 'src/domains/orders/rules.ts': "import type { Orders } from '../../db/tables.generated.ts';" },
};
