import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useProgram } from '../../test/support/program.ts';
import { createClientRateLimits } from './client-rate-limits.server.ts';

const program = useProgram();
const { consumeForNetwork } = createClientRateLimits({ clock: program.clock, exemptsLoopback: false });
const consume = (name: string, network: string) =>
  consumeForNetwork(program.db, { name, max: 20, windowSeconds: 3600 }, { network, isLoopback: false });

const rowsOf = async (name: string) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from limit_windows where name = ${name}`.execute(program.db);
  return rows[0]?.count;
};

test('the networks of a block write no more rows than the block has uses', async () => {
  const waits: number[] = [];
  for (let index = 0; index < 1000; index += 1) waits.push(await consume('networks', `2001:db8:7:${index.toString(16)}::/64`));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(100);
  expect(Math.min(...waits.slice(100))).toBeGreaterThan(0);
  // One for each network that was allowed, and one for the block.
  expect(await rowsOf('networks')).toBe(101);
});

test('a network over its limit does not use up the limit of its block', async () => {
  for (let count = 0; count < 200; count += 1) await consume('greedy', '192.0.2.1');
  for (const network of ['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']) {
    for (let count = 0; count < 20; count += 1) expect(await consume('greedy', network)).toBe(0);
  }
  expect(await consume('greedy', '192.0.2.6')).toBeGreaterThan(0);
});
