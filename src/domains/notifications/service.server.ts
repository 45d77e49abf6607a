/**
 * Sends messages about orders in the background. docs/decisions/0048.
 *
 * A trigger queues a message in the transaction of its event. 'sending' is committed before the
 * request to the gateway, so that a killed process sends no message twice. Only a message that the
 * gateway certainly did not accept is sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Client } from '../../security/client.ts';
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { isUnavailable } from '../../db/unavailable.server.ts';
import { consumeLimit, releaseUse, type Limit } from '../../db/limits.server.ts';
import { Rejected, failureOf, type TextGateway } from '../messages/provider.server.ts';
import { createCircuitBreaker } from '../messages/rules.ts';
import { listMuted } from '../profile/store.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { fillTemplate, isTooLate, nextAttemptAt, notificationOf, templates, withTemplate } from './rules.ts';
import type { NotificationKind } from './contract.ts';
import * as store from './store.server.ts';

interface SenderOptions {
  db: Db;
  clock: Clock;
  gateway: TextGateway;
  /** The name of the site and its URL, for the texts. */
  site: { brand: string; url: string };
  timeoutMs: number;
  onFailure(error: unknown, operation: string): void;
}

const POLL_MS = 1000;
/** After an unexpected error, such as a lost database. */
const PAUSE_MS = 15_000;
const UNSENDABLE_PAUSE_SECONDS = 3600;

/** A fault in an event or in the program. Without a pause, its message holds up all others. */
class UnsendableNotification extends Error {
  override name = 'UnsendableNotification';
  readonly eventId: number;
  constructor(eventId: number, cause: unknown) {
    super(`The message about event ${eventId} cannot be written`, { cause });
    this.eventId = eventId;
  }
}

interface NotificationOptions extends Omit<SenderOptions, 'gateway'> {
  authentication: Authentication;
  /** Nothing is sent if undefined. */
  gateway: TextGateway | undefined;
}

export interface Notifications {
  start(): void;
  /** Waits for the message that is being sent: aborting it would leave its result unknown. */
  stop(): Promise<void>;
  /** Returns the newest messages about the orders of the session, for a demonstration. */
  listSent(client: Client, limit: number): Promise<Awaited<ReturnType<typeof store.listSent>>>;
}

/**
 * Creates the sender. Several processes may send at once: each message is acquired by one of them.
 * The sender has its own circuit breaker, so that its failures do not stop codes.
 */
export function createNotifications({ gateway, authentication, ...options }: NotificationOptions): Notifications {
  const { db, clock, onFailure } = options;
  const breaker = createCircuitBreaker();
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  /** Returns the milliseconds to wait before the next message. */
  const sendOne = async (): Promise<number> => {
    try {
      if (!breaker.allowsRequest(clock.now())) return POLL_MS;
      const outcome = gateway ? await sendNext({ ...options, gateway }) : 'idle';
      if (outcome === 'not-sent') breaker.failed(clock.now());
      else if (outcome === 'responded') breaker.succeeded();
      else breaker.unused();
      return outcome === 'idle' ? POLL_MS : 0;
    } catch (error) {
      if (!signal.aborted) onFailure(error, 'sending notifications');
      breaker.unused();
      return error instanceof UnsendableNotification ? postpone(error.eventId) : PAUSE_MS;
    }
  };

  /** Returns the milliseconds to wait before the next message. */
  const postpone = async (eventId: number): Promise<number> => {
    try {
      await store.setNotificationsDue(db, [eventId], addSeconds(clock.now(), UNSENDABLE_PAUSE_SECONDS));
      return 0;
    } catch (error) {
      if (!signal.aborted) onFailure(error, 'postponing a notification');
      return PAUSE_MS;
    }
  };

  const runUntilStopped = async () => {
    while (!signal.aborted) {
      const pauseMs = await sendOne();
      // Rejects when the program stops. Does not keep the process running.
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };

  return {
    start() {
      if (gateway) running = runUntilStopped();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    async listSent(client: Client, limit: number) {
      const caller = await authentication.findCaller(client);
      return caller ? store.listSent(db, caller, limit) : [];
    },
  };
}

/**
 * Acquires the message that is due first and sends it. Without a request to the gateway, returns
 * 'idle' if none is due and 'withdrawn' if the message is not to be sent. Otherwise returns
 * 'responded' if the gateway accepted or rejected the message, and 'not-sent' if it failed.
 */
export async function sendNext(options: SenderOptions): Promise<'idle' | 'withdrawn' | 'responded' | 'not-sent'> {
  const { db, clock, gateway, onFailure, timeoutMs } = options;
  const acquired = await acquireNext(options);
  if (acquired === 'idle' || acquired === 'withdrawn') return acquired;
  const { eventId, attempts, message, use } = acquired;
  try {
    await gateway.send(message, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    onFailure(error, 'sending a notification');
    const now = clock.now();
    const failed = failureOf(error);
    if (failed.failure === 'not-accepted') {
      await transaction(db, async (tx) => {
        await store.setRetry(tx, eventId, nextAttemptAt(attempts, now), now, failed);
        // The limit is for messages that the customer can have.
        await releaseUse(tx, use);
      });
    } else await store.setEnded(db, eventId, failed.failure === 'rejected' ? 'withdrawn' : 'failed', now, { failed });
    return error instanceof Rejected ? 'responded' : 'not-sent';
  }
  await store.setEnded(db, eventId, 'sent', clock.now(), { keepText: gateway.keepsTexts });
  return 'responded';
}

/**
 * Each change of the staff may send a message. An order has at most about 20 in a day, with many
 * corrections.
 */
const MESSAGES: Limit = { name: 'messages about an order', max: 30, windowSeconds: DAY_SECONDS };

/**
 * Acquires the message that is due first, or withdraws it if it is not to be sent. Throws
 * `UnsendableNotification` for an error that is not one of the database.
 */
const acquireNext = (options: SenderOptions) =>
  transaction(options.db, async (tx) => {
    const now = options.clock.now();
    const due = await store.lockNextDue(tx, now);
    if (!due) return 'idle' as const;
    try {
      return await prepare(tx, due, now, options);
    } catch (error) {
      if (error instanceof pg.DatabaseError || isUnavailable(error)) throw error;
      throw new UnsendableNotification(due.event_id, error);
    }
  });

type DueNotification = NonNullable<Awaited<ReturnType<typeof store.lockNextDue>>>;

/** Writes the message that is due, or withdraws it if it is not to be sent. */
async function prepare(tx: Tx, due: DueNotification, now: Date, { gateway, site }: SenderOptions) {
  const { event_id: eventId } = due;
  const source = await store.readNotificationSource(tx, eventId);
  if (isTooLate(source.event, now)) {
    // No attempt was made because no gateway was configured: withdraw it without a failure.
    await store.setEnded(tx, eventId, 'withdrawn', now, due.attempts > 0 ? { failed: { failure: 'too-late', error: due.error } } : {});
    return 'withdrawn' as const;
  }
  const notification = withTemplate(notificationOf(source), gateway.hasTemplate);
  const isWanted = notification && gateway.hasTemplate(notification.kind) && !(await isMuted(tx, source, notification.kind));
  if (!isWanted) {
    await store.setEnded(tx, eventId, 'withdrawn', now);
    return 'withdrawn' as const;
  }
  const use = { ...MESSAGES, subject: source.order.id, now };
  if (!(await consumeLimit(tx, use)).allowed) {
    await store.setEnded(tx, eventId, 'withdrawn', now, { failed: { failure: 'too-many', error: null } });
    return 'withdrawn' as const;
  }
  const text = fillTemplate(templates(site)[notification.kind], notification.values);
  await store.setSending(tx, eventId, gateway.keepsTexts ? text : '', now);
  const message = { mobile: source.mobile, text, template: notification.kind, values: notification.values };
  return { eventId, attempts: due.attempts + 1, message, use };
}

/** Why a message is not queued again. Nothing was changed. */
type SendAgainRefusal = 'message-not-found' | 'message-not-refused' | 'message-out-of-date' | 'message-muted' | 'message-without-template';

export type SendAgainResult = { status: 'queued'; orderid: string; kind: NotificationKind } | { status: SendAgainRefusal };

/**
 * Queues a message again that the gateway has rejected. The lock of its row and its state allow
 * this once for each rejection. A message that may have arrived stays as it is.
 */
export async function sendAgain(
  tx: Tx,
  { hasTemplate }: Pick<TextGateway, 'hasTemplate'>,
  eventId: number,
  now: Date,
): Promise<SendAgainResult> {
  const row = await store.lockNotification(tx, eventId);
  if (!row) return { status: 'message-not-found' };
  if (row.state !== 'withdrawn' || row.failure !== 'rejected') return { status: 'message-not-refused' };
  const source = await store.readNotificationSource(tx, eventId);
  const notification = isTooLate(source.event, now) ? null : withTemplate(notificationOf(source), hasTemplate);
  if (!notification) return { status: 'message-out-of-date' };
  // The sender would withdraw it without a trace.
  if (!hasTemplate(notification.kind)) return { status: 'message-without-template' };
  if (await isMuted(tx, source, notification.kind)) return { status: 'message-muted' };
  await store.setWaiting(tx, eventId, now);
  return { status: 'queued', orderid: source.order.id, kind: notification.kind };
}

/** The settings of an account are about its orders, not about those of guests with its number. */
const isMuted = async (db: Db, { customerId, isUnassigned }: { customerId: string; isUnassigned: boolean }, kind: string) =>
  !isUnassigned && (await listMuted(db, customerId)).includes(kind);

/** Longer than a request to the gateway. */
const ABANDONED_AFTER_SECONDS = 60;
const RETENTION_SECONDS = 30 * DAY_SECONDS;

/**
 * Marks messages as failed that a stopped process was sending, and deletes messages after their
 * retention of 30 days.
 */
export async function cleanUpNotifications(db: Db, now: Date): Promise<void> {
  await store.failStuckNotifications(db, addSeconds(now, -ABANDONED_AFTER_SECONDS), now);
  await store.deleteOld(db, addSeconds(now, -RETENTION_SECONDS));
}
