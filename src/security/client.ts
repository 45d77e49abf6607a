/**
 * The client of a request and its cookies, as services and authentication need them: a request and
 * a reply of Fastify fit, and no service depends on Fastify.
 */
import type { CallerSlot } from './caller-slots.server.ts';

interface Log {
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
  error(values: object, message: string): void;
}

export interface Client {
  /** The IPv4 address, or the IPv6 /64. */
  readonly network: string;
  /** The client runs on this machine. */
  readonly isLoopback: boolean;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Names the request in each line. */
  readonly log: Log;
  /** Undefined for a request that may last, such as a stream or an upload. */
  readonly callerSlot?: CallerSlot;
}

interface CookieOptions {
  path: string;
  sameSite: 'lax' | 'strict';
  secure: boolean;
  maxAge: number;
  httpOnly?: boolean;
}

/** Sets cookies in the response. */
export interface CookieJar {
  setCookie(name: string, value: string, options: CookieOptions): unknown;
  clearCookie(name: string, options: CookieOptions): unknown;
}
