/**
 * Solves the bot check in the browser. Loaded only when a verification code is about to be sent.
 */
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey as deriveKeyInWebCrypto } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Send } from '../../../contract/send.ts';
import type { BotCheckConfig } from '../../../shared/site-config.ts';
import { challenge } from '../contract.ts';
import { BotCheckFailed } from './bot-check-failed.ts';

/** The most difficult proof takes 5 s on a mid-range phone. */
const SOLVE_TIMEOUT_MS = 60_000;

/**
 * Returns the single-use proof for `sendcode`, or '' if the bot check is off. Throws
 * `BotCheckFailed` if the check fails or times out, and the errors of `send`.
 */
export async function solveBotCheck(send: Send, botCheck: BotCheckConfig): Promise<string> {
  if ('siteKey' in botCheck) {
    const { solveHostedCheck } = await import('./hosted-check.ts');
    return solveHostedCheck(botCheck.kind, botCheck.siteKey);
  }
  return botCheck.kind === 'off' ? '' : solveProofOfWork(send);
}

/**
 * Fetches a challenge and returns it with its solution, as JSON. Throws `BotCheckFailed` if the
 * server has no challenge or solving times out, and the errors of `send`.
 */
async function solveProofOfWork(send: Send): Promise<string> {
  const { data } = await send(challenge, {});
  if (!data) throw new BotCheckFailed('The bot check returned no challenge');
  const puzzle = JSON.parse(data.challenge) as Challenge;
  // Web Crypto works off the main thread, but exists only over https and on localhost.
  const deriveKey = 'subtle' in crypto ? deriveKeyInWebCrypto : (await import('./pbkdf2-fallback.ts')).deriveKeyInScript;
  const solution = await solveChallenge({ challenge: puzzle, deriveKey, timeout: SOLVE_TIMEOUT_MS });
  if (!solution) throw new BotCheckFailed('Solving the challenge timed out');
  return JSON.stringify({ challenge: puzzle, solution });
}
