/** The server-sent events of an order, for its customer. docs/decisions/0045. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/api-error.ts';
import { listen } from '../../db/listen.server.ts';
import { networkBlock } from '../../security/client-network.server.ts';
import { createEventStreams, toSessionKey, type EventStream, type StreamDependencies } from '../../streams/event-streams.server.ts';
import { callerKey, type Authentication } from '../sessions/authentication.server.ts';
import { listLiveSessions } from '../sessions/store.server.ts';
import { ORDER_EVENTS_PATH, orderError } from './contract.ts';
import { listVersions } from './events-store.server.ts';
import { ORDER_EVENTS_CHANNEL } from './rules.ts';
import { isOwnOrder } from './store.server.ts';

interface OrderEventDependencies extends StreamDependencies {
  authentication: Authentication;
}

/**
 * Registers the route of the server-sent events of an order. Its callers are those of `getOrder`.
 * An event contains only the version of the order. The page then fetches the order.
 */
export function orderEventRoutes(app: FastifyInstance, dependencies: OrderEventDependencies) {
  const { db, clock, authentication, connection, onConnectionLost, runInBackground } = dependencies;
  const streams = createEventStreams(() => void update(streams.list()));
  let listener: ReturnType<typeof listen> | undefined;

  /** Sends the newest versions. Ends the streams of sessions that have ended. Never rejects. */
  const update = (open: readonly EventStream[]) =>
    runInBackground('sending the events of orders', async () => {
      if (open.length === 0) return;
      const sessions = open.map(({ session }) => Buffer.from(session, 'base64'));
      const live = new Set((await listLiveSessions(db, sessions, clock.now())).map(toSessionKey));
      const orderids = open.map(({ topic }) => topic);
      const versions = new Map((await listVersions(db, orderids)).map(({ order_id, version }) => [order_id, version]));
      for (const stream of open) {
        if (live.has(stream.session)) stream.send(versions.get(stream.topic) ?? 0);
        else stream.end();
      }
    });

  app.get<{ Querystring: { orderid?: unknown } }>(`/${ORDER_EVENTS_PATH}`, async (request, reply) => {
    const { network } = request;
    const caller = await authentication.requireCustomerOrGuest(request, undefined);
    const orderid = String(request.query.orderid);
    if (!(await isOwnOrder(db, caller, orderid))) throw new ApiError('not-found', orderError('order-not-found', { orderid }));
    const stream = streams.open(reply, {
      topic: orderid,
      session: toSessionKey(caller.sessionHash),
      caller: callerKey(caller),
      network,
      block: networkBlock(network),
    });
    listener ??= listen({
      connection,
      channel: ORDER_EVENTS_CHANNEL,
      onNotification: (changed) => void update(streams.list().filter(({ topic }) => topic === changed)),
      onConnected: () => void update(streams.list()),
      onConnectionLost,
    });
    await update([stream]);
  });

  app.addHook('preClose', async () => {
    streams.endAll();
    await listener?.stop();
  });
}
