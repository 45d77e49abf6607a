/**
 * Identifies a browser by its cookies and verifies the mobile numbers that it has confirmed. Only
 * this file can create the types `Browser` and `VerifiedMobile`.
 */
import { DAY_SECONDS, addSeconds, type Clock } from '../../lib/clock.ts';
import type { Client, CookieJar } from '../../security/client.ts';
import { hashToken, newToken } from '../../security/tokens.server.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Purpose } from './contract.ts';
import { GRANT_LIFETIME_SECONDS } from './rules.ts';
import {
  deleteDevice,
  deleteDevicesOf,
  deleteOldestDevices,
  voidCodesAndGrants,
  selectGrant,
  hasDevice,
  insertDevice,
  insertGrant,
  lockMobile,
  setGrantUsed,
  type DeviceOwner,
  type GrantPurpose,
} from './store.server.ts';

const proof: unique symbol = Symbol('proved');

/** A browser that codes and grants are bound to. */
export interface Browser {
  readonly hash: Buffer;
  readonly [proof]: true;
}

/**
 * A mobile whose code was confirmed in this browser for this purpose. Creating it consumes the
 * grant.
 */
export interface VerifiedMobile {
  readonly mobile: string;
  readonly browser: Browser;
  readonly [proof]: true;
}

const COOKIE_SECONDS = DAY_SECONDS;

export interface Browsers {
  /** Returns undefined without the cookie: such a browser has no codes and grants. */
  find(client: Client): Browser | undefined;
  /** Returns the browser. Sets a new cookie if it has none. */
  ensure(client: Client, cookies: CookieJar): Browser;
  /** Deletes the cookie: codes and grants of this browser cannot be used any more. */
  forget(client: Client, cookies: CookieJar): void;
}

export function createBrowsers({ https }: { https: boolean }): Browsers {
  const name = https ? '__Host-browser' : 'browser';
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: https, maxAge: COOKIE_SECONDS } as const;
  const browserOf = (token: string): Browser => ({ hash: hashToken(token), [proof]: true });

  const find = (client: Client) => {
    const token = client.cookies[name];
    return token ? browserOf(token) : undefined;
  };
  return {
    find,
    ensure: (client, cookies) => {
      const existing = find(client);
      if (existing) return existing;
      const token = newToken();
      cookies.setCookie(name, token, cookie);
      return browserOf(token);
    },
    forget: (client, cookies) => {
      if (client.cookies[name] !== undefined) cookies.clearCookie(name, cookie);
    },
  };
}

export const DEVICE_SECONDS = 365 * DAY_SECONDS;

/** Bounds the rows of a mobile. Each log-in without the cookie creates one. */
const MAX_DEVICES = 20;

/** A device that is known once the transaction that created it commits. */
export interface NewDevice {
  /** Call it after the commit: after a rollback the browser keeps its old cookie. */
  setCookie(cookies: CookieJar): void;
}

/**
 * Known devices: browsers in which the owner of a mobile has confirmed a code or logged in. Their
 * limits are separate from those of unknown devices, so that these cannot lock the owner out (OWASP
 * calls this a device cookie). A known device has no other rights.
 */
export interface KnownDevices {
  /** Returns the secret name of this browser if it is known for the mobile, otherwise undefined. */
  find(db: Db, client: Client, mobile: string): Promise<string | undefined>;
  /**
   * Makes this browser known for the mobile, and unknown for any mobile before it. The
   * twenty newest devices of the mobile remain known.
   */
  remember(tx: Tx, client: Client, mobile: string): Promise<NewDevice>;
  /** Makes this browser unknown and deletes its cookie. */
  forget(db: Db, client: Client, cookies: CookieJar): Promise<void>;
  /** Deletes the known devices of the mobile, except this browser. */
  forgetOthers(tx: Tx, client: Client, mobile: string): Promise<void>;
}

const DEVICE_COOKIES = { customer: 'device', staff: 'staff_device' } as const satisfies Record<DeviceOwner['kind'], string>;

/** The devices of customers and of the staff have cookies of their own. */
export function createKnownDevices({ clock, https, kind }: { clock: Clock; https: boolean; kind: DeviceOwner['kind'] }): KnownDevices {
  const name = (https ? '__Host-' : '') + DEVICE_COOKIES[kind];
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: https, maxAge: DEVICE_SECONDS } as const;
  return {
    find: async (db, client, mobile) => {
      const token = client.cookies[name];
      return token && (await hasDevice(db, hashToken(token), { mobile, kind }, clock.now())) ? token : undefined;
    },
    remember: async (tx, client, mobile) => {
      const previous = client.cookies[name];
      if (previous) await deleteDevice(tx, hashToken(previous));
      const token = newToken();
      const now = clock.now();
      const lifetime = { created_at: now, expires_at: addSeconds(now, DEVICE_SECONDS) };
      await insertDevice(tx, { device_hash: hashToken(token), mobile, kind, ...lifetime });
      await deleteOldestDevices(tx, { mobile, kind }, MAX_DEVICES);
      return { setCookie: (cookies) => void cookies.setCookie(name, token, cookie) };
    },
    forget: async (db, client, cookies) => {
      const token = client.cookies[name];
      if (token === undefined) return;
      await deleteDevice(db, hashToken(token));
      cookies.clearCookie(name, cookie);
    },
    forgetOthers: async (tx, client, mobile) => {
      const token = client.cookies[name];
      await deleteDevicesOf(tx, { mobile, kind }, token ? hashToken(token) : undefined);
    },
  };
}

/** Deletes every known device of a person of the staff. */
export const forgetStaffDevices = (tx: Tx, mobile: string) => deleteDevicesOf(tx, { mobile, kind: 'staff' });

export interface GrantScope {
  browser: Browser | undefined;
  mobile: string;
  purpose: GrantPurpose;
}

/** Returns true for an unused, unexpired grant, false without a browser. Does not consume it. */
export async function hasGrant(db: Db, { browser, mobile, purpose }: GrantScope, now: Date): Promise<boolean> {
  return (
    browser !== undefined && (await selectGrant(db, { browser_hash: browser.hash, mobile, purpose }, now).executeTakeFirst()) !== undefined
  );
}

/**
 * Marks the grant as used and returns the mobile, or undefined if there is no unused grant. After a
 * rollback the grant can be used again.
 */
export async function consumeGrant(tx: Tx, { browser, mobile, purpose }: GrantScope, now: Date): Promise<VerifiedMobile | undefined> {
  if (!browser || !(await setGrantUsed(tx, { browser_hash: browser.hash, mobile, purpose }, now))) return undefined;
  return { mobile, browser, [proof]: true };
}

/**
 * Consumes a grant like `consumeGrant`, and invalidates every other code and grant for this mobile
 * and purpose, in all browsers.
 */
export async function consumeLastGrant(tx: Tx, scope: GrantScope & { purpose: Purpose }, now: Date): Promise<VerifiedMobile | undefined> {
  // Without the lock, two browsers could each hold a grant that the other waits for.
  await lockMobile(tx, scope.mobile);
  const verified = await consumeGrant(tx, scope, now);
  if (verified) await voidCodesAndGrants(tx, scope, now);
  return verified;
}

/**
 * Authorizes this browser for `purpose`, once and for ten minutes. The caller has verified that the
 * mobile is the customer's.
 */
export const createGrant = (tx: Tx, { browser, mobile, purpose }: GrantScope & { browser: Browser }, now: Date) =>
  insertGrant(tx, { browser_hash: browser.hash, mobile, purpose }, now, addSeconds(now, GRANT_LIFETIME_SECONDS));
