/**
 * During an update processes of two versions run. Columns that migrations add must not break cached
 * plans of the older version.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { logout } from '../../src/domains/accounts/contract.ts';
import { useProgram } from '../support/program.ts';
import { rows } from './rows.ts';
import { newParties } from './parties.ts';

// Few connections and more rounds than connections, so each connection has cached its plans.
const program = useProgram({ BOT_CHECK: 'off', DATABASE_POOL: '2' });
const ROUNDS = 4;

const logoutLast = rows.toSorted((one, other) => Number(one.call === logout) - Number(other.call === logout));

async function callAll() {
  const { own } = await newParties(program);
  const statuses: Record<string, number> = {};
  for (const { call, title, body } of logoutLast) {
    const response = await (call.method === 'GET' ? own.caller.get(call.path) : own.caller.post(call.path, body(own)));
    statuses[title] = response.statusCode;
  }
  return statuses;
}

test('every call still succeeds after each table gets a new column', async () => {
  let before: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) before = await callAll();
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(program.db);
  for (const { name } of tables.rows) await sql`alter table ${sql.table(name)} add column added_later integer`.execute(program.db);
  for (let round = 0; round < ROUNDS; round += 1) expect(await callAll()).toEqual(before);
});
