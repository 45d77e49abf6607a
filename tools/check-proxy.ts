/**
 * Runs nginx with the configuration of deploy/ in front of stand-ins for the program. Checks that
 * no client chooses its address, that no client can make it give up a process, that it repeats what
 * a stopped process did not serve, that it limits an IPv6 /64 and not each address, that slow
 * headers do not keep others away, and that its log has no requested address.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

const PROCESSES = 3;
const ATTEMPTS = 10;
const PATIENCE_MS = 10_000;

/** Calls that take effect once. nginx repeats them at another process. */
const REPEATED = ['/orders/addorder.php', '/combinedata/paywithwallet'];

/** The requests of a client, and the responses of the program, as nginx sees them. */
const HOSTILE: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/busy': (_request, response) => response.writeHead(503, { 'retry-after': '3' }).end(),
  '/long-header': (_request, response) => response.writeHead(308, { location: `/${'a'.repeat(7000)}` }).end(),
  '/broken-off': (request) => request.socket.destroy(),
};

/** A request for it ends with its client. */
const SLOW_PATH = '/slow';
/** A referral code, which is a mobile number. */
const REFERRAL_PATH = '/XXOUXURXDA';
/** In place of the address of the client, for the check alone. */
const ADDRESS_HEADER = 'x-checked-address';

/** A stranger may not choose what is traced. The stand-in refuses a request with one of them. */
const TRACE_HEADERS = ['traceparent', 'tracestate'];

/** The address that a client names in a header of its own. */
const CHOSEN_ADDRESS = '192.0.2.200';
/** The response of a stand-in that takes it for the address of the client. */
const CHOSEN_ADDRESS_STATUS = 421;

/** Returns the address of the client as the program reads it with TRUST_PROXY=1. */
const forwardedAddress = ({ headers }: IncomingMessage) => String(headers['x-forwarded-for']).split(',').at(-1)?.trim();

/** A stand-in for a process of the program. */
async function startStandIn() {
  let isStopping = false;
  let slowRequests = 0;
  const server = http.createServer((request, response) => {
    if (request.url === SLOW_PATH) return void (slowRequests += 1);
    if (forwardedAddress(request) === CHOSEN_ADDRESS) return void response.writeHead(CHOSEN_ADDRESS_STATUS).end();
    if (TRACE_HEADERS.some((name) => request.headers[name] !== undefined)) return void response.writeHead(400).end();
    const respond = HOSTILE[request.url ?? ''];
    if (respond) respond(request, response);
    // As the program does while it closes its listener.
    else response.writeHead(isStopping ? 503 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    slowRequests: () => slowRequests,
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

interface Target {
  port: number;
  host?: string;
  plain?: boolean;
}

interface SentRequest {
  path: string;
  method?: string;
  /** The address that nginx takes for that of the client. */
  address?: string;
  /** The address that the client names in X-Forwarded-For. */
  forwardedFor?: string;
  /** The address on this machine from which the request comes. */
  localAddress?: string;
  signal?: AbortSignal;
}

const TRACE_OF_A_CLIENT = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: 'client=1' };

/** Returns the status of the response, or the code of the error. */
const statusOf = (
  { port, host = '127.0.0.1', plain = false }: Target,
  { path, method = 'GET', address, forwardedFor, localAddress, signal }: SentRequest,
) =>
  new Promise<number | string>((resolve) => {
    const headers = {
      ...TRACE_OF_A_CLIENT,
      ...(address !== undefined && { [ADDRESS_HEADER]: address }),
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    };
    const connection = { host, port, agent: false as const, rejectUnauthorized: false, ...(localAddress && { localAddress }) };
    const options = { ...connection, path, method, headers, ...(signal && { signal }) };
    const respond = (response: IncomingMessage) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    };
    const request = plain ? http.request(options, respond) : https.request(options, respond);
    request.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error')).end();
  });

/** Runs nginx until `check` has ended. Returns what nginx wrote to its error log. */
async function withNginx(file: string, target: Target, check: () => Promise<void>): Promise<string> {
  const nginx = spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const written = text(nginx.stderr);
  const ended = once(nginx, 'exit');
  ended.catch(() => {});
  try {
    const deadline = Date.now() + PATIENCE_MS;
    while ((await statusOf(target, { path: '/home' })) === 'ECONNREFUSED') {
      if (Date.now() > deadline) throw new Error('nginx does not listen');
      await sleep(50);
    }
    await check();
  } finally {
    nginx.kill('SIGTERM');
    await ended.catch(() => {});
  }
  return written;
}

/** Paths of all locations that forward. A header in a location replaces all of its server. */
const FORWARDED_PATHS = ['/home', ...REPEATED, '/orders/events', '/staff/events'];

/** Throws if the program would believe the address that a client names. */
async function checkAddresses(target: Target) {
  for (const path of FORWARDED_PATHS) {
    const status = await statusOf(target, { path, forwardedFor: CHOSEN_ADDRESS });
    if (status === CHOSEN_ADDRESS_STATUS)
      throw new Error('a client chooses its address: proxy_set_header X-Forwarded-For $remote_addr is missing');
    if (status !== 200) throw new Error(`a request with X-Forwarded-For: GET ${path} got ${status}`);
  }
}

/** Lines that lower the limits, and let a header name the client. */
const LOW_LIMITS: Readonly<Record<string, string>> = {
  'rate=50r/s': 'rate=1r/m',
  'burst=200': 'burst=3',
  'limit_conn connections 100;': `limit_conn connections 2; set_real_ip_from 127.0.0.1; real_ip_header ${ADDRESS_HEADER};`,
};

/** The program behind nginx. */
interface Program {
  slowRequests(): number;
  stop(): void;
}

/** Checks the limits of nginx with `LOW_LIMITS`. Throws with the first difference. */
async function checkLimits(file: string, target: Target, { slowRequests, stop }: Program) {
  const inOneNetwork = (index: number) => `2001:db8:0:5:${index.toString(16)}::1`;
  const inOthers = (index: number) => `2001:db8:0:${(index + 16).toString(16)}::1`;
  const expectStatuses = (what: string, statuses: readonly (number | string)[], isExpected: boolean) => {
    if (!isExpected) throw new Error(`${what} got ${statuses.join(', ')}`);
  };
  const log = await withNginx(file, target, async () => {
    const requestsOf = async (addressOf: (index: number) => string) => {
      const statuses: (number | string)[] = [];
      for (let index = 0; index < 6; index += 1) statuses.push(await statusOf(target, { path: REFERRAL_PATH, address: addressOf(index) }));
      return statuses;
    };
    const near = await requestsOf(inOneNetwork);
    expectStatuses('requests of one IPv6 /64', near, near.includes(429));
    for (const addressOf of [inOthers, (index: number) => `192.0.2.${index}`]) {
      const far = await requestsOf(addressOf);
      expectStatuses('requests of different networks', far, new Set(far).size === 1 && far[0] === 200);
    }
    // Fewer requests than the limit of requests, so that only the limit of connections refuses one.
    const connect = (index: number, path: string, signal?: AbortSignal) =>
      statusOf(target, { path, address: `2001:db8:0:6:${index}::1`, ...(signal && { signal }) });
    const over = new AbortController();
    const open = [1, 2].map((index) => connect(index, SLOW_PATH, over.signal));
    const deadline = Date.now() + PATIENCE_MS;
    while (slowRequests() < open.length && Date.now() < deadline) await sleep(20);
    const third = await connect(3, '/home');
    over.abort();
    await Promise.all(open);
    expectStatuses('a third connection of one IPv6 /64', [third], third === 429);
    stop();
    await statusOf(target, { path: REFERRAL_PATH, address: '192.0.2.77' });
  });
  if (log.includes(REFERRAL_PATH)) throw new Error(`the error log has the requested address: ${log.split('\n')[0]}`);
}

/** Few connections for the check of slow headers. */
const FEW_CONNECTIONS: Readonly<Record<string, string>> = {
  'worker_processes auto;': 'worker_processes 1;',
  'worker_connections 16384;': 'worker_connections 40;',
};
const SLOW_CLIENTS = 80;
const BYTE_EVERY_MS = 1000;
const SLOW_HEADERS_MS = 12_000;

/**
 * Checks that clients that send their headers byte by byte are cut, and that a client with another
 * address is then served. They take all connections of `FEW_CONNECTIONS`, half of them with TLS.
 */
async function checkSlowHeaders(file: string, target: Target, plainPort: number) {
  await withNginx(file, target, async () => {
    const startedAt = Date.now();
    const closed = Array.from({ length: SLOW_CLIENTS }, (_, index) => {
      const options = { host: '127.0.0.1', rejectUnauthorized: false };
      const socket = index % 2 === 0 ? tls.connect({ ...options, port: target.port }) : net.connect({ ...options, port: plainPort });
      const timer = setInterval(() => socket.write('a'), BYTE_EVERY_MS);
      return new Promise<void>((resolve) => {
        socket
          .on('error', () => {})
          .on('close', () => {
            clearInterval(timer);
            resolve();
          });
        socket.resume().write('GET /home HTTP/1.1\r\nHost: laundry.example\r\nX-Slow: ');
        setTimeout(() => socket.destroy(), 2 * SLOW_HEADERS_MS).unref();
      });
    });
    await sleep(BYTE_EVERY_MS);
    const served = statusOf(target, { path: '/home', localAddress: '127.0.0.2' });
    await Promise.all(closed);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    if (seconds > SLOW_HEADERS_MS / 1000) throw new Error(`clients with slow headers were cut after ${seconds} s`);
    const statuses = [await served, await statusOf(target, { path: '/home', localAddress: '127.0.0.2' })];
    if (statuses.at(-1) !== 200) throw new Error(`beside slow headers, another address got ${statuses.join(', ')}`);
  });
}

/**
 * Throws with the first difference. `writeConfiguration` writes the shipped configuration with
 * other lines in place of the given ones, and returns its path.
 */
export async function checkProxy(writeConfiguration: (lines: Readonly<Record<string, string>>) => Promise<string>) {
  const standIns = await Promise.all(Array.from({ length: PROCESSES }, startStandIn));
  const [port, plainPort] = [await freePort(), await freePort()];
  const target = { port };
  const lines = {
    'listen 80 default_server;': `listen 127.0.0.1:${plainPort};`,
    'listen [::]:80 default_server;': `listen [::1]:${plainPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl;`,
    'listen [::]:443 ssl http2;': `listen [::1]:${port} ssl;`,
    ...Object.fromEntries(standIns.map((standIn, index) => [`server site${index + 1}:3000`, `server 127.0.0.1:${standIn.port}`])),
  };
  const expectServed = async (after: string, path = '/home', method = 'GET') => {
    const status = await statusOf(target, { path, method });
    if (status !== 200) throw new Error(`${after}: ${method} ${path} got ${status}`);
  };
  try {
    await withNginx(await writeConfiguration(lines), target, async () => {
      const overIpv6 = await statusOf({ port, host: '::1' }, { path: '/home' });
      if (overIpv6 !== 200) throw new Error(`a request over IPv6 got ${overIpv6}`);
      await checkAddresses(target);
      for (const path of Object.keys(HOSTILE)) {
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
          for (const method of ['GET', 'POST']) await statusOf(target, { path, method });
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
    });
    await checkSlowHeaders(await writeConfiguration({ ...lines, ...FEW_CONNECTIONS }), target, plainPort);
    const third = standIns.at(-1);
    if (third) await checkLimits(await writeConfiguration({ ...lines, ...LOW_LIMITS }), target, third);
  } finally {
    for (const standIn of standIns) standIn.stop();
  }
}

/** Checks the snippets of the ingress-nginx controller in a configuration like that of it. */
export async function checkIngress(data: Readonly<Record<string, string>>, write: (configuration: string) => Promise<string>) {
  const standIn = await startStandIn();
  const port = await freePort();
  const configuration = `
    error_log stderr ${data['error-log-level']};
    events {}
    http {
      access_log off;
      client_header_timeout ${data['client-header-timeout']}s;
      large_client_header_buffers ${data['large-client-header-buffers']};
      keepalive_timeout ${data['keep-alive']}s;
      ${data['http-snippet']}
      server {
        listen 127.0.0.1:${port};
        location / {
          ${data['location-snippet']}
          proxy_pass http://127.0.0.1:${standIn.port};
        }
      }
    }`;
  const lowered = Object.entries(LOW_LIMITS).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`'${from}' is not in the snippets`);
    return changed.replaceAll(from, to);
  }, configuration);
  try {
    await checkLimits(await write(lowered), { port, plain: true }, standIn);
  } finally {
    standIn.stop();
  }
}
