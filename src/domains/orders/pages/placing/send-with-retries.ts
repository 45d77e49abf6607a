/**
 * Sends an order again with its key while its result is unknown or the program is busy. Imports
 * nothing of the browser: `npm run cluster` sends its orders with it.
 */
import { isTransient } from '../../../../contract/call-failures.ts';
import type { Send } from '../../../../contract/send.ts';
import { addOrder, type OrderRequest } from '../../contract.ts';

/** Delays between the tries of an attempt, half a minute in total. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000] as const;

/**
 * The time of a whole attempt. With the 15 s for the scripts of the step (draft/load-route.ts), an
 * order on a hanging connection ends within a minute.
 */
const ATTEMPT_MS = 45_000;

/** Resolves after `ms`, or earlier if the signal aborts. */
export const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

export type Pause = typeof wait;

/** The time of the attempt is over. It is unknown whether the order was placed. */
export class OutOfTime extends Error {
  override name = 'OutOfTime';
}

/**
 * Returns the envelope of the first try with a known result. Throws the error of the last try, or
 * `OutOfTime` after 45 s.
 */
export async function sendWithRetries(send: Send, body: OrderRequest, idempotencyKey: string, pause: Pause = wait) {
  const deadline = new AbortController();
  const { signal } = deadline;
  const timer = setTimeout(() => deadline.abort(), ATTEMPT_MS);
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        return await send(addOrder, body, { idempotencyKey, signal });
      } catch (error) {
        const delayMs = RETRY_DELAYS_MS[tries];
        if (signal.aborted) throw new OutOfTime('The order was not placed in time', { cause: error });
        if (!isTransient(error) || delayMs === undefined) throw error;
        await pause(delayMs, signal);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
