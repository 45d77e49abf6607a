import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { challenge } from './contract.ts';
import type { BotCheck } from './provider.server.ts';

interface BotCheckDependencies {
  botCheck: BotCheck;
  /** Returns the factor by which the proof-of-work difficulty is raised. */
  proofOfWorkDifficulty(): Promise<number>;
}

export function botCheckRoutes(registerRoute: RegisterRoute, { botCheck, proofOfWorkDifficulty }: BotCheckDependencies) {
  registerRoute(challenge, async () =>
    succeed('Challenge', { kind: botCheck.kind, challenge: await botCheck.challenge(await proofOfWorkDifficulty()) }),
  );
}
