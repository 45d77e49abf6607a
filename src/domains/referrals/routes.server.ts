import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type Answer } from '../../contract/route.server.ts';
import type { Gate } from '../sessions/authentication.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { giveReferralBonus, referralMessages } from './contract.ts';
import { grantBonus } from './service.server.ts';

export function referralRoutes(answer: Answer, { db, clock, gate, browsers }: { db: Db; clock: Clock; gate: Gate; browsers: Browsers }) {
  answer(giveReferralBonus, async (request) => {
    const { mob, newuser } = request.body;
    const caller = await gate.whoever(request);
    const customer = caller?.kind === 'customer' ? caller : undefined;
    const given = await grantBonus(db, { mob, newuser, browser: browsers.of(request), customer }, clock.now());
    return given ? succeed(referralMessages.given, null) : fail(referralMessages.refused);
  });
}
