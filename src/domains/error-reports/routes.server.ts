import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { reportError } from './contract.ts';
import { storeReport, type Reporting } from './service.server.ts';

export function errorReportRoutes(registerRoute: RegisterRoute, reporting: Reporting) {
  registerRoute(reportError, async (request) => {
    await storeReport(reporting, request, request.body.error);
    return succeed('Error reported', null);
  });
}
