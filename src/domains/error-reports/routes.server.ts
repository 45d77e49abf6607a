import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { succeed, type Answer } from '../../web/answer.server.ts';
import { isLoopback, networkOf } from '../../web/visitor.server.ts';
import { reportError } from './contract.ts';
import { keepReport } from './service.server.ts';

export function errorReportRoutes(answer: Answer, { db, clock, demo }: { db: Db; clock: Clock; demo: boolean }) {
  answer(reportError, async (request) => {
    const network = demo && isLoopback(request) ? undefined : networkOf(request);
    await keepReport(db, request.body.error, network, clock.now());
    return succeed('Error reported', null);
  });
}
