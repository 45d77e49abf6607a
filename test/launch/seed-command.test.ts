/** `npm run seed`: sample orders for demonstrations. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../src/db/database.server.ts';
import { auditLedger, isSound } from '../../src/domains/wallet/service.server.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { writeSamples } from '../../tools/samples/write-samples.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { urlOf } from '../support/postgres.ts';
import { useProgram } from '../support/program.ts';
import { runWith } from './run-tool.ts';

const clock = { ...systemClock, set: () => {}, advance: () => {} };
const program = useProgram({}, { clock });
const other = useProgram({}, { clock });
const inUse = useProgram({}, { clock });

const REQUEST = { orders: 2000, days: 60, seed: 7, until: new Date('2026-11-21T13:00:00Z'), passwordHash: 'none' };

/** A checksum of the rows of each table. */
async function checksums(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(db);
  const sums: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as sum from ${sql.table(name)} t`.execute(db);
    sums[name] = found[0]?.sum ?? '';
  }
  return sums;
}

test('the same seed writes the same rows, which keep every constraint and a balanced ledger', { timeout: 60_000 }, async () => {
  await writeSamples({ ...REQUEST, connection: program.connection });
  await writeSamples({ ...REQUEST, connection: other.connection });
  const { db } = program;
  const { schema_migrations: _, ...sums } = await checksums(db);
  expect(await checksums(other.db)).toMatchObject(sums);
  expect(sums.orders).toMatch(/^2000 /);

  // Every part of the mixture.
  const counted = await sql<Record<string, number>>`
    select (select count(*) from payments where method = 'wallet') as wallet, (select count(*) from payments where method = 'cash') as cash,
           (select count(*) from payments where method = 'upi') as upi, (select count(*) from orders where offer_percent > 0) as offers,
           (select count(*) from orders where surcharge_paise > 0) as surcharges, (select count(*) from referral_bonuses) as referrals,
           (select count(*) from orders where stage = 'cancelled') as cancelled, (select count(*) from reviews) as reviews,
           (select count(*) from claims) as claims, (select count(*) from payment_reversals) as reversals,
           (select count(*) from orders where guest_session_hash is not null) as guests,
           (select count(*) from orders where stage = 'delivery') as open`.execute(db);
  expect(Object.entries(counted.rows[0] ?? {}).filter(([, count]) => count === 0)).toEqual([]);
  const people = await db.selectFrom('customers').select(['name', 'mobile']).execute();
  for (const { name, mobile } of people)
    expect([name ?? 'guest (sample)', mobile]).toEqual([expect.stringMatching(/\(sample\)$/), expect.stringMatching(/^5\d{9}$/)]);

  // The rows were written without triggers and foreign keys.
  expect(isSound(await auditLedger(db))).toBe(true);
  const wrong = await sql<Record<string, number>>`
    select (select count(*) from orders where is_unpaid <> (stage = 'delivered' and order_final_paise(rate_paise, weight_grams, offer_percent) > order_received_paise(id))) as unpaid,
           (select count(*) from review_counts where reviews <> (select count(*) from reviews where reviews.star = review_counts.star)) as reviews,
           (select count(*) from orders where stage <> (select event.stage from order_events event where order_id = orders.id and event.stage is not null order by id desc limit 1)) as stages,
           (select count(*) from order_events where at > ${REQUEST.until}) as future`.execute(db);
  expect(wrong.rows).toEqual([{ unpaid: 0, reviews: 0, stages: 0, future: 0 }]);
  const keys = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db);
  for (const { table, name, definition } of keys.rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}, add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      db,
    );
  }
});

test('refuses a live database and one with orders of other people', { timeout: 60_000 }, async () => {
  const meera = await newOrderingCustomer(inUse);
  await place(meera);
  const DATABASE_URL = urlOf(inUse.connection);
  const refused = await runWith({ DATABASE_URL }, ['seed', '--orders', '5']);
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('has orders of other people') });
  const live = {
    MODE: 'live',
    DATABASE_URL,
    PUBLIC_URL: 'https://laundry.example',
    SECRET: 'a secret for tests, at least 32 bytes',
    TRUST_PROXY: '0',
    SMS_PROVIDER: 'msg91',
    MSG91_AUTH_KEY: 'key',
    MSG91_TEMPLATE_ID: 'template',
    BRAND_EMAIL: 'help@laundry.example',
    BRAND_MOBILE: '9876500000',
    BRAND_ADDRESS: 'Sector 82',
  };
  const refusedLive = await runWith(live, ['seed', '--orders', '5', '--beside-other-orders']);
  expect(refusedLive).toMatchObject({ code: 1, out: '', err: expect.stringContaining('MODE is live') });
  const misspelled = await runWith({ DATABASE_URL }, ['seed', '--orders', '1e3']);
  expect(misspelled).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^--orders is a whole number from 1 to \d+\. Nothing was done\.\nnpm run seed/) as string,
  });
  expect(await inUse.db.selectFrom('orders').select('id').execute()).toHaveLength(1);
  const told = await runWith({ DATABASE_URL }, ['seed', '--orders', '5', '--beside-other-orders']);
  expect(told).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Wrote 5 orders of \d+ sample people \(seed 1\)/) });
  expect(await inUse.db.selectFrom('orders').select('id').execute()).toHaveLength(6);
});
