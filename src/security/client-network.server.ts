import { isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
];

/**
 * Other host names that resolve to this machine can belong to a page of another site (DNS
 * rebinding).
 */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Returns true if the client runs on this machine: the socket and the host are loopback, and no
 * proxy added a header.
 */
function isFromLoopback(request: FastifyRequest): boolean {
  const address = unmapIpv4(request.socket.remoteAddress ?? '');
  const isLocal = address === '::1' || address.startsWith('127.');
  return (
    isLocal && LOOPBACK_HOST.test(request.headers.host ?? '') && FORWARDING_HEADERS.every((name) => request.headers[name] === undefined)
  );
}

/** The network of all clients for which the proxy sends no address. */
const UNKNOWN_NETWORK = 'unknown';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's IPv4 address, or its IPv6 /64: a subscriber can use all addresses of a /64. */
    network: string;
    isLoopback: boolean;
  }
}

/**
 * Sets `network` and `isLoopback` of every request on its arrival: a closed connection has no
 * address.
 */
export function addClientNetwork(app: FastifyInstance) {
  app.decorateRequest('network', UNKNOWN_NETWORK);
  app.decorateRequest('isLoopback', false);
  app.addHook('onRequest', async (request) => {
    const ip: string | undefined = request.ip;
    request.network = toNetwork(ip ?? '');
    request.isLoopback = isFromLoopback(request);
  });
}

/**
 * Returns the network of an address, or `UNKNOWN_NETWORK`. Some proxies add a port, and any text
 * can be in X-Forwarded-For if no proxy overwrites it.
 */
function toNetwork(ip: string): string {
  const address = unmapIpv4(withoutPort(ip.trim()));
  if (!isIP(address)) return UNKNOWN_NETWORK;
  return isIPv6(address) ? first64Bits(address) : address;
}

/**
 * The networks that one subscriber may have: an IPv6 /48 or an IPv4 /24. The unknown network has a
 * block of its own.
 */
export const networkBlock = (network: string): string =>
  network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::/48` : `${network.split('.').slice(0, 3).join('.')}.0/24`;

/** '192.0.2.1:5000' and '[2001:db8::1]:5000' have a port. */
const withoutPort = (address: string) => address.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');

/** '::ffff:192.0.2.1' is IPv4 mapped into IPv6. */
const unmapIpv4 = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Returns '2001:db8:0:1::/64' for any IPv6 address of that network, without zone and leading zeros.
 */
function first64Bits(address: string): string {
  const [before = '', after] = address.replace(/%.*$/, '').split('::');
  const left = before.split(':').filter(Boolean);
  const right = after?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
