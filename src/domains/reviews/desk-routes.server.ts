import type { Clock } from '../../lib/clock.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Db } from '../../db/database.server.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import { writeOnce } from '../staff/service.server.ts';
import { listDeskReviews, moderateReview, reviewDeskMessages as messages } from './desk/contract.ts';
import { moderateAtDesk, readDeskReviews } from './desk-service.server.ts';

interface RouteDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

export function reviewDeskRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, staff: authentication } = dependencies;

  registerRoute(listDeskReviews, async (request) => {
    await authentication.requireStaff(request, listDeskReviews);
    return succeed(messages.listed, await readDeskReviews(db, request.body));
  });

  registerRoute(moderateReview, async (request) => {
    const staff = await authentication.requireStaff(request, moderateReview);
    return writeOnce(dependencies, staff, request, moderateReview, (tx, now) => moderateAtDesk({ tx, staff, now }, request.body));
  });
}
