import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { getEvenings } from './contract.ts';
import { readEvenings } from './service.server.ts';

export function eveningRoutes(registerRoute: RegisterRoute, { db, clock }: { db: Db; clock: Clock }) {
  registerRoute(getEvenings, async () => succeed('Evenings', await readEvenings(db, clock.now())));
}
