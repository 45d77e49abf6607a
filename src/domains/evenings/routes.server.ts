import type { Clock } from '../../lib/clock.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { SharedRead } from '../sessions/authentication.server.ts';
import { getEvenings } from './contract.ts';
import { readEvenings } from './service.server.ts';

export function eveningRoutes(registerRoute: RegisterRoute, { read, clock }: { read: SharedRead; clock: Clock }) {
  registerRoute(getEvenings, async (request) => succeed('Evenings', await read(request, (db) => readEvenings(db, clock.now()))));
}
