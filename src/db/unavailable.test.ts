import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DRIVER_MESSAGES, isUnavailable } from './unavailable.server.ts';

test.each([
  new Error('Query read timeout'),
  // The rollback of a transaction whose connection was closed after a timeout.
  new Error('Client was closed and is not queryable'),
  Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  Object.assign(new Error('connect ENOENT /run/.s.PGSQL.5432'), { code: 'ENOENT', syscall: 'connect' }),
  Object.assign(new Error('canceling statement'), { code: '57014' }),
  new Error('wrapped', { cause: new Error('Connection terminated unexpectedly') }),
])('%s means that the database is unavailable', (error) => {
  expect(isUnavailable(error)).toBe(true);
});

test.each([
  new Error('syntax error'),
  Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }),
  Object.assign(new Error('duplicate key'), { code: '23505' }),
  'Query read timeout',
  undefined,
])('%s is another fault', (error) => {
  expect(isUnavailable(error)).toBe(false);
});

test.each(DRIVER_MESSAGES)("the driver has an error without a code whose message contains '%s'", (message) => {
  const driver = ['pg/lib/client.js', 'pg-pool/index.js'].map((file) => readFileSync(`node_modules/${file}`, 'utf8')).join('\n');
  expect(driver).toContain(`new Error('${message}`);
});
