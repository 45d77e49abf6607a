/** Cloudflare Turnstile: the browser brings a token, and Cloudflare says whether it gave it out. Fails closed: what it does not confirm in time is no proof. */
import { addSeconds, type Clock } from '../../../lib/clock.ts';
import { hashToken } from '../../../security/tokens.server.ts';
import type { Db } from '../../../db/database.server.ts';
import { requestJson } from '../../../lib/http-client.server.ts';
import { TURNSTILE_ACTION } from '../contract.ts';
import type { BotCheck } from '../provider.server.ts';
import { rememberProof } from '../store.server.ts';

export interface TurnstileOptions {
  db: Db;
  clock: Clock;
  secret: string;
  url: string;
  /** The site's host: a token of another site that shares the key proves nothing here. Undefined where it is not known. */
  host: string | undefined;
  timeoutMs: number;
  onFailure(error: unknown, what: string): void;
}

/** Cloudflare forgets a token after five minutes; we remember it a little longer. */
const REMEMBERED_SECONDS = 10 * 60;

export function turnstile({ db, clock, secret, url, host, timeoutMs, onFailure }: TurnstileOptions): BotCheck {
  async function isGenuine(token: string): Promise<boolean> {
    const { status, json } = await requestJson(url, { body: { secret, response: token }, signal: AbortSignal.timeout(timeoutMs) });
    const verdict = (json ?? {}) as { success?: unknown; hostname?: unknown; action?: unknown };
    if (typeof verdict.success !== 'boolean') throw new Error(`Turnstile answered ${status} and no verdict`);
    return verdict.success && verdict.action === TURNSTILE_ACTION && (host === undefined || verdict.hostname === host);
  }

  return {
    kind: 'turnstile',
    challenge: async () => '',
    accepts: async (token) => {
      if (token === '') return false;
      try {
        // Turnstile takes a token once, too; that two of our calls cannot both pass with one is our own promise.
        return (await isGenuine(token)) && (await rememberProof(db, hashToken(token), addSeconds(clock.now(), REMEMBERED_SECONDS)));
      } catch (error) {
        onFailure(error, 'asking Turnstile');
        return false;
      }
    },
  };
}
