/**
 * The demonstration's customer and the orders in every stage, made by the program's own calls and services on a clock that stands in the past. The same
 * on every machine but for the day.
 */
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { addSeconds } from '../kit/clock.ts';
import { kolkataDay } from '../kit/dates.ts';
import { invariant } from '../kit/invariant.ts';
import { transaction } from '../db/database.server.ts';
import { login, signUp } from '../domains/accounts/contract.ts';
import { findAccount } from '../domains/accounts/store.server.ts';
import { addAddress, SERVED_PLACE } from '../domains/addresses/contract.ts';
import { programsAndReviews, type Area } from '../domains/catalogue/contract.ts';
import { addOrder, SERVICE_DEFAULTS, TIMESLOT, type Stage } from '../domains/orders/contract.ts';
import { moveOrder, weighOrder } from '../domains/orders/service.server.ts';
import { writeSampleReviews } from '../domains/reviews/service.server.ts';
import { confirmCode, sendCode } from '../domains/verification/contract.ts';
import type { Call } from '../web/call.ts';
import { readEnvelope, writeBody } from '../web/client.ts';
import { callsPlugin } from './calls.server.ts';
import type { Foundations } from './foundations.server.ts';
import { wireDomains } from './wiring.server.ts';

export const SAMPLE_CUSTOMER = { name: 'Sample Customer', mobile: '9876543210', password: 'fresh and folded' } as const;

const HOME = {
  name: SAMPLE_CUSTOMER.name,
  mobile: SAMPLE_CUSTOMER.mobile,
  address1: 'Flat 304, Tower C',
  address2: 'Vatika India Next',
  landmark: 'Near the main gate',
  ...SERVED_PLACE,
};

/** A time before `now`: so many days ago at a time of day in Gurugram, or so many minutes ago. */
type Past = { days: number; at: string } | { minutes: number };

interface SampleOrder {
  program: string;
  area: Area;
  placed: Past;
  weighed?: { grams: number; items: number };
  entered: readonly (readonly [Stage, Past])[];
}

const ORDERS: readonly SampleOrder[] = [
  {
    program: 'Wash + Iron',
    area: 'vatika',
    placed: { days: 6, at: '11:20' },
    weighed: { grams: 6400, items: 18 },
    entered: [
      ['queue', { days: 6, at: '17:40' }],
      ['washing', { days: 5, at: '09:10' }],
      ['delivery', { days: 5, at: '16:30' }],
      ['delivered', { days: 5, at: '18:05' }],
    ],
  },
  {
    program: 'Iron',
    area: 'manesar',
    placed: { days: 2, at: '18:45' },
    weighed: { grams: 3250, items: 14 },
    entered: [
      ['queue', { days: 1, at: '17:15' }],
      ['washing', { minutes: 320 }],
      ['delivery', { minutes: 35 }],
    ],
  },
  {
    program: 'Wash',
    area: 'vatika',
    placed: { days: 1, at: '09:40' },
    weighed: { grams: 4750, items: 21 },
    entered: [
      ['queue', { days: 1, at: '17:50' }],
      ['washing', { minutes: 150 }],
    ],
  },
  {
    program: 'Wash + Iron',
    area: 'manesar',
    placed: { days: 1, at: '12:30' },
    weighed: { grams: 5100, items: 16 },
    entered: [['queue', { days: 1, at: '18:20' }]],
  },
  { program: 'Wash', area: 'manesar', placed: { minutes: 20 }, entered: [] },
];

const JOINED: Past = { days: 8, at: '10:05' };
const REVIEWED: Past = { days: 4, at: '20:15' };

const timeOf = (past: Past, now: Date): Date =>
  'minutes' in past
    ? addSeconds(now, -60 * past.minutes)
    : new Date(`${kolkataDay(addSeconds(now, -24 * 60 * 60 * past.days))}T${past.at}:00+05:30`);

/** Does nothing where the sample customer exists. */
export const loadSamples = ({ db, clock, ...rest }: Foundations) =>
  transaction(db, async (tx) => {
    // Several processes may start on one database: one of them loads, the others wait and find it done.
    await sql`select pg_advisory_xact_lock(hashtextextended('samples', 0))`.execute(tx);
    if (await findAccount(tx, SAMPLE_CUSTOMER.mobile)) return;
    const now = clock.now();
    let time = now;
    const goTo = (past: Past) => void (time = timeOf(past, now));
    // Nobody outside is asked: no real message goes to a made-up number.
    const settings = { ...rest.settings, sms: { provider: 'outbox' }, botCheck: { kind: 'off' } } as const;
    const app = await callsOnly({ ...rest, settings, db, clock: { now: () => time } });
    const { make, read } = customerOf(app);

    goTo(JOINED);
    const { mobile, name, password } = SAMPLE_CUSTOMER;
    await make(sendCode, { mobile, purpose: 'signup', challenge: '' });
    const [message] = await read<{ code: string }[]>(`/outbox.json?mobile=${mobile}`);
    await make(confirmCode, { mobile, purpose: 'signup', code: message?.code ?? '' });
    await make(signUp, { name, mobile, password });
    const { userid } = await make(login, { mobile, password });
    const { addressid } = await make(addAddress, { ...HOME, userid });

    const catalogue = await make(programsAndReviews, {});
    for (const { program, area, placed, weighed, entered } of ORDERS) {
      const programid = catalogue.program.find((row) => row.program_name === program)?.programid;
      const rate = catalogue.variations.find((row) => row.programid === programid && row.area === area)?.rate;
      const choices = SERVICE_DEFAULTS[program];
      invariant(programid && rate && choices, 'the sample catalogue sells what the sample customer orders');
      goTo(placed);
      const figures = { programrate: rate, orderrate: rate, area };
      const { orderid } = await make(addOrder, { userid, addressid, timeslot: TIMESLOT, program: programid, ...figures, ...choices });
      if (weighed) await weighOrder(db, orderid, weighed.grams, weighed.items);
      for (const [stage, past] of entered) await moveOrder(db, orderid, stage, timeOf(past, now));
    }
    await writeSampleReviews(db, userid, timeOf(REVIEWED, now));
    await app.close();
  });

/** The program's calls and its outbox, without documents and without a listener. */
async function callsOnly(foundations: Foundations): Promise<FastifyInstance> {
  const domains = wireDomains(foundations);
  const app = Fastify();
  await app.register(fastifyCookie);
  await app.register(callsPlugin(domains.routes, undefined, foundations.clock));
  domains.extras(app);
  return app;
}

/** A browser without a page: it keeps its cookies, and expects every call to succeed. */
function customerOf(app: FastifyInstance) {
  const cookies: Record<string, string> = {};
  return {
    make: async <Body, Data>(call: Call<Body, Data>, body: Body): Promise<Data> => {
      const payload = call.method === 'POST' && { headers: { 'content-type': 'application/json' }, payload: writeBody(call, body) };
      const response = await app.inject({ method: call.method, url: `/${call.path}`, cookies, ...payload });
      for (const { name, value } of response.cookies) cookies[name] = value;
      const envelope = readEnvelope(call, response.statusCode, response.json());
      invariant(envelope.response === 'success', `${call.path} succeeds for the sample customer, not '${envelope.message}'`);
      return envelope.data;
    },
    read: async <Data>(url: string): Promise<Data> => (await app.inject({ url })).json<Data>(),
  };
}
