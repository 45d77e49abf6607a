/**
 * The server-sent events of the staff: changes of all orders that the member may see.
 * docs/decisions/0053.
 */
import type { FastifyInstance } from 'fastify';
import { listen } from '../../db/listen.server.ts';
import { networkBlock } from '../../security/client-network.server.ts';
import { createEventStreams, toSessionKey, type StreamDependencies } from '../../streams/event-streams.server.ts';
import { ORDER_EVENTS_CHANNEL } from '../orders/rules.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import { DESK_EVENTS_PATH } from '../staff/desk/contract.ts';
import { createChangeFeed } from './events-service.server.ts';

interface DeskEventDependencies extends StreamDependencies {
  staff: StaffAuthentication;
}

/** New orders do not notify (docs/decisions/0045). */
const POLL_MS = 2000;

export function deskEventRoutes(app: FastifyInstance, { staff, connection, onConnectionLost, ...dependencies }: DeskEventDependencies) {
  const streams = createEventStreams(() => void feed.update().then(() => feed.beat()));
  const feed = createChangeFeed({ ...dependencies, listOpen: () => streams.list(), onIdle: () => stopPolling() });
  let listener: ReturnType<typeof listen> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const stopPolling = () => {
    clearInterval(timer);
    timer = undefined;
  };

  app.get(`/${DESK_EVENTS_PATH}`, async (request, reply) => {
    const { network } = request;
    const member = await staff.requireStaff(request, { path: DESK_EVENTS_PATH });
    const header = request.headers['last-event-id'];
    const last = typeof header === 'string' && /^\d{1,19}$/.test(header) ? header : undefined;
    const session = toSessionKey(member.sessionHash);
    const stream = streams.open(reply, { topic: member.id, session, caller: member.id, network, block: networkBlock(network) });
    listener ??= listen({
      connection,
      channel: ORDER_EVENTS_CHANNEL,
      onNotification: () => void feed.update(),
      onConnected: () => void feed.update(),
      onConnectionLost,
    });
    timer ??= setInterval(() => void feed.update(), POLL_MS);
    await feed.start(stream, member.role, last);
  });

  app.addHook('preClose', async () => {
    stopPolling();
    streams.endAll();
    await listener?.stop();
  });
}
