import { succeed, type Answer } from '../../contract/route.server.ts';
import { reportError } from './contract.ts';
import { keepReport, type Reporting } from './service.server.ts';

export function errorReportRoutes(answer: Answer, reporting: Reporting) {
  answer(reportError, async (request) => {
    await keepReport(reporting, request, request.body.error);
    return succeed('Error reported', null);
  });
}
