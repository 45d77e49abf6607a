/**
 * Cloudflare Turnstile: Cloudflare verifies the browser's token. Fails closed: a token is rejected
 * if it is not confirmed in time, or if too many wait.
 */
import { addSeconds, type Clock } from '../../../lib/clock.ts';
import { concurrencyLimit } from '../../../security/concurrency-limit.server.ts';
import { hashToken } from '../../../security/tokens.server.ts';
import type { Db } from '../../../db/database.server.ts';
import { requestJson } from '../../../lib/http-client.server.ts';
import { TURNSTILE_ACTION } from '../contract.ts';
import type { BotCheck } from '../provider.server.ts';
import { insertProof } from '../store.server.ts';

export interface TurnstileOptions {
  db: Db;
  clock: Clock;
  secret: string;
  url: string;
  /**
   * The site's host name: tokens of other sites with the same key are rejected. Undefined if
   * PUBLIC_URL is not set.
   */
  host: string | undefined;
  timeoutMs: number;
  /** Called if a check times out, throws or finds the queue full. The token is then rejected. */
  onFailure(error: unknown, operation: string): void;
}

/** Longer than the five minutes for which Cloudflare accepts a token. */
const RETENTION_SECONDS = 10 * 60;

/** Requests with invented tokens must not open any number of connections. */
const CHECKING = { concurrent: 16, queued: 100 } as const;

export function turnstile({ db, clock, secret, url, host, timeoutMs, onFailure }: TurnstileOptions): BotCheck {
  const runLimited = concurrencyLimit(CHECKING);

  async function isGenuine(token: string): Promise<boolean> {
    // The timeout includes the wait in the queue.
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, json } = await runLimited(() => requestJson(url, { body: { secret, response: token }, signal }));
    const result = (json ?? {}) as { success?: unknown; hostname?: unknown; action?: unknown };
    if (typeof result.success !== 'boolean') throw new Error(`Turnstile returned ${status} without a result`);
    return result.success && result.action === TURNSTILE_ACTION && (host === undefined || result.hostname === host);
  }

  return {
    kind: 'turnstile',
    verifiesRemotely: true,
    challenge: async () => '',
    accepts: async (token) => {
      if (token === '') return false;
      try {
        // Cloudflare also accepts a token only once. insertProof guarantees it under concurrency.
        return (await isGenuine(token)) && (await insertProof(db, hashToken(token), addSeconds(clock.now(), RETENTION_SECONDS)));
      } catch (error) {
        onFailure(error, 'verifying a Turnstile token');
        return false;
      }
    },
  };
}
