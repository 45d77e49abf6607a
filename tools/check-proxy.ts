/**
 * Runs nginx with the configuration of deploy/ in front of three stand-ins for the program, and
 * checks that no client can make it give up a process, and that it repeats what a stopped process
 * did not serve.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PROCESSES = 3;
const ATTEMPTS = 10;
const PATIENCE_MS = 10_000;

/** Calls that take effect once. nginx repeats them at another process. */
const REPEATED = ['/orders/addorder.php', '/combinedata/paywithwallet'];

/** What a client can request, and how the program then responds, as nginx sees it. */
const HOSTILE: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/busy': (_request, response) => response.writeHead(503, { 'retry-after': '3' }).end(),
  '/long-header': (_request, response) => response.writeHead(308, { location: `/${'a'.repeat(7000)}` }).end(),
  '/broken-off': (request) => request.socket.destroy(),
};

/** A stand-in for a process of the program. */
async function startStandIn() {
  let isStopping = false;
  const server = http.createServer((request, response) => {
    const respond = HOSTILE[request.url ?? ''];
    if (respond) respond(request, response);
    // As the program does while it closes its listener.
    else response.writeHead(isStopping ? 503 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    beginStop: () => {
      isStopping = true;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the status of the response, or the code of the error. */
const statusOf = (port: number, path: string, method = 'GET') =>
  new Promise<number | string>((resolve) => {
    const options = { host: '127.0.0.1', port, path, method, rejectUnauthorized: false, agent: false as const };
    const request = https.request(options, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error')).end();
  });

/**
 * Throws with the first difference. `writeConfiguration` writes the shipped configuration with
 * other lines in place of the given ones, and returns its path.
 */
export async function checkProxy(writeConfiguration: (lines: Readonly<Record<string, string>>) => Promise<string>) {
  const standIns = await Promise.all(Array.from({ length: PROCESSES }, startStandIn));
  const [port, plainPort] = [await freePort(), await freePort()];
  const file = await writeConfiguration({
    'listen 80 default_server;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl;`,
    ...Object.fromEntries(standIns.map((standIn, index) => [`server site${index + 1}:3000`, `server 127.0.0.1:${standIn.port}`])),
  });
  const nginx = spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  ended.catch(() => {});
  const expectServed = async (after: string, path = '/home', method = 'GET') => {
    const status = await statusOf(port, path, method);
    if (status !== 200) throw new Error(`${after}: ${method} ${path} got ${status}`);
  };
  try {
    const deadline = Date.now() + PATIENCE_MS;
    while ((await statusOf(port, '/home')) === 'ECONNREFUSED') {
      if (Date.now() > deadline) throw new Error('nginx does not listen');
      await sleep(50);
    }
    for (const path of Object.keys(HOSTILE)) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        for (const method of ['GET', 'POST']) await statusOf(port, path, method);
        await expectServed(`after requests of a client for ${path}`);
      }
    }
    const [first, second] = standIns;
    first?.beginStop();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await expectServed('while a process stops');
    first?.stop();
    second?.stop();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await expectServed('after two processes stopped');
      for (const path of REPEATED) await expectServed('after two processes stopped', path, 'POST');
    }
  } finally {
    nginx.kill('SIGTERM');
    await ended.catch(() => {});
    for (const standIn of standIns) standIn.stop();
  }
}
