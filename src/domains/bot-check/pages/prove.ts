/** The browser's work for the bot check. Loaded only when a message is about to be sent. */
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Send } from '../../../web/client.ts';
import { challenge } from '../contract.ts';

const GIVE_UP_AFTER_MS = 20_000;

/** The bot check could not be passed here: the puzzle expired, the browser cannot solve it, or the check itself is broken. */
export class BotCheckFailed extends Error {
  override name = 'BotCheckFailed';
}

/** Fetches a puzzle and answers the proof that `sendcode` takes. */
export async function prove(send: Send): Promise<string> {
  const { data } = await send(challenge, {});
  if (!data) throw new BotCheckFailed('The bot check gave no puzzle');
  if (data.kind === 'off') return '';
  const puzzle = JSON.parse(data.challenge) as Challenge;
  // Each step is the browser's own PBKDF2, which runs beside the page's main thread.
  const solution = await solveChallenge({ challenge: puzzle, deriveKey, timeout: GIVE_UP_AFTER_MS });
  if (!solution) throw new BotCheckFailed('The puzzle took too long');
  return JSON.stringify({ challenge: puzzle, solution });
}
