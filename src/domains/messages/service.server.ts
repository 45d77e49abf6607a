/** Sends what transactions have queued. A page that waits for its message sends it at once; the worker picks up what a stopped process left behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addSeconds, type Clock } from '../../kit/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { NotTaken, type TextGateway } from './provider.server.ts';
import { deleteOldMessages, markFailed, markSent, messageState, takeWaiting, tryAgainAt, withdraw, withdrawOlder } from './store.server.ts';

/** Whoever asked for a message is told within this time whether it went out; afterwards nothing is sent any more. */
const DEADLINE_SECONDS = 10;
const ATTEMPT_SECONDS = 8;
const RETRY_AFTER_SECONDS = 1;
const LOOK_AGAIN_MS = 200;
const WORKER_EVERY_MS = 2000;
const MOST_AT_ONCE = 20;

export interface Messages {
  /** Sends the queued message; resolves with whether it went out, within the deadline. If not, it is withdrawn and never goes out later. */
  deliver(id: number): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
}

interface MessagesOptions {
  db: Db;
  clock: Clock;
  gateway: TextGateway;
  onFailure(error: unknown, what: string): void;
}

export function createMessages({ db, clock, gateway, onFailure }: MessagesOptions): Messages {
  let timer: NodeJS.Timeout | undefined;
  const running = new Set<Promise<void>>();

  async function attempt(message: { id: number; mobile: string; text: string }) {
    try {
      await gateway.send(message, AbortSignal.timeout(ATTEMPT_SECONDS * 1000));
    } catch (error) {
      // Only a message that surely was not taken may be tried again: nobody gets two.
      if (error instanceof NotTaken) await tryAgainAt(db, message.id, addSeconds(clock.now(), RETRY_AFTER_SECONDS));
      else await markFailed(db, message.id);
      return;
    }
    await markSent(db, message.id, clock.now(), { keepText: gateway.keepsTexts });
  }

  async function sendWaiting() {
    const now = clock.now();
    await withdrawOlder(db, addSeconds(now, -DEADLINE_SECONDS));
    const taken = await takeWaiting(db, { most: MOST_AT_ONCE, now, until: addSeconds(now, DEADLINE_SECONDS) });
    await Promise.all(taken.map(attempt));
  }

  function wake(): Promise<void> {
    const work = sendWaiting().finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  return {
    deliver: async (id) => {
      const deadline = AbortSignal.timeout(DEADLINE_SECONDS * 1000);
      while (!deadline.aborted) {
        // Another process may have taken the message, or others' messages may be slow: the row tells, not the round of sending.
        const woken = wake();
        woken.catch(() => {});
        await Promise.race([woken, sleep(LOOK_AGAIN_MS)]);
        const state = await messageState(db, id);
        if (state !== 'waiting') return state === 'sent';
        await sleep(LOOK_AGAIN_MS);
      }
      await withdraw(db, id);
      return (await messageState(db, id)) === 'sent';
    },
    start: () => {
      timer = setInterval(() => void wake().catch((error: unknown) => onFailure(error, 'sending messages')), WORKER_EVERY_MS);
    },
    stop: async () => {
      clearInterval(timer);
      await Promise.allSettled(running);
    },
  };
}

const KEPT_SECONDS = 24 * 60 * 60;

export const sweepMessages = (db: Db, now: Date) => deleteOldMessages(db, addSeconds(now, -KEPT_SECONDS));
