/** Registers the calls of the staff, of every domain: authentication, and changes made once. */
import type { Clock } from '../../lib/clock.ts';
import type { Envelope } from '../../contract/define-call.ts';
import { fail, succeed, type CallRequest, type RegisterRoute } from '../../contract/route.server.ts';
import type { Db } from '../../db/database.server.ts';
import type { StaffAuthentication, StaffMember } from './authentication.server.ts';
import type { ErrorMessage } from '../../i18n/messages.ts';
import { audit, type AuditRow } from './audit-store.server.ts';
import type { StaffCall } from './desk/contract.ts';
import { writeOnce, type StaffTransaction, type WriteOptions } from './service.server.ts';

export interface StaffCallDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

/** The result of a change, or the reason of its refusal, with its rows of the audit. */
export type StaffOutcome<Data, Code extends string> =
  /** No rows: the request changed nothing, because it repeats an earlier one. */
  { data: Data; audit: readonly AuditRow[]; error?: never } | { error: ErrorMessage<Code>; audit?: readonly AuditRow[] };

export function staffCalls(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  /** Registers a call whose callers `requireStaff` authenticates. */
  const registerStaffCall = <Body, Data, Code extends string>(
    call: StaffCall<Body, Data, Code>,
    handler: (staff: StaffMember, request: CallRequest<Body>) => Promise<Envelope<Data, NoInfer<Code>>>,
  ) => registerRoute(call, async (request: CallRequest<Body>) => handler(await dependencies.staff.requireStaff(request, call), request));

  /**
   * Registers a call that changes data, in the transaction of `writeOnce`, which also writes the
   * rows of the audit. A success responds with `message`.
   */
  const registerStaffChange = <Body, Data, Code extends string>(
    call: StaffCall<Body, Data, Code>,
    message: string | ((data: Data) => string),
    change: (context: StaffTransaction, body: Body) => Promise<StaffOutcome<Data, NoInfer<Code>>>,
    options?: WriteOptions,
  ) =>
    registerStaffCall(call, async (staff, request) =>
      writeOnce(
        dependencies,
        staff,
        request,
        call,
        async (tx, now) => {
          const outcome = await change({ tx, staff, now }, request.body);
          for (const row of outcome.audit ?? []) await audit(tx, staff, row, now);
          if (outcome.error) return fail(outcome.error);
          return succeed(typeof message === 'string' ? message : message(outcome.data), outcome.data);
        },
        options,
      ),
    );

  return { registerStaffCall, registerStaffChange };
}
