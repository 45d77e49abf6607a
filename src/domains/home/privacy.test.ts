/** The privacy policy is held against the code that keeps and deletes. */
import { expect, test } from 'vitest';
import { addSeconds } from '../../lib/clock.ts';
import { newCustomer } from '../../../test/support/people.ts';
import { askForCode, newMobile } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import { deleteExpiredLimits, consumeLimit } from '../../db/limits.server.ts';
import { DEVICE_SECONDS, SESSION_DAYS } from '../sessions/authentication.server.ts';
import { reportError } from '../error-reports/contract.ts';
import { deleteExpiredReports } from '../error-reports/service.server.ts';
import { deleteExpiredMessages } from '../messages/service.server.ts';
import { CODE_LIFETIME_SECONDS } from '../verification/rules.ts';
import { deleteExpiredVerifications } from '../verification/service.server.ts';
import { PERIODS } from './pages/privacy-periods.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const program = useProgram();
const after = (seconds: number) => addSeconds(program.clock.now(), seconds);

test('log-ins, known browsers and codes last as long as the policy says', () => {
  expect(SESSION_DAYS).toBe(PERIODS.sessionDays);
  expect(DEVICE_SECONDS).toBe(PERIODS.deviceDays * DAY);
  expect(CODE_LIFETIME_SECONDS).toBe(PERIODS.codeMinutes * 60);
});

test('messages and records of codes are gone a day later', async () => {
  await askForCode(program.caller(), newMobile(), 'signup');
  const kept = async () => ({
    messages: await program.db.selectFrom('outbox_messages').select('id').execute(),
    codes: await program.db.selectFrom('verification_codes').select('id').execute(),
  });
  await deleteExpiredMessages(program.db, after(PERIODS.messageHours * HOUR - 1));
  await deleteExpiredVerifications(program.db, after(PERIODS.codeRecordHours * HOUR));
  expect(await kept()).toMatchObject({ messages: [{}], codes: [{}] });
  await deleteExpiredMessages(program.db, after(PERIODS.messageHours * HOUR + 1));
  // A code that was asked for still counts its wrong guesses until it is over.
  await deleteExpiredVerifications(program.db, after(PERIODS.codeRecordHours * HOUR + PERIODS.codeMinutes * 60 + 1));
  expect(await kept()).toEqual({ messages: [], codes: [] });
});

test('error reports are gone after their days, counters of limits after a day', async () => {
  const { caller } = await newCustomer(program);
  await caller.send(reportError, { error: JSON.stringify({ message: 'A test', stack: '', context: {} }) });
  await consumeLimit(program.db, { name: 'taps', max: 3, windowSeconds: 60, subject: 'someone', now: program.clock.now() });
  const rows = async () => [
    await program.db.selectFrom('error_reports').select('id').execute(),
    await program.db.selectFrom('limit_windows').select('name').where('name', '=', 'taps').execute(),
  ];
  await deleteExpiredReports(program.db, after(PERIODS.errorReportDays * DAY - 1));
  await deleteExpiredLimits(program.db, after(PERIODS.limitHours * HOUR - 120));
  expect((await rows()).map(({ length }) => length)).toEqual([1, 1]);
  await deleteExpiredReports(program.db, after(PERIODS.errorReportDays * DAY + 1));
  await deleteExpiredLimits(program.db, after(PERIODS.limitHours * HOUR + 120));
  expect((await rows()).map(({ length }) => length)).toEqual([0, 0]);
});
