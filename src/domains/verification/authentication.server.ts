/** What a browser has proved: which browser it is, by its cookie, and which mobile numbers it has confirmed. The proofs are types only this file can make. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { hashToken, newToken } from '../../security/tokens.server.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { GRANT_GOOD_FOR_SECONDS } from './rules.ts';
import { endProofs, findGrant, insertGrant, lockMobile, useGrant, type GrantPurpose } from './store.server.ts';

declare const proof: unique symbol;

/** A browser that codes and grants are bound to. */
export interface Browser {
  readonly hash: Buffer;
  readonly [proof]: true;
}

/** A mobile whose owner typed the code we sent there, in this browser, for this purpose; the grant is used up by making this. */
export interface ProvedMobile {
  readonly mobile: string;
  readonly browser: Browser;
  readonly [proof]: true;
}

const COOKIE_SECONDS = DAY_SECONDS;

export interface Browsers {
  /** Undefined for a browser that never asked for a code: it has nothing to confirm. */
  of(request: FastifyRequest): Browser | undefined;
  /** The browser, with a new cookie where it has none. */
  ensure(request: FastifyRequest, reply: FastifyReply): Browser;
}

export function createBrowsers({ https }: { https: boolean }): Browsers {
  const name = https ? '__Host-browser' : 'browser';
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: https, maxAge: COOKIE_SECONDS } as const;
  const browserOf = (token: string) => ({ hash: hashToken(token) }) as unknown as Browser;

  const of = (request: FastifyRequest) => {
    const token = request.cookies[name];
    return token ? browserOf(token) : undefined;
  };
  return {
    of,
    ensure: (request, reply) => {
      const known = of(request);
      if (known) return known;
      const token = newToken();
      reply.setCookie(name, token, cookie);
      return browserOf(token);
    },
  };
}

export interface Claim {
  browser: Browser | undefined;
  mobile: string;
  purpose: GrantPurpose;
}

/** Whether the proof is there, without using it up. */
export async function hasProved(db: Db, { browser, mobile, purpose }: Claim, now: Date): Promise<boolean> {
  return (
    browser !== undefined && (await findGrant(db, { browser_hash: browser.hash, mobile, purpose }, now).executeTakeFirst()) !== undefined
  );
}

/** Uses the grant up; undefined where there is none. In a transaction that fails afterwards it stays good. */
export async function claimProof(tx: Tx, { browser, mobile, purpose }: Claim, now: Date): Promise<ProvedMobile | undefined> {
  if (!browser || !(await useGrant(tx, { browser_hash: browser.hash, mobile, purpose }, now))) return undefined;
  return { mobile, browser } as unknown as ProvedMobile;
}

/** The same, and with it ends whatever else would prove this mobile for this purpose, in any browser: grants, and codes not yet typed in. */
export async function claimLastProof(tx: Tx, claim: Claim, now: Date): Promise<ProvedMobile | undefined> {
  // Two browsers that do this at once would otherwise each hold the grant that the other waits for.
  await lockMobile(tx, claim.mobile);
  const proved = await claimProof(tx, claim, now);
  if (proved) await endProofs(tx, claim, now);
  return proved;
}

/** Lets this browser do `purpose` once, within ten minutes. */
export const grant = (tx: Tx, { browser, mobile, purpose }: Claim & { browser: Browser }, now: Date) =>
  insertGrant(tx, { browser_hash: browser.hash, mobile, purpose }, now, addSeconds(now, GRANT_GOOD_FOR_SECONDS));
