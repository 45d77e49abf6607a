/**
 * A connection pooler in transaction mode that knows nothing of prepared statements, as PgBouncer
 * before 1.21: each transaction gets the server connection that was used last. Like PgBouncer, it
 * refuses timeouts in the start of a connection.
 */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { onTestFinished } from 'vitest';

const TERMINATE = 'X';
const READY_FOR_QUERY = 'Z';
const IDLE = 'I';

/** Calls `onMessage` for each message of the protocol that follows the start of a connection. */
function eachMessage(onMessage: (type: string, message: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      onMessage(String.fromCharCode(message[0] ?? 0), message);
    }
  };
}

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

/** AuthenticationOk, the made-up key of the client, and ReadyForQuery. */
const WELCOME = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('K', Buffer.from('0000000100000002', 'hex')),
  message(READY_FOR_QUERY, Buffer.from(IDLE)),
]);

const REFUSAL = message('E', Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0'));

/** Starts the pooler. Returns a URL for it that ends with the test. */
export async function startPoolerStandIn(connection: pg.ClientConfig): Promise<string> {
  const idle: Duplex[] = [];
  const clients: pg.Client[] = [];

  const acquire = async (): Promise<Duplex> => {
    const [free] = idle.splice(-1);
    if (free) return free;
    const client = new pg.Client(connection);
    client.on('error', () => {});
    clients.push(client);
    await client.connect();
    return client.connection.stream.removeAllListeners('data');
  };

  const serve = (socket: net.Socket) => {
    let server: Promise<Duplex> | undefined;
    const toClient = eachMessage((type, text) => {
      socket.write(text);
      if (type !== READY_FOR_QUERY || text.toString('latin1', 5) !== IDLE) return;
      void server?.then((stream) => idle.push(stream.removeAllListeners('data')));
      server = undefined;
    });
    const toServer = eachMessage((type, text) => {
      if (type === TERMINATE) return void socket.end();
      server ??= acquire().then((stream) => stream.on('data', toClient));
      void server.then((stream) => stream.write(text));
    });
    socket.on('error', () => {});
    // The first message is the start, which has no type.
    socket.once('data', (start) => {
      if (start.includes('statement_timeout')) return void socket.end(REFUSAL);
      socket.on('data', toServer);
      socket.write(WELCOME);
    });
  };

  const listener = net.createServer(serve).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(async () => {
    listener.close();
    for (const client of clients) client.connection.stream.destroy();
  });
  return `postgres://anybody@127.0.0.1:${(listener.address() as AddressInfo).port}/any?sslmode=disable`;
}
