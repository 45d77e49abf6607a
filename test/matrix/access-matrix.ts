/**
 * Tests every call as every requester of outcomes.ts, against one program in this process or
 * several processes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { wireSchema } from '../../src/server/api-docs/openapi.server.ts';
import { getAddress } from '../../src/domains/addresses/contract.ts';
import { getOrder } from '../../src/domains/orders/contract.ts';
import { getOrderPayments, walletPayment } from '../../src/domains/payments/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Caller } from '../support/caller.ts';
import { samplePhoto } from '../support/photos.ts';
import { newGuest } from '../support/seed-customers.ts';
import type { TestProgram } from '../support/program.ts';
import { readWrites } from './database.ts';
import { outcomes, type Requester } from './outcomes.ts';
import type { Row } from './rows.ts';
import { callersWithoutAuthority, type Parties, type Party } from './parties.ts';

/** Sends the call of a row with this body. An upload gets it as its query, with a photo. */
export const sendRow = (caller: Caller, { call }: Row, body: Record<string, unknown>, headers: Record<string, string> = {}) => {
  if (call.method === 'GET') return caller.get(call.path, headers);
  if (!call.upload) return caller.post(call.path, body, headers);
  const query = new URLSearchParams(Object.entries(body).filter(([, value]) => value !== undefined) as [string, string][]);
  return caller.request('POST', `${call.path}?${query.toString()}`, samplePhoto('jpeg'), { 'content-type': 'image/jpeg', ...headers });
};

export const statusAndBody = (response: LightMyRequestResponse) => ({ status: response.statusCode, body: response.body });

interface Attempt {
  caller: Caller;
  body: Record<string, unknown>;
}

/** Defines the tests of all rows. */
export function testAccessMatrix(program: TestProgram, rows: readonly Row[], parties: () => Parties) {
  test.each(rows)('$title has the outcomes of the table', async (row) => {
    const outcomesSeen: Partial<Record<Requester, string>> = {};
    const requests = await prepareRequests(program, row, parties());
    for (const requester of Object.keys(ATTEMPTS) as Requester[]) {
      // A number can request its next code after 30 seconds.
      program.clock.advance(60);
      outcomesSeen[requester] = await outcomeOf(program, row, await ATTEMPTS[requester](row, requests, program));
    }
    expect(outcomesSeen).toEqual(outcomes.get(row.title));
  });

  describe.each(rows.filter(({ ownedIds }) => ownedIds.length > 0))('$title', (row) => {
    test("returns the same bytes for another's id and an unknown one, and writes nothing", async () => {
      const { own, bodies } = await prepareRequests(program, row, parties());
      for (const field of row.ownedIds) {
        const before = await readWrites(program);
        const [foreign, unknown] = [String(bodies.other[field]), newId()];
        const responses = [foreign, unknown].map(async (id) => {
          const response = await sendRow(own.caller, row, { ...bodies.own, [field]: id });
          return { status: response.statusCode, body: response.body.replaceAll(id, '(the requested id)') };
        });
        const [toForeign, toUnknown] = await Promise.all(responses);
        expect(toForeign?.status).toBe(200);
        expect(toForeign).toEqual(toUnknown);
        expect(JSON.parse(toForeign?.body ?? '')).toMatchObject({ response: row.call.failure, data: null });
        expect(await readWrites(program)).toEqual(before);
      }
    });
  });
}

/** The parties of a row, with the body of each that succeeds. */
interface Requests extends Parties {
  readonly bodies: Readonly<Record<'own' | 'other', Record<string, unknown>>>;
}

/** Makes the state in which the call of a row succeeds for either party. */
async function prepareRequests(program: TestProgram, row: Row, parties: Parties): Promise<Requests> {
  const bodyOf = async (party: Party) => ({ ...row.body(party), ...(await row.prepare?.(program, party)) });
  return { ...parties, bodies: { own: await bodyOf(parties.own), other: await bodyOf(parties.other) } };
}

/** The attempts of each requester. `own` is last, because some calls can be made only once. */
const ATTEMPTS: Record<Requester, (row: Row, requests: Requests, program: TestProgram) => Promise<Attempt[]>> = {
  stranger: async (row, parties, program) => {
    const body = parties.bodies.own;
    // A call with caller `anyone` does not authenticate.
    if (row.caller === 'anyone') return [{ caller: program.caller(), body }];
    const callers = Object.values(await callersWithoutAuthority(program, parties));
    return callers.flatMap((caller) => [body, withUserid(row, parties, undefined)].map((body) => ({ caller, body })));
  },
  guest: async (row, parties, program) => [
    { caller: inBrowser((await newGuest(program)).caller), body: withUserid(row, parties, undefined) },
  ],
  "another's userid": async (row, parties) =>
    userFieldsOf(row).length === 0
      ? []
      : [parties.other.userid, newId()].map((userid) => ({ caller: parties.own.caller, body: withUserid(row, parties, userid) })),
  "another's id": async (row, { own, other, bodies }) => {
    if (row.ownedIds.length > 0) await readOwnResources(other);
    return row.ownedIds.map((field) => ({ caller: own.caller, body: { ...bodies.own, [field]: bodies.other[field] } }));
  },
  own: async (_, { own, bodies }) => [{ caller: own.caller, body: bodies.own }],
};

/** Gives the caller a browser, which has no codes and grants. */
function inBrowser(caller: Caller): Caller {
  caller.cookies.set('browser', newId());
  return caller;
}

/** Reads each resource twice, so that both of two processes could have cached it. */
async function readOwnResources({ caller, userid, addressid, orderid }: Parties['other']) {
  const reads = [
    () => caller.send(getAddress, { userid, addressid }),
    () => caller.send(getOrder, { userid, orderid }),
    () => caller.send(walletPayment, { userid, orderid }),
    () => caller.send(getOrderPayments, { userid, orderid }),
  ];
  for (const read of reads) {
    await read();
    await read();
  }
}

/** Returns the fields of the body that name the customer. */
const userFieldsOf = ({ call }: Row) =>
  Object.keys(wireSchema(call.body).properties ?? {}).filter((name) => name === 'userid' || name === 'token');

/** Returns the row's body with another userid, or without one. */
const withUserid = (row: Row, { bodies }: Requests, userid: string | undefined) => ({
  ...bodies.own,
  ...Object.fromEntries(userFieldsOf(row).map((name) => [name, userid])),
});

/**
 * Returns the outcomes of all attempts, joined. An unknown outcome is the status and body. Reports
 * writes of a rejected call.
 */
async function outcomeOf(program: TestProgram, row: Row, attempts: readonly Attempt[]): Promise<string> {
  const before = await readWrites(program);
  const outcomesSeen = new Set<string>();
  for (const { caller, body } of attempts) outcomesSeen.add(outcomeOfResponse(await sendRow(caller, row, body), row));
  const wrote = row.caller !== 'anyone' && !outcomesSeen.has('yes') && !isDeepStrictEqual(await readWrites(program), before);
  return [...outcomesSeen, ...(wrote ? ['wrote to the database'] : [])].join(', ');
}

function outcomeOfResponse(response: LightMyRequestResponse, { call }: Row): string {
  const { status, body } = statusAndBody(response);
  if (
    status === 401 &&
    body === JSON.stringify({ response: call.failure, message: 'Please login first', code: 'login-required', params: {}, data: null })
  )
    return 'login';
  const envelope = JSON.parse(body) as { response: string; data: unknown };
  if (status === 200 && envelope.response === 'success') return 'yes';
  if (status === 200 && envelope.response === call.failure && envelope.data === null) return 'no';
  return `${status} ${body}`;
}
