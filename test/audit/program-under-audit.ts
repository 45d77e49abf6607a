/** The built program on a new database, as a demonstration and in live mode. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import type pg from 'pg';
import { openDatabase } from '../../src/db/database.server.ts';
import { login } from '../../src/domains/accounts/contract.ts';
import { addOrder, getOrders } from '../../src/domains/orders/contract.ts';
import { startPayment } from '../../src/domains/payments/contract.ts';
import { getReviews } from '../../src/domains/reviews/contract.ts';
import { asPaise } from '../../src/lib/money.ts';
import { encodeReferralCode } from '../../src/lib/referral-code.ts';
import type { Mobile } from '../../src/lib/mobile.ts';
import { systemClock } from '../../src/lib/clock.ts';
import routes from '../../src/routes.ts';
import { endSampleAccounts, SAMPLE_CUSTOMER } from '../../src/server/demo/demo.server.ts';
import { newParty, type Party } from '../matrix/parties.ts';
import { rows } from '../matrix/rows.ts';
import { httpCaller } from '../support/http-caller.ts';
import { newDatabase, urlOf } from '../support/postgres.ts';
import { ChildProgram, freePort } from '../support/program-process.ts';
import { insertSession, type ProgramUnderTest } from '../support/seed-customers.ts';
import type { AuditTarget, Mode, Page, Request } from './tool.ts';

export interface ProgramUnderAudit {
  readonly targets: Readonly<Record<Mode, AuditTarget>>;
  /** Returns the errors that the program has logged since the previous call. */
  takeErrors(): string[];
  /** Stops both processes. Throws if the ledger is not balanced. */
  stop(): Promise<void>;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** The external services are on a closed port of this machine: nothing leaves it. */
const NO_SERVICE = 'https://127.0.0.1:9';

const LIVE_SETTINGS = {
  MODE: 'live',
  PUBLIC_URL: 'https://laundry.example',
  TRUST_PROXY: '1',
  BRAND_EMAIL: 'help@laundry.example',
  BRAND_MOBILE: '+91 98765 00000',
  BRAND_ADDRESS: 'Shop 4, Sector 81, Gurugram',
  SECRET: 'a secret for the audit, at least 32 bytes',
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: 'none',
  MSG91_TEMPLATE_ID: 'none',
  MSG91_URL: NO_SERVICE,
  BOT_CHECK: 'turnstile',
  TURNSTILE_SITE_KEY: 'none',
  TURNSTILE_SECRET: 'none',
  TURNSTILE_URL: NO_SERVICE,
};

export async function startProgramUnderAudit(server: pg.ClientConfig): Promise<ProgramUnderAudit> {
  const demo = await startDemo(server);
  const live = await continueLive(await startDemo(server));
  const lengths = new Map([demo, live].map(({ process }) => [process, process.output.length]));
  return {
    targets: { demo: await demoTarget(demo), live: await liveTarget(live) },
    takeErrors: () =>
      [demo, live].flatMap(({ process }) => {
        const lines = process.output.slice(lengths.get(process)).split('\n').filter(Boolean);
        lengths.set(process, process.output.length);
        return lines;
      }),
    stop: async () => {
      await demo.stop();
      await live.stop();
    },
  };
}

/** A process with a database of its own. */
interface AuditedProcess {
  readonly process: ChildProgram;
  readonly program: ProgramUnderTest;
  readonly connection: pg.ClientConfig;
  readonly userid: string;
  readonly pages: readonly Page[];
  /** The gateway's page of a payment that is not paid. */
  readonly sandbox: string;
  stop(): Promise<void>;
}

/** Starts a demonstration on a new database. */
async function startDemo(server: pg.ClientConfig): Promise<AuditedProcess> {
  const { connection, drop } = await newDatabase(server);
  const process = await new ChildProgram(await freePort(), { DATABASE_URL: urlOf(connection) }).ready();
  const database = openDatabase({ connection, poolSize: 2, onConnectionLost: () => {} });
  const program: ProgramUnderTest = { db: database.db, clock: systemClock, caller: () => httpCaller(() => process.url) };
  const sample = await readSample(program);
  const payments = await openPayments(program);
  const pages = pagesOf(routes, {
    orderid: sample.orderids,
    addressid: sample.addressids,
    referralcode: [encodeReferralCode(SAMPLE_CUSTOMER.mobile as Mobile)],
    code: ['pay'],
    tid: [payments.pending.tid, payments.received.tid],
    amount: ['76'],
    '*': ['nowhere/at/all/of/it'],
  });
  const stop = async () => {
    await database.close();
    await stopProcess(process);
    await drop();
  };
  return { process, program, connection, userid: sample.userid, pages, sandbox: payments.pending.url, stop };
}

/** Ends a demonstration and its accounts, and starts live mode on its database. */
async function continueLive(demo: AuditedProcess): Promise<AuditedProcess> {
  await stopProcess(demo.process);
  await endSampleAccounts(demo.program.db, systemClock.now());
  const process = await new ChildProgram(await freePort(), { DATABASE_URL: urlOf(demo.connection), ...LIVE_SETTINGS }).ready();
  const stop = async () => {
    await stopProcess(process);
    await demo.stop();
  };
  return { ...demo, process, stop };
}

async function stopProcess(process: ChildProgram) {
  process.signal('SIGTERM');
  await process.ended;
}

async function demoTarget({ process, program, userid, ...demo }: AuditedProcess): Promise<AuditTarget> {
  const demoPages = ['/offline', '/docs/api', '/outbox'].map((path) => ({ title: path, path }));
  const pages = [...demo.pages, ...demoPages, { title: '/payments/sandbox/:id', path: demo.sandbox }];
  const largeFile = await largestFile();
  return {
    url: process.url,
    cookie: `session=${await insertSession(program, userid, 'customer')}; signed_in=1`,
    pages,
    responses: [...pages.map(toRequest), ...otherResponses(largeFile)],
    injectable: [...(await callRequests(program)), ...otherRequests(await newParty(program))],
    largeFile,
  };
}

async function liveTarget({ process, program, userid, pages }: AuditedProcess): Promise<AuditTarget> {
  const largeFile = await largestFile();
  return {
    url: process.url,
    cookie: `__Host-session=${await insertSession(program, userid, 'customer')}; signed_in=1`,
    pages,
    responses: [...pages.map(toRequest), ...otherResponses(largeFile)],
    injectable: [],
    largeFile,
  };
}

async function readSample({ db }: ProgramUnderTest) {
  const { id: userid } = await db
    .selectFrom('customers')
    .select('id')
    .where('mobile', '=', SAMPLE_CUSTOMER.mobile)
    .executeTakeFirstOrThrow();
  const orders = await db.selectFrom('orders').select('id').where('customer_id', '=', userid).execute();
  const addresses = await db.selectFrom('addresses').select('id').where('customer_id', '=', userid).execute();
  return { userid, orderids: orders.map(({ id }) => id), addressids: addresses.map(({ id }) => id) };
}

/** Opens two payments at the gateway of the demonstration, and pays one of them. */
async function openPayments(program: ProgramUnderTest) {
  const open = async () => {
    const { caller, userid, orderid } = await newParty(program);
    const response = await caller.send(startPayment, { userid, orderid, method: 'gateway', amount: asPaise(7600) });
    if (response.response !== 'success') throw new Error(response.message);
    return { caller, ...response.data };
  };
  const pending = await open();
  const received = await open();
  await received.caller.request('POST', `${received.url.slice(1)}/pay`, '', { 'content-type': 'application/x-www-form-urlencoded' });
  return { pending, received };
}

/**
 * Returns every page of the routes, with each value of its parameters. Throws if a parameter has no
 * value.
 */
function pagesOf(entries: readonly RouteConfigEntry[], values: Readonly<Record<string, readonly string[]>>, parent = ''): Page[] {
  return entries.flatMap(({ path: segment, children, index }) => {
    const pattern = segment ? `${parent}/${segment}` : parent;
    if (children && !children.every((child) => child.index)) return pagesOf(children, values, pattern);
    if (segment === undefined && !index) return [];
    return fill(pattern || '/', values).map((filled) => ({ title: pattern || '/', path: filled }));
  });
}

function fill(pattern: string, values: Readonly<Record<string, readonly string[]>>): string[] {
  const [parameter] = /:\w+|\*/.exec(pattern) ?? [];
  if (!parameter) return [pattern];
  const known = values[parameter.replace(':', '')];
  if (!known) throw new Error(`The audit has no value for ${parameter} of ${pattern}`);
  return known.flatMap((value) => fill(pattern.replace(parameter, value), values));
}

const toRequest = (page: Page): Request => ({ ...page, method: 'GET' });

/** Responses that are no pages. */
const otherResponses = (largeFile: string): Request[] => [
  ...['/robots.txt', '/sitemap.xml', '/manifest.webmanifest', '/openapi.json', '/livez', '/readyz', '/metrics', '/sw.js'].map((path) => ({
    title: path,
    method: 'GET' as const,
    path,
  })),
  { title: 'picture', method: 'GET', path: '/icons/192.png' },
  { title: 'drawing', method: 'GET', path: '/favicon.svg' },
  { title: 'script', method: 'GET', path: largeFile },
  { title: 'call', method: 'POST', path: `/${getReviews.path}`, headers: JSON_HEADERS, body: '{"offset":0}' },
  { title: 'unreadable call', method: 'POST', path: `/${login.path}`, headers: JSON_HEADERS, body: '{' },
  { title: 'unknown call', method: 'POST', path: '/reviews/nothing.php', headers: JSON_HEADERS, body: '{}' },
  { title: 'unreadable path', method: 'GET', path: '/%ff' },
  { title: 'data of the router', method: 'GET', path: '/reviews.data' },
  { title: 'post to a page', method: 'POST', path: '/reviews', headers: JSON_HEADERS, body: '{}' },
  { title: 'directory', method: 'GET', path: '/assets/' },
];

/**
 * A request for each call with a body. Each has its own customer, because calls end sessions and
 * delete addresses.
 */
async function callRequests(program: ProgramUnderTest): Promise<Request[]> {
  const requests: Request[] = [];
  for (const { title, call, body } of rows) {
    const party = await newParty(program);
    const fields = body(party);
    if (call.method !== 'POST' || Object.keys(fields).length === 0) continue;
    const headers = { ...JSON_HEADERS, cookie: sessionOf(party) };
    requests.push({ title, method: 'POST', path: `/${call.path}`, headers, body: JSON.stringify(fields) });
  }
  return requests;
}

const sessionOf = ({ caller }: Party) => `session=${caller.cookies.get('session')}`;

/**
 * Texts outside a body that reach the database. sqlmap changes the text before an asterisk.
 */
const otherRequests = (party: Party): Request[] => {
  const { userid, orderid, order } = party;
  const post = { method: 'POST', headers: { ...JSON_HEADERS, cookie: sessionOf(party) } } as const;
  const orders = { ...post, path: `/${getOrders.path}`, body: JSON.stringify({ userid }) };
  return [
    { ...orders, title: 'session cookie', headers: { ...JSON_HEADERS, cookie: 'session=none*' } },
    { ...orders, title: 'forwarded address', headers: { ...orders.headers, 'x-forwarded-for': '192.0.2.1*' } },
    {
      ...post,
      title: 'idempotency key',
      path: `/${addOrder.path}`,
      headers: { ...post.headers, 'idempotency-key': 'key*' },
      body: JSON.stringify(order),
    },
    {
      ...post,
      title: 'device cookie',
      path: `/${login.path}`,
      headers: { ...JSON_HEADERS, cookie: 'device=none*; browser=none*' },
      body: JSON.stringify({ mobile: party.mobile, password: 'none' }),
    },
    { title: 'outbox', method: 'GET', path: '/outbox.json?mobile=9876543210*' },
    { title: 'order page', method: 'GET', path: `/auth/orders/vieworder/${orderid}*` },
    { title: 'referral page', method: 'GET', path: '/LAUNDRYBOX*' },
    { title: 'sandbox', method: 'GET', path: '/payments/sandbox/sbx_none*' },
  ];
};

/** Returns the path of the largest built file. */
async function largestFile(): Promise<string> {
  const folder = 'build/client/assets';
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(path.join(folder, name))).size })));
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0];
  return `/assets/${largest?.name}`;
}
