import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { challenge } from './contract.ts';
import type { BotCheck } from './provider.server.ts';

interface BotCheckDependencies {
  botCheck: BotCheck;
  /** Returns how much dearer a proof is now than usual. */
  proofPrice(): Promise<number>;
}

export function botCheckRoutes(registerRoute: RegisterRoute, { botCheck, proofPrice }: BotCheckDependencies) {
  registerRoute(challenge, async () =>
    succeed('Challenge', { kind: botCheck.kind, challenge: await botCheck.challenge(await proofPrice()) }),
  );
}
