import { expect, test } from 'vitest';
import { useProgram } from '../../test/support/program.ts';
import { setServerTime, serverClock } from './server-clock.ts';

const program = useProgram();

test('sets the clock of the browser from the Date header of a response, never behind the server', async () => {
  program.clock.set('2026-11-21T10:29:58.900Z');
  const { headers } = await program.caller().get('combinedata/proandrev.php');
  expect(headers.date).toBe('Sat, 21 Nov 2026 10:29:58 GMT');
  setServerTime(String(headers.date));
  const aheadMs = serverClock.now().getTime() - program.clock.now().getTime();
  expect(aheadMs).toBeGreaterThanOrEqual(0);
  expect(aheadMs).toBeLessThan(60_000);
});

test.each([null, '', 'soon'])('ignores the invalid date %s', (date) => {
  setServerTime('Sat, 21 Nov 2026 10:29:58 GMT');
  const before = serverClock.now().getTime();
  setServerTime(date);
  expect(serverClock.now().getTime() - before).toBeLessThan(60_000);
});
