/**
 * The server-sent events of the staff: changes of all orders that the member may see.
 * docs/decisions/0053.
 */
import type { FastifyInstance } from 'fastify';
import { listen } from '../../db/listen.server.ts';
import { networkBlock } from '../../security/client-network.server.ts';
import { createEventStreams, toSessionKey, type EventStream, type StreamDependencies } from '../../streams/event-streams.server.ts';
import { ORDER_EVENTS_CHANNEL } from '../orders/rules.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import type { Role } from '../staff/desk/contract.ts';
import { findLiveStaffSessions } from '../staff/store.server.ts';
import { DESK_EVENTS_PATH } from '../staff/desk/contract.ts';
import { MAX_REPLAYED_CHANGES } from './desk/contract.ts';
import { riderDays } from './desk/rules.ts';
import { listSeenByRider, readChanges, type ChangeRow } from './store.server.ts';

interface DeskEventDependencies extends StreamDependencies {
  staff: StaffAuthentication;
}

/** New orders do not notify (docs/decisions/0045). */
const POLL_MS = 2000;

export function deskEventRoutes(app: FastifyInstance, dependencies: DeskEventDependencies) {
  const { db, clock, staff, connection, onConnectionLost, runInBackground } = dependencies;
  const streams = createEventStreams(() => void update().then(beat));
  /** The role that a stream was opened with. */
  const roles = new WeakMap<EventStream, Role>();
  const isOfRider = (stream: EventStream) => roles.get(stream) === 'rider';
  /**
   * New streams, with the position from which they missed changes. Until they are sent, no event
   * with a later position is: a browser that connects again names the last one.
   */
  const starting = new Map<EventStream, string | undefined>();
  let listener: ReturnType<typeof listen> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Every change before this position was sent to all streams, and of those after it these. */
  let position: string | undefined;
  let sentAfter = new Set<number>();
  let running: Promise<void> | undefined;
  let isOutdated = false;
  /** The last update failed: the streams get no beat. */
  let isFailing = false;

  /** Sends new changes. Concurrent calls run one after another, and several wait as one. */
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
    const open = streams.list();
    if (open.length === 0) {
      position = undefined;
      starting.clear();
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const live = await listLive(open);
    const { position: next, changes } = await readChanges(db, position, MAX_REPLAYED_CHANGES + 1);
    const isFirst = position === undefined;
    // While a transaction stays open, the changes after its position are read again and again. More
    // than the limit may hide later ones, so that all streams are reset.
    const fresh = changes.length > MAX_REPLAYED_CHANGES ? changes : changes.filter(({ id }) => !sentAfter.has(id));
    position = next;
    sentAfter = new Set(changes.filter(({ is_recent }) => is_recent).map(({ id }) => id));
    const started = live.filter((stream) => !starting.has(stream));
    if (!isFirst && fresh.length > 0) await send(started, next, fresh);
    for (const [stream, last] of starting) {
      await replay(stream, last);
      starting.delete(stream);
    }
  };

  /** A screen that gets no beat knows that it is not up to date. */
  const beat = () => {
    if (position === undefined || isFailing) return;
    for (const stream of streams.list()) {
      if (!starting.has(stream)) stream.sendTyped({ id: position, type: 'beat', data: {} });
    }
  };

  /**
   * Ends the streams of sessions that have ended and of people whose role has changed, who connect
   * again with the new one. Returns the others.
   */
  const listLive = async (open: readonly EventStream[]) => {
    const sessions = open.map(({ session }) => Buffer.from(session, 'base64'));
    const rows = await findLiveStaffSessions(db, sessions, clock.now());
    const live = new Map(rows.map(({ token_hash: hash, role }) => [toSessionKey(hash), role]));
    const isLive = (stream: EventStream) => live.get(stream.session) === roles.get(stream);
    for (const stream of open) if (!isLive(stream)) stream.end();
    return open.filter(isLive);
  };

  /** A member who has missed too many changes loads everything again. */
  const send = async (open: readonly EventStream[], id: string, changes: readonly ChangeRow[]) => {
    const isReset = changes.length > MAX_REPLAYED_CHANGES;
    const orderids = changes.map(({ order_id }) => order_id);
    const needsRiders = !isReset && open.some(isOfRider);
    const seenByRiders = new Set(needsRiders ? await listSeenByRider(db, orderids, riderDays(clock.now())) : []);
    for (const stream of open) {
      if (isReset) stream.sendTyped({ id, type: 'reset', data: {} });
      else {
        for (const { id: version, order_id: orderid, stage } of changes) {
          if (isOfRider(stream) && !seenByRiders.has(orderid)) continue;
          stream.sendTyped({ id, type: 'change', data: { orderid, version, stage } });
        }
      }
    }
  };

  /** Sends what a stream has missed since `last`. */
  const replay = async (stream: EventStream, last: string | undefined) => {
    const { position: current, changes } = await readChanges(db, last, MAX_REPLAYED_CHANGES + 1);
    // A position of the future is from another database.
    if (last === undefined || BigInt(last) > BigInt(current)) {
      stream.sendTyped({ id: current, type: last === undefined ? 'ready' : 'reset', data: {} });
      return;
    }
    await send([stream], current, changes);
    stream.sendTyped({ id: current, type: 'beat', data: {} });
  };

  // A HEAD request must not open a stream.
  app.get(`/${DESK_EVENTS_PATH}`, { exposeHeadRoute: false }, async (request, reply) => {
    const { network } = request;
    const member = await staff.requireStaff(request, { path: DESK_EVENTS_PATH });
    const header = request.headers['last-event-id'];
    const last = typeof header === 'string' && /^\d{1,19}$/.test(header) ? header : undefined;
    const session = toSessionKey(member.sessionHash);
    const stream = streams.open(reply, { topic: member.id, session, caller: member.id, network, block: networkBlock(network) });
    roles.set(stream, member.role);
    listener ??= listen({
      connection,
      channel: ORDER_EVENTS_CHANNEL,
      onNotification: () => void update(),
      onConnected: () => void update(),
      onConnectionLost,
    });
    timer ??= setInterval(() => void update(), POLL_MS);
    starting.set(stream, last);
    await update();
  });

  app.addHook('preClose', async () => {
    clearInterval(timer);
    streams.endAll();
    await listener?.stop();
  });
}
