import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { cashMessages as messages, explainDifference, getCash, handIn } from './desk/contract.ts';
import * as service from './service.server.ts';

export function cashRoutes(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  const { db } = dependencies;
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(getCash, async (staff) => succeed(messages.found, await service.readCash(db, staff)));
  registerStaffChange(handIn, messages.handedIn, service.handInCash, { requiresKey: true });
  registerStaffChange(explainDifference, messages.explained, service.explainDifference);
}
