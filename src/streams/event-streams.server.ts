/** Server-sent events (HTML standard, section 9.2) and their limits. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import type { Clock } from '../lib/clock.ts';
import { protocolError } from '../contract/protocol-errors.ts';
import { ApiError } from '../contract/api-error.ts';
import type { Db } from '../db/database.server.ts';

/** The dependencies of the routes of streams, except the authentication of their callers. */
export interface StreamDependencies {
  db: Db;
  clock: Clock;
  /** The database, for the connection that listens to notifications. */
  connection: pg.ClientConfig;
  onConnectionLost(error: Error): void;
  /** Runs work that may continue after the response. */
  runInBackground(name: string, work: () => Promise<void>): Promise<void>;
}

/** The `session` of a stream, from the hash that identifies the session. */
export const toSessionKey = (hash: Buffer) => hash.toString('base64');

export interface StreamLimits {
  /** A further stream ends the oldest one, which a phone may have lost with its network. */
  perSession: number;
  /** A customer, a guest or a member of the staff, over all sessions. */
  perCaller: number;
  perNetwork: number;
  /** For a block of networks, so that one block cannot use all streams. */
  perBlock: number;
  /** For the process. Lower than its limit of connections (server/http/slow-readers.server.ts). */
  total: number;
  /** The interval of comments. Proxies and slow-readers.server.ts close idle connections. */
  heartbeatMs: number;
  /** The connection is closed when more than this waits to be sent. */
  maxPendingBytes: number;
}

export const STREAM_LIMITS: StreamLimits = {
  perSession: 4,
  perCaller: 12,
  perNetwork: 100,
  perBlock: 300,
  total: 1000,
  heartbeatMs: 15_000,
  maxPendingBytes: 16 * 1024,
};

/** A page without a stream fetches its data at this interval. */
const RETRY_SECONDS = 30;

/** The time after which a browser reconnects. */
const RECONNECT_MS = 3000;

/** The topic of a stream, and the owner of the connection for the limits. */
export interface Subscription {
  readonly topic: string;
  readonly session: string;
  readonly caller: string;
  readonly network: string;
  readonly block: string;
}

export interface EventStream extends Subscription {
  /** Sends an event with `version` as id and data, unless the last event had the same version. */
  send(version: number): void;
  /** Sends an event of a type. The browser returns the id of the last one when it reconnects. */
  sendTyped(event: { id: string; type: string; data: unknown }): void;
  /** Ends the response. The browser reconnects. */
  end(): void;
}

interface EventStreams {
  /** Starts the response. Throws `ApiError` (rate-limited or unavailable) beyond the limits. */
  open(reply: FastifyReply, subscription: Subscription): EventStream;
  /** Returns the open streams, the oldest first. */
  list(): EventStream[];
  /** Ends every stream and refuses further ones, for the shutdown of the server. */
  endAll(): void;
}

/** Calls `onHeartbeat` at each heartbeat while streams are open. */
export function createEventStreams(onHeartbeat: () => void, limits: StreamLimits = STREAM_LIMITS): EventStreams {
  const streams = new Map<EventStream, ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  const beat = () => {
    onHeartbeat();
    for (const response of streams.values()) write(response, ':\n\n');
  };

  /** Closes the connection of a client that does not read. */
  const write = (response: ServerResponse, text: string) => {
    response.write(text);
    if (response.writableLength > limits.maxPendingBytes) response.socket?.resetAndDestroy();
  };

  const makeRoom = (added: Subscription) => {
    const open = [...streams.keys()];
    const sameAs = (key: keyof Subscription) => open.filter((stream) => stream[key] === added[key]);
    const ofSession = sameAs('session');
    if (ofSession.length >= limits.perSession) return ofSession[0]?.end();
    const limited = [
      ['caller', limits.perCaller],
      ['network', limits.perNetwork],
      ['block', limits.perBlock],
    ] as const;
    if (limited.some(([key, max]) => sameAs(key).length >= max))
      throw new ApiError('rate-limited', protocolError('too-many-streams'), RETRY_SECONDS);
    if (isEnded || open.length >= limits.total) throw new ApiError('unavailable', protocolError('service-busy'), RETRY_SECONDS);
  };

  return {
    open(reply, subscription) {
      makeRoom(subscription);
      reply.hijack();
      const response = reply.raw;
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // Without it, nginx buffers events.
        'x-accel-buffering': 'no',
      });
      write(response, `retry: ${RECONNECT_MS}\n\n`);
      let sent: number | undefined;
      const stream: EventStream = {
        ...subscription,
        send(version) {
          if (version === sent || !streams.has(stream)) return;
          sent = version;
          write(response, `id: ${version}\ndata: ${version}\n\n`);
        },
        sendTyped({ id, type, data }) {
          if (streams.has(stream)) write(response, `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
        },
        end() {
          streams.delete(stream);
          response.end();
        },
      };
      // The client left before the response started.
      if (response.destroyed) return stream;
      streams.set(stream, response);
      timer ??= setInterval(beat, limits.heartbeatMs);
      response.once('close', () => {
        streams.delete(stream);
        if (streams.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
      return stream;
    },
    list: () => [...streams.keys()],
    endAll() {
      isEnded = true;
      for (const stream of streams.keys()) stream.end();
    },
  };
}
