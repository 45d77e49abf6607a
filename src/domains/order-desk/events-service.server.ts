/**
 * Sends the changes of all orders and of the cash to the open streams of the staff.
 * docs/decisions/0053.
 */
import { toSessionKey, type EventStream, type StreamDependencies } from '../../streams/event-streams.server.ts';
import { readCashState } from '../cash/store.server.ts';
import type { Role } from '../staff/desk/contract.ts';
import { listLiveStaffSessions } from '../staff/store.server.ts';
import { MAX_REPLAYED_CHANGES } from './desk/contract.ts';
import { riderDays } from './desk/rules.ts';
import { readChanges, type ChangeRow } from './events-store.server.ts';
import { listSeenByRider } from './store.server.ts';

interface FeedOptions extends Pick<StreamDependencies, 'db' | 'clock' | 'runInBackground'> {
  /** Returns the open streams. */
  listOpen(): readonly EventStream[];
  /** Called by an update that finds no open stream. */
  onIdle(): void;
}

export interface ChangeFeed {
  /** Sends a new stream what it has missed since the position `last`. */
  start(stream: EventStream, role: Role, last: string | undefined): Promise<void>;
  /** Sends new changes. Concurrent calls run one after another, and several wait as one. */
  update(): Promise<void>;
  /**
   * Sends a heartbeat, unless the last update failed. Without one, a screen shows that it is not up
   * to date.
   */
  beat(): void;
}

export function createChangeFeed({ db, clock, runInBackground, listOpen, onIdle }: FeedOptions): ChangeFeed {
  /** The role that a stream was opened with. */
  const roles = new WeakMap<EventStream, Role>();
  const isOfRider = (stream: EventStream) => roles.get(stream) === 'rider';
  /**
   * New streams with the position after which they missed changes. They are served before any later
   * position is sent, because a reconnecting browser sends the last position it received.
   */
  const starting = new Map<EventStream, string | undefined>();
  /**
   * All changes before `position` were sent. `sentAfter` has the ids of the later ones that were
   * sent, too.
   */
  let position: string | undefined;
  let sentAfter = new Set<number>();
  /** The state of the cash that the streams know. */
  let cashState: string | undefined;
  let running: Promise<void> | undefined;
  let isOutdated = false;
  /** The last update failed: the streams get no beat. */
  let isFailing = false;

  const update = (): Promise<void> => {
    isOutdated = true;
    running ??= runInBackground('sending the changes of orders', async () => {
      try {
        while (isOutdated) {
          isOutdated = false;
          isFailing = true;
          await sendNewChanges();
          isFailing = false;
        }
      } finally {
        running = undefined;
      }
    });
    return running;
  };

  const sendNewChanges = async () => {
    const open = listOpen();
    if (open.length === 0) {
      position = undefined;
      starting.clear();
      return onIdle();
    }
    const live = await listLive(open);
    const { position: next, changes } = await readChanges(db, position, MAX_REPLAYED_CHANGES + 1);
    const cash = await readCashState(db);
    const isFirst = position === undefined;
    const isCashChanged = !isFirst && cash !== cashState;
    cashState = cash;
    // While a transaction stays open, the changes after its position are read repeatedly. More
    // than the limit may hide later ones, so that all streams are reset.
    const fresh = changes.length > MAX_REPLAYED_CHANGES ? changes : changes.filter(({ id }) => !sentAfter.has(id));
    position = next;
    sentAfter = new Set(changes.filter(({ is_recent }) => is_recent).map(({ id }) => id));
    const started = live.filter((stream) => !starting.has(stream));
    if (!isFirst && fresh.length > 0) await send(started, next, fresh);
    if (isCashChanged) for (const stream of started) sendCash(stream, next);
    for (const [stream, last] of starting) {
      await replay(stream, last);
      starting.delete(stream);
    }
  };

  /**
   * Ends the streams of sessions that have ended and of people whose role has changed, who connect
   * again with the new one. Returns the others.
   */
  const listLive = async (open: readonly EventStream[]) => {
    const sessions = open.map(({ session }) => Buffer.from(session, 'base64'));
    const rows = await listLiveStaffSessions(db, sessions, clock.now());
    const live = new Map(rows.map(({ token_hash: hash, role }) => [toSessionKey(hash), role]));
    const isLive = (stream: EventStream) => live.get(stream.session) === roles.get(stream);
    for (const stream of open) if (!isLive(stream)) stream.end();
    return open.filter(isLive);
  };

  /** A member who has missed too many changes loads everything again. */
  const send = async (open: readonly EventStream[], id: string, changes: readonly ChangeRow[]) => {
    if (changes.length > MAX_REPLAYED_CHANGES) {
      for (const stream of open) stream.sendTyped({ id, type: 'reset', data: {} });
      return;
    }
    const orderids = changes.map(({ order_id }) => order_id);
    const seenByRiders = new Set(open.some(isOfRider) ? await listSeenByRider(db, orderids, riderDays(clock.now())) : []);
    for (const stream of open) {
      for (const { id: version, order_id: orderid, stage } of changes) {
        if (isOfRider(stream) && !seenByRiders.has(orderid)) continue;
        stream.sendTyped({ id, type: 'change', data: { orderid, version, stage } });
      }
    }
  };

  const replay = async (stream: EventStream, last: string | undefined) => {
    const { position: current, changes } = await readChanges(db, last, MAX_REPLAYED_CHANGES + 1);
    // A position of the future is from another database.
    if (last === undefined || BigInt(last) > BigInt(current)) {
      stream.sendTyped({ id: current, type: last === undefined ? 'ready' : 'reset', data: {} });
      return;
    }
    await send([stream], current, changes);
    stream.sendTyped({ id: current, type: 'beat', data: {} });
    // The position does not show which changes of the cash the stream has missed.
    sendCash(stream, current);
  };

  const sendCash = (stream: EventStream, id: string) => stream.sendTyped({ id, type: 'cash', data: {} });

  return {
    start(stream, role, last) {
      roles.set(stream, role);
      starting.set(stream, last);
      return update();
    },
    update,
    beat() {
      if (position === undefined || isFailing) return;
      for (const stream of listOpen()) {
        if (!starting.has(stream)) stream.sendTyped({ id: position, type: 'beat', data: {} });
      }
    },
  };
}
