/** Where a request comes from, as far as limits and the outbox care. */
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
];

/** A name that leads here may belong to anyone's page (DNS rebinding); an address and `localhost` belong to nobody. */
const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** A loopback socket, asked for as such, and no sign of a proxy in front: then it is someone on this very machine. */
export function isLoopback(request: FastifyRequest): boolean {
  const address = withoutMapping(request.socket.remoteAddress ?? '');
  const isLocal = address === '::1' || address.startsWith('127.');
  return isLocal && OWN_HOST.test(request.headers.host ?? '') && FORWARDING_HEADERS.every((name) => request.headers[name] === undefined);
}

/** What one visitor can hardly change at will: their IPv4 address, or the /64 of which a home or phone has all IPv6 addresses. */
export function clientNetwork(request: FastifyRequest): string {
  const address = withoutMapping(request.ip);
  return isIPv6(address) ? firstHalf(address) : address;
}

const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

function firstHalf(address: string): string {
  const [before = '', after] = address.replace(/%.*$/, '').split('::');
  const left = before.split(':').filter(Boolean);
  const right = after?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
