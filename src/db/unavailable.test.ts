import { expect, test } from 'vitest';
import { isUnavailable } from './unavailable.server.ts';

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
