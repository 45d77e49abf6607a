import { succeed, type Answer } from '../../web/answer.server.ts';
import { reportError } from './contract.ts';
import { keepReport, type Reporting } from './service.server.ts';

export function errorReportRoutes(answer: Answer, reporting: Reporting) {
  answer(reportError, async (request) => {
    await keepReport(reporting, request, request.body.error);
    return succeed('Error reported', null);
  });
}
