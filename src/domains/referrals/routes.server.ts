import type { Clock } from '../../lib/clock.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { giveReferralBonus, referralError, referralMessages } from './contract.ts';
import { requestBonus, type BonusDependencies } from './service.server.ts';

interface ReferralDependencies extends BonusDependencies {
  clock: Clock;
  authentication: Authentication;
  browsers: Browsers;
}

export function referralRoutes(registerRoute: RegisterRoute, { clock, authentication, browsers, ...dependencies }: ReferralDependencies) {
  registerRoute(giveReferralBonus, async (request) => {
    const { mob, newuser } = request.body;
    const caller = await authentication.findCaller(request);
    const customer = caller?.kind === 'customer' ? caller : undefined;
    const outcome = await requestBonus(dependencies, { mob, newuser, browser: browsers.find(request), customer }, clock.now());
    return outcome === 'refused' ? fail(referralError('no-referral-bonus')) : succeed(referralMessages[outcome], null);
  });
}
