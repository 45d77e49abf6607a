import { succeed, type Answer } from '../../contract/route.server.ts';
import { challenge } from './contract.ts';
import type { BotCheck } from './provider.server.ts';

export function botCheckRoutes(answer: Answer, { botCheck }: { botCheck: BotCheck }) {
  answer(challenge, async () => succeed('Challenge', { kind: botCheck.kind, challenge: await botCheck.challenge() }));
}
