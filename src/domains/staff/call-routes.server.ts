/** Registers the calls of the staff, of every domain: authentication, and changes made once. */
import type { Clock } from '../../lib/clock.ts';
import type { Envelope } from '../../contract/define-call.ts';
import type { CallRequest, RegisterRoute } from '../../contract/route.server.ts';
import type { Db } from '../../db/database.server.ts';
import type { StaffAuthentication, StaffMember } from './authentication.server.ts';
import type { StaffCall } from './desk/contract.ts';
import { writeOnce, type StaffTransaction, type WriteOptions } from './service.server.ts';

export interface StaffCallDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

export function staffCalls(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  /** Registers a call whose callers `requireStaff` authenticates. */
  const registerStaffCall = <Body, Data, Code extends string>(
    call: StaffCall<Body, Data, Code>,
    handler: (staff: StaffMember, request: CallRequest<Body>) => Promise<Envelope<Data, NoInfer<Code>>>,
  ) => registerRoute(call, async (request: CallRequest<Body>) => handler(await dependencies.staff.requireStaff(request, call), request));

  /** Registers a call that changes data, in the transaction of `writeOnce`. */
  const registerStaffChange = <Body, Data, Code extends string>(
    call: StaffCall<Body, Data, Code>,
    change: (context: StaffTransaction, body: Body) => Promise<Envelope<Data, NoInfer<Code>>>,
    options?: WriteOptions,
  ) =>
    registerStaffCall(call, async (staff, request) =>
      writeOnce(dependencies, staff, request, call, (tx, now) => change({ tx, staff, now }, request.body), options),
    );

  return { registerStaffCall, registerStaffChange };
}
