/** The browser's work for the bot check. Loaded only when a message is about to be sent. */
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey as platformKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Send } from '../../../browser/client.ts';
import { site } from '../../../browser/site-config.ts';
import { challenge } from '../contract.ts';
import { BotCheckFailed } from './bot-check-failed.ts';

const GIVE_UP_AFTER_MS = 20_000;

/** Answers the proof that `sendcode` takes, good once. Throws BotCheckFailed where the check could not be passed. */
export async function prove(send: Send): Promise<string> {
  const { botCheck } = site();
  if ('siteKey' in botCheck) {
    const { proveHosted } = await import('./hosted-check.ts');
    return proveHosted(botCheck.kind, botCheck.siteKey);
  }
  return botCheck.kind === 'off' ? '' : proveWork(send);
}

async function proveWork(send: Send): Promise<string> {
  const { data } = await send(challenge, {});
  if (!data) throw new BotCheckFailed('The bot check gave no puzzle');
  const puzzle = JSON.parse(data.challenge) as Challenge;
  // The browser's own PBKDF2 runs beside the page's main thread. Pages without https have none, unless they come from this machine.
  const deriveKey = 'subtle' in crypto ? platformKey : (await import('./plain-pbkdf2.ts')).derivePlainKey;
  const solution = await solveChallenge({ challenge: puzzle, deriveKey, timeout: GIVE_UP_AFTER_MS });
  if (!solution) throw new BotCheckFailed('The puzzle took too long');
  return JSON.stringify({ challenge: puzzle, solution });
}
