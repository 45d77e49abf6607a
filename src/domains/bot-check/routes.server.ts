import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { challenge } from './contract.ts';
import type { BotCheck } from './provider.server.ts';

export function botCheckRoutes(registerRoute: RegisterRoute, { botCheck }: { botCheck: BotCheck }) {
  registerRoute(challenge, async () => succeed('Challenge', { kind: botCheck.kind, challenge: await botCheck.challenge() }));
}
