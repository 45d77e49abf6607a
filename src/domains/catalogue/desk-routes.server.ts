import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { catalogueDeskMessages as messages, listPrograms, setProgram } from './desk/contract.ts';
import { readDeskPrograms, setProgramAtDesk } from './desk-service.server.ts';

export function catalogueDeskRoutes(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(listPrograms, async () => succeed(messages.listed, await readDeskPrograms(dependencies.db)));
  registerStaffChange(setProgram, messages.saved, setProgramAtDesk);
}
