/**
 * Calls that wait, for earlier ones of their caller or for the file of an upload, and whose session
 * or person ends meanwhile.
 */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { blockBefore, waitingStatements } from '../../../test/support/blocked-statements.ts';
import { newKey } from '../../../test/support/caller.ts';
import { home, newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { samplePhoto, upload, uploadOrderPhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff } from '../../../test/support/staff.ts';
import type { CallRefused } from '../../contract/call-failures.ts';
import { statements, transaction, type StatementEvent } from '../../db/database.server.ts';
import { asPaise } from '../../lib/money.ts';
import { addAddress } from '../../domains/addresses/contract.ts';
import { grant } from '../../domains/customers/desk/contract.ts';
import { lockMember } from '../../domains/staff/store.server.ts';

const program = useProgram();

/** As many calls as run at the same time, and one that waits for them. */
const CALLS = 5;

/** Resolves when this number of statements that contain the part have ended. */
function statementsEnded(part: string, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = count;
  const onEnd = (statement: unknown) => {
    if (!(statement as StatementEvent).text.replaceAll('"', '').includes(part)) return;
    left -= 1;
    if (left > 0) return;
    statements.asyncEnd.unsubscribe(onEnd);
    resolve();
  };
  statements.asyncEnd.subscribe(onEnd);
  return promise;
}

/**
 * Makes calls of which the first blocks at an insert, and the last waits for them. Ends the session
 * before the last runs. Returns the statuses of the refused calls.
 */
async function endSessionOfWaitingCall(table: string, sessions: 'sessions' | 'staff_sessions', send: () => Promise<unknown>) {
  const block = await blockBefore(program, 'insert', table);
  const authenticated = statementsEnded(`from ${sessions}`, CALLS);
  const calls = Promise.allSettled(Array.from({ length: CALLS }, send));
  await authenticated;
  await waitingStatements(program, CALLS - 1);
  await setImmediate();
  await program.db.deleteFrom(sessions).execute();
  await block.release();
  return (await calls).filter((call) => call.status === 'rejected').map(({ reason }) => (reason as CallRefused).status);
}

test('a call of a customer that waits is refused if the session ends meanwhile', async () => {
  const { caller, userid } = await newOrderingCustomer(program);
  const results = await endSessionOfWaitingCall('addresses', 'sessions', () => caller.send(addAddress, { ...home, userid }));
  expect(results).toEqual([401]);
});

test('a call of the staff that waits is refused if the session ends meanwhile', async () => {
  const { mobile } = await newOrderingCustomer(program);
  const { caller } = await newStaff(program, 'operator');
  const send = () => caller.send(grant, { mobile, amount: asPaise(10_000), kind: 'cashback', reason: 'A long wait' }, newKey());
  expect(await endSessionOfWaitingCall('staff_credits', 'staff_sessions', send)).toEqual([401]);
});

/** Ends the session after an upload is authenticated and before its file is stored. */
async function endSessionOfUpload(sessions: 'sessions' | 'staff_sessions', send: () => Promise<unknown>) {
  const block = await blockBefore(program, 'insert', 'limit_windows');
  const sent = send();
  await block.reached();
  await program.db.deleteFrom(sessions).execute();
  await block.release();
  return sent;
}

test('a photo of a report is refused if the session ends while it is sent', async () => {
  const { caller } = await newOrderingCustomer(program);
  const sent = endSessionOfUpload('sessions', () => upload(caller, samplePhoto('jpeg')));
  await expect(sent).rejects.toMatchObject({ status: 401, code: 'login-required' });
});

test('a photo of an order is refused if the session ends while it is sent', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const { caller } = await newStaff(program, 'rider');
  const sent = endSessionOfUpload('staff_sessions', () => uploadOrderPhoto(caller, { orderid, kind: 'damage' }));
  await expect(sent).rejects.toMatchObject({ status: 401, code: 'login-required' });
});

test.each(['operator', 'owner'] as const)('an %s who is removed while a grant begins grants nothing', async (role) => {
  const { mobile } = await newOrderingCustomer(program);
  const { caller, personid } = await newStaff(program, role);
  const granted = transaction(program.db, async (tx) => {
    await lockMember(tx, personid);
    const call = caller.send(grant, { mobile, amount: asPaise(10_000), kind: 'cashback', reason: 'A long wait' }, newKey());
    await waitingStatements(program, 1);
    await tx.updateTable('staff_members').set({ removed_at: program.clock.now() }).where('id', '=', personid).execute();
    return { call };
  });
  await expect((await granted).call).rejects.toMatchObject({ status: 401, code: 'login-required' });
});
