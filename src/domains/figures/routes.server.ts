import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { staffMessages } from '../staff/desk/contract.ts';
import { getReport } from './desk/contract.ts';
import { readReport } from './service.server.ts';

export function figureRoutes(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  const { db, clock } = dependencies;
  const { registerStaffCall } = staffCalls(registerRoute, dependencies);

  registerStaffCall(getReport, async (_staff, { body }) => {
    const report = await readReport(db, body, clock.now());
    return 'error' in report ? fail(report.error) : succeed(staffMessages.found, report);
  });
}
