import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ReaderLimits {
  /** A connection is reset after this time without any byte sent or received. */
  stalledMs: number;
  /** A client that reads more slowly is disconnected, although it makes progress. */
  minBytesPerSecond: number;
  checkEveryMs: number;
  /** Further connections are closed at once. */
  maxConnections: number;
}

/** A phone on 2G reads 5 kB/s. */
export const READER_LIMITS: ReaderLimits = { stalledMs: 30_000, minBytesPerSecond: 2_000, checkEveryMs: 5_000, maxConnections: 2_000 };

/** The bytes of a connection that Node.js has not yet passed to the operating system. */
interface Backlog {
  /** Changes when a part of the response was passed. */
  passedBytes: number;
  pendingBytes: number;
  sinceMs: number;
}

/**
 * Limits the cost of clients that do not read (docs/security.md, S6). Node.js has deadlines for
 * requests, but none for responses. A reset, unlike an ordinary close, also frees the send buffer
 * of the operating system.
 */
export function limitSlowReaders(server: Server, limits: ReaderLimits = READER_LIMITS) {
  server.maxConnections = limits.maxConnections;
  // Covers responses without progress and idle connections. The keep-alive timeout replaces it
  // between two requests.
  server.timeout = limits.stalledMs;
  server.on('timeout', (socket) => socket.resetAndDestroy());

  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const backlogs = new WeakMap<Socket, Backlog>();
  const check = () => {
    const nowMs = performance.now();
    for (const socket of sockets) {
      const backlog = nextBacklog(backlogs.get(socket), socket, nowMs);
      if (backlog) backlogs.set(socket, backlog);
      else backlogs.delete(socket);
      if (backlog && isTooSlow(backlog, nowMs, limits)) socket.resetAndDestroy();
    }
  };
  server.once('listening', () => {
    const timer = setInterval(check, limits.checkEveryMs);
    server.once('close', () => clearInterval(timer));
  });
}

/**
 * Returns the pending bytes of a connection, undefined if there are none. Their time starts again
 * when the client has read a part.
 */
function nextBacklog(previous: Backlog | undefined, { bytesWritten, writableLength }: Socket, nowMs: number): Backlog | undefined {
  if (writableLength === 0) return undefined;
  // `bytesWritten` includes pending bytes.
  const passedBytes = bytesWritten - writableLength;
  return previous?.passedBytes === passedBytes ? previous : { passedBytes, pendingBytes: writableLength, sinceMs: nowMs };
}

/**
 * Returns true if the client has read too little of the pending part for too long. Node.js passes a
 * part as a whole, so that each part has the time that its size needs.
 */
const isTooSlow = ({ pendingBytes, sinceMs }: Backlog, nowMs: number, { stalledMs, minBytesPerSecond }: ReaderLimits) =>
  nowMs - sinceMs > Math.max(stalledMs, (pendingBytes / minBytesPerSecond) * 1000);
