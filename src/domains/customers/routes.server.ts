import type { Clock } from '../../lib/clock.ts';
import type { RegisterRoute } from '../../contract/route.server.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import { writeOnce } from '../staff/service.server.ts';
import { getDeskCustomer, grant, reverse } from './desk/contract.ts';
import { grantAtDesk, lookUpCustomer, reverseAtDesk, type GrantLimits } from './service.server.ts';

interface RouteDependencies extends GrantLimits {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

export function customerRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, clock, staff: authentication } = dependencies;

  registerRoute(getDeskCustomer, async (request) => {
    const staff = await authentication.requireStaff(request, getDeskCustomer);
    return lookUpCustomer(db, staff, request.body.mobile, clock.now());
  });

  registerRoute(grant, async (request) => {
    const staff = await authentication.requireStaff(request, grant);
    const work = (tx: Tx, now: Date) => grantAtDesk(dependencies, { tx, staff, now }, request.body);
    return writeOnce(dependencies, staff, request, grant, work, { requiresKey: true });
  });

  registerRoute(reverse, async (request) => {
    const staff = await authentication.requireStaff(request, reverse);
    const work = (tx: Tx, now: Date) => reverseAtDesk({ tx, staff, now }, request.body);
    return writeOnce(dependencies, staff, request, reverse, work, { requiresKey: true });
  });
}
