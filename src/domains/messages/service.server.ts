/**
 * Sends a queued message once, while the customer's page waits for the result. There is no
 * background delivery: a code that arrives after the page reported a failure is useless.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { CODE_TEMPLATE, NotAccepted, Rejected, failureOf, type OutgoingMessage, type TextGateway } from './provider.server.ts';
import { createCircuitBreaker } from './rules.ts';
import { deleteOldMessages, setUnsent, setSent, acquireMessage, withdrawAbandoned } from './store.server.ts';

export interface Messages {
  /**
   * Returns whether the message was sent, shortly after `deadline` at the latest. If not, it is
   * never sent later.
   */
  deliver(id: number, deadline: AbortSignal): Promise<boolean>;
}

interface MessagesOptions {
  db: Db;
  clock: Clock;
  gateway: TextGateway;
  /** The delay before the second request. It doubles before each further one. */
  firstRetryMs: number;
  onFailure(error: unknown, operation: string): void;
}

/** The circuit breaker is open, so the gateway did not get the message. */
class CircuitOpen extends NotAccepted {
  override name = 'CircuitOpen';
}

export function createMessages({ db, clock, gateway, firstRetryMs, onFailure }: MessagesOptions): Messages {
  const breaker = createCircuitBreaker();

  /**
   * Retries until the deadline, but only after `NotAccepted`, so that no customer gets the message
   * twice. Throws the last error of the gateway.
   */
  async function sendWithRetries(message: OutgoingMessage, deadline: AbortSignal) {
    for (let waitMs = firstRetryMs; ; waitMs *= 2) {
      try {
        return await gateway.send(message, deadline);
      } catch (error) {
        if (!(error instanceof NotAccepted) || !(await waitUnlessOver(waitMs, deadline))) throw error;
      }
    }
  }

  async function sendThroughBreaker(message: OutgoingMessage, deadline: AbortSignal) {
    deadline.throwIfAborted();
    if (!breaker.allowsRequest(clock.now())) throw new CircuitOpen('The SMS gateway has failed repeatedly');
    try {
      await sendWithRetries(message, deadline);
      breaker.succeeded();
    } catch (error) {
      // A gateway that rejects one message is available.
      if (error instanceof Rejected) breaker.succeeded();
      else breaker.failed(clock.now());
      throw error;
    }
  }

  return {
    deliver: async (id, deadline) => {
      const message = await acquireMessage(db, id);
      if (!message) return false;
      const { mobile, text, code } = message;
      try {
        await sendThroughBreaker({ mobile, text, template: CODE_TEMPLATE, values: { code } }, deadline);
      } catch (error) {
        onFailure(error, 'sending a message');
        const failed = failureOf(error);
        await setUnsent(db, id, failed.failure === 'unknown' ? 'failed' : 'withdrawn', failed);
        return false;
      }
      return setSent(db, id, clock.now(), { keepText: gateway.keepsTexts });
    },
  };
}

/** Resolves to true after `ms`, or to false if the deadline comes first. */
const waitUnlessOver = (ms: number, deadline: AbortSignal) =>
  sleep(ms, true, { signal: deadline }).catch((error: unknown) => {
    if (deadline.aborted) return false;
    throw error;
  });

const RETENTION_SECONDS = DAY_SECONDS;
/** Longer than any deadline: only a process that stopped while sending abandons a message. */
const ABANDONED_AFTER_SECONDS = 60;

/** Withdraws messages that no process will send, and deletes messages after their retention. */
export async function deleteExpiredMessages(db: Db, now: Date): Promise<void> {
  await withdrawAbandoned(db, addSeconds(now, -ABANDONED_AFTER_SECONDS));
  await deleteOldMessages(db, addSeconds(now, -RETENTION_SECONDS));
}
