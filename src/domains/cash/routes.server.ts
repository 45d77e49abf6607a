import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import { writeOnce } from '../staff/service.server.ts';
import { cashMessages as messages, explainDifference, getCash, handIn } from './contract.ts';
import * as service from './service.server.ts';

interface RouteDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

export function cashRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, staff: authentication } = dependencies;

  registerRoute(getCash, async (request) => {
    const staff = await authentication.requireStaff(request, getCash);
    return succeed(messages.found, await service.readCash(db, staff));
  });

  registerRoute(handIn, async (request) => {
    const staff = await authentication.requireStaff(request, handIn);
    return writeOnce(dependencies, staff, request, handIn, (tx, now) => service.handInCash(tx, staff, request.body, now), {
      requiresKey: true,
    });
  });

  registerRoute(explainDifference, async (request) => {
    const staff = await authentication.requireStaff(request, explainDifference);
    return writeOnce(dependencies, staff, request, explainDifference, (tx, now) => service.explainDifference(tx, staff, request.body, now));
  });
}
