import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { sendAgain } from '../notifications/service.server.ts';
import { staffCalls, writeOnce, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { audit } from '../staff/audit-store.server.ts';
import {
  checkLedger,
  getAlerts,
  getSystem,
  listErrorReports,
  listUnsentMessages,
  sendMessageAgain,
  systemError,
  systemMessages as messages,
} from './desk/contract.ts';
import { LEDGER_JOB } from './desk/rules.ts';
import {
  acquireLedgerAudit,
  readAlerts,
  readErrorReports,
  readSystem,
  readUnsentMessages,
  type SystemStatusInputs,
} from './service.server.ts';

interface SystemDependencies extends StaffCallDependencies, SystemStatusInputs {
  /** Starts the audit that was acquired at `startedAt`, in the background. */
  startLedgerAudit(startedAt: Date): void;
}

export function systemRoutes(registerRoute: RegisterRoute, dependencies: SystemDependencies) {
  const { db, clock, startLedgerAudit } = dependencies;
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(getSystem, async () => succeed(messages.found, await readSystem(db, dependencies, clock.now())));

  registerStaffCall(getAlerts, async () => succeed(messages.found, await readAlerts(db, dependencies, clock.now())));

  registerStaffCall(checkLedger, async (staff, request) => {
    let acquiredAt: Date | undefined;
    const result = await writeOnce(dependencies, staff, request, checkLedger, async (tx, now) => {
      if (await acquireLedgerAudit(tx, now)) {
        acquiredAt = now;
        await audit(tx, staff, { action: 'check-ledger', subject: ['system', LEDGER_JOB] }, now);
      }
      return succeed(messages.checks, null);
    });
    // After the commit: the audit records its progress in the row that it acquired.
    if (acquiredAt) startLedgerAudit(acquiredAt);
    return result;
  });

  registerStaffCall(listUnsentMessages, async (_staff, { body }) =>
    succeed(messages.found, await readUnsentMessages(db, dependencies, body, clock.now())),
  );

  registerStaffChange(sendMessageAgain, messages.sendsAgain, async ({ tx, now }, { messageid }) => {
    const result = await sendAgain(tx, dependencies, Number(messageid), now);
    if (result.status !== 'queued') return { error: systemError(result.status) };
    const { orderid, kind } = result;
    return { data: null, audit: [{ action: 'send-message-again', subject: ['order', orderid], after: { message: kind } }] };
  });

  registerStaffCall(listErrorReports, async (_staff, { body }) => succeed(messages.found, await readErrorReports(db, body)));
}
