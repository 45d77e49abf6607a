/** Compares the retention periods in the privacy policy with the code that deletes the data. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { addSeconds } from '../../lib/clock.ts';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { requestCode, newMobile } from '../../../test/support/customer.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { deleteExpiredLimits, consumeLimit } from '../../db/limits.server.ts';
import { SESSION_DAYS } from '../sessions/authentication.server.ts';
import { UNSENT_PHOTO_SECONDS } from '../claims/rules.ts';
import { reportError } from '../error-reports/contract.ts';
import { deleteExpiredReports } from '../error-reports/service.server.ts';
import { cleanUpNotifications } from '../notifications/service.server.ts';
import { deleteExpiredMessages } from '../messages/service.server.ts';
import { DEVICE_SECONDS } from '../verification/authentication.server.ts';
import { CODE_LIFETIME_SECONDS } from '../verification/rules.ts';
import { deleteExpiredVerifications } from '../verification/service.server.ts';
import { PERIODS } from './pages/privacy-periods.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const program = useProgram();
const after = (seconds: number) => addSeconds(program.clock.now(), seconds);

test('sessions, device cookies, codes and unsent photos expire after the periods in the policy', () => {
  expect(SESSION_DAYS).toBe(PERIODS.sessionDays);
  expect(DEVICE_SECONDS).toBe(PERIODS.deviceDays * DAY);
  expect(CODE_LIFETIME_SECONDS).toBe(PERIODS.codeMinutes * 60);
  expect(UNSENT_PHOTO_SECONDS).toBe(PERIODS.unsentPhotoHours * HOUR);
});

test('the backups of each deployment, and the operators, delete a backup within the period of the policy', async () => {
  const nights = PERIODS.backupDays - 2;
  for (const file of ['deploy/systemd/dhulai-backup.service', 'deploy/kubernetes/backup.yaml', 'docs/operations.md'])
    expect(await readFile(file, 'utf8'), file).toContain(`-mtime +${nights} -exec rm -r`);
});

test('deletes messages and verification records after a day', async () => {
  await requestCode(program.caller(), newMobile(), 'signup');
  const storedIds = async () => ({
    messages: await program.db.selectFrom('outbox_messages').select('id').execute(),
    codes: await program.db.selectFrom('verification_codes').select('id').execute(),
  });
  await deleteExpiredMessages(program.db, after(PERIODS.messageHours * HOUR - 1));
  await deleteExpiredVerifications(program.db, after(PERIODS.codeRecordHours * HOUR));
  expect(await storedIds()).toMatchObject({ messages: [{}], codes: [{}] });
  await deleteExpiredMessages(program.db, after(PERIODS.messageHours * HOUR + 1));
  // The record of a code counts wrong attempts until the code expires.
  await deleteExpiredVerifications(program.db, after(PERIODS.codeRecordHours * HOUR + PERIODS.codeMinutes * 60 + 1));
  expect(await storedIds()).toEqual({ messages: [], codes: [] });
});

test('deletes records of messages about orders after the period in the policy', async () => {
  await place(await newOrderingCustomer(program));
  const count = async () => (await program.db.selectFrom('notifications').select('event_id').execute()).length;
  await cleanUpNotifications(program.db, after(PERIODS.notificationDays * DAY - 1));
  expect(await count()).toBe(1);
  await cleanUpNotifications(program.db, after(PERIODS.notificationDays * DAY + 1));
  expect(await count()).toBe(0);
});

test('deletes error reports after the period in the policy, and rate-limit counters after a day', async () => {
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
