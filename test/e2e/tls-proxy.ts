/**
 * A reverse proxy that terminates TLS, as in front of the program in live mode. Its certificate is
 * self-signed, for localhost, and valid until 2126.
 */
import { hash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';

const pem = readFileSync('test/e2e/tls-proxy.pem', 'utf8');

/**
 * More than the program announces in `keep-alive`, which the proxy forwards. With the default of
 * Node, 5 s, a browser uses connections that are being closed, and fails after some retries.
 */
const KEEP_ALIVE_MS = 80_000;

/**
 * The argument with which Chromium accepts the certificate. Without it, a request can fail with
 * ERR_TOO_MANY_RETRIES while Playwright ignores the error of another one.
 */
export function certificateArgument(): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${hash('sha256', key, 'base64')}`;
}

export interface TlsProxy {
  /** The origin, without a trailing slash. */
  url: string;
  /** The origin of the server behind the proxy. It can be set after the start. */
  target: string;
  /** The address of the clients. Tests change it, because all connect from loopback. */
  clientAddress: string;
  stop(): Promise<void>;
}

export async function startTlsProxy(target = ''): Promise<TlsProxy> {
  const options = { cert: pem, key: pem, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = https.createServer(options, (incoming, outgoing) => forward(proxy, incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TlsProxy = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    target,
    clientAddress: '203.0.113.7',
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Appends the address of the client to X-Forwarded-For: the client may have sent the header. */
function forward({ target, clientAddress }: TlsProxy, incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
  const { hostname, port } = new URL(target);
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': [incoming.headers['x-forwarded-for'], clientAddress].filter(Boolean).join(', '),
    'x-forwarded-host': incoming.headers.host,
    'x-forwarded-proto': 'https',
  };
  const request = http.request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  request.on('error', () => outgoing.writeHead(502).end());
  incoming.pipe(request);
}

/** Makes TLS clients of this process accept the certificate. Returns a function that undoes it. */
export function trustTlsProxy(): () => void {
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, new X509Certificate(pem).toString()]);
  return () => tls.setDefaultCACertificates(trusted);
}
