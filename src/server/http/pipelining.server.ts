import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for the response to an earlier one. */
const MAX_WAITING = 16;

/**
 * Returns a listener that executes the requests of a connection one after the other, and resets a
 * connection with more than `MAX_WAITING` (docs/security.md, S6). Without it Node.js executes all
 * requests that a client sends before it gets a response, and holds a part of each response in
 * memory for as long as the client does not read.
 */
export function limitPipelining(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // The response gets the socket once the previous response of the connection is finished.
    if (response.socket) return listener(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) return void socket.resetAndDestroy();
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      listener(request, response);
    });
  };
}
