import type { StaleRead } from '../../db/read-replica.server.ts';
import { respond, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { staffMessages } from '../staff/desk/contract.ts';
import { getReport } from './desk/contract.ts';
import { readReport } from './service.server.ts';

interface FigureDependencies extends StaffCallDependencies {
  read: StaleRead;
}

export function figureRoutes(registerRoute: RegisterRoute, dependencies: FigureDependencies) {
  const { read, clock } = dependencies;
  const { registerStaffCall } = staffCalls(registerRoute, dependencies);

  registerStaffCall(getReport, async (_staff, { body }) => {
    const report = await read((db) => readReport(db, body, clock.now()));
    return respond(staffMessages.found, report);
  });
}
