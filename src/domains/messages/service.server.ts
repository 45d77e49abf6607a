/**
 * Sends what a transaction has queued, for the page that waits for it, once. Nobody else sends it: whoever asked for a code and was not told that it
 * went out has no use for one that comes later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addSeconds, type Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import type { Waits } from '../../lib/http-client.server.ts';
import { NotTaken, Rejected, type OutgoingMessage, type TextGateway } from './provider.server.ts';
import { createBreaker } from './rules.ts';
import { deleteOldMessages, giveUp, markSent, takeMessage, withdrawLeftBehind } from './store.server.ts';

export interface Messages {
  /** Answers whether the message went out, soon after `deadline` at the latest. If not, it never goes out later. */
  deliver(id: number, deadline: AbortSignal): Promise<boolean>;
}

interface MessagesOptions {
  db: Db;
  clock: Clock;
  gateway: TextGateway;
  waits: Waits;
  onFailure(error: unknown, what: string): void;
}

/** The gateway has failed so often that it is not asked for a while. */
class GatewayRests extends Error {
  override name = 'GatewayRests';
}

export function createMessages({ db, clock, gateway, waits, onFailure }: MessagesOptions): Messages {
  const breaker = createBreaker();

  /** Only a message that surely was not taken is sent again: nobody gets two. */
  async function handOver(message: OutgoingMessage, deadline: AbortSignal) {
    for (let waitMs = waits.firstRetryMs; ; waitMs *= 2) {
      try {
        return await gateway.send(message, deadline);
      } catch (error) {
        if (!(error instanceof NotTaken) || !(await passed(waitMs, deadline))) throw error;
      }
    }
  }

  async function sendWatched(message: OutgoingMessage, deadline: AbortSignal) {
    deadline.throwIfAborted();
    if (!breaker.lets(clock.now())) throw new GatewayRests('The gateway rests after failing again and again');
    try {
      await handOver(message, deadline);
      breaker.succeeded();
    } catch (error) {
      // A gateway that answers why it will not have a message is alive.
      if (error instanceof Rejected) breaker.succeeded();
      else breaker.failed(clock.now());
      throw error;
    }
  }

  return {
    deliver: async (id, deadline) => {
      const message = await takeMessage(db, id);
      if (!message) return false;
      try {
        await sendWatched(message, deadline);
      } catch (error) {
        onFailure(error, 'sending a message');
        const surelyNotOut = [NotTaken, Rejected, GatewayRests].some((kind) => error instanceof kind);
        await giveUp(db, id, surelyNotOut ? 'withdrawn' : 'failed');
        return false;
      }
      return markSent(db, id, clock.now(), { keepText: gateway.keepsTexts });
    },
  };
}

/** Waits; false when the deadline came first. */
const passed = (ms: number, deadline: AbortSignal) =>
  sleep(ms, true, { signal: deadline }).catch((error: unknown) => {
    if (deadline.aborted) return false;
    throw error;
  });

const KEPT_SECONDS = 24 * 60 * 60;
/** Far beyond any deadline: only a process that stopped in the middle leaves a message behind. */
const LEFT_BEHIND_SECONDS = 60;

export async function deleteExpiredMessages(db: Db, now: Date) {
  await withdrawLeftBehind(db, addSeconds(now, -LEFT_BEHIND_SECONDS));
  await deleteOldMessages(db, addSeconds(now, -KEPT_SECONDS));
}
