/** Every call in every way of outcomes.ts, against whatever program it is given: one in the test's process, or several of their own. */
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { wireSchema } from '../../src/server/api-docs/openapi.server.ts';
import { getAddress } from '../../src/domains/addresses/contract.ts';
import { getOrder } from '../../src/domains/orders/contract.ts';
import { getOrderPayments, walletPayment } from '../../src/domains/payments/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Caller } from '../support/caller.ts';
import { newGuest } from '../support/seed-customers.ts';
import type { TestProgram } from '../support/program.ts';
import { contents } from './database.ts';
import { outcomes, type Requester } from './outcomes.ts';
import type { Row } from './rows.ts';
import { callersWithoutAuthority, type Parties } from './parties.ts';

export const make = (caller: Caller, { call }: Row, body: unknown, headers: Record<string, string> = {}) =>
  call.method === 'GET' ? caller.get(call.path, headers) : caller.post(call.path, body, headers);

export const summarise = (response: LightMyRequestResponse) => ({ status: response.statusCode, body: response.body });

interface Attempt {
  caller: Caller;
  body: Record<string, unknown>;
}

export function testAccessMatrix(program: TestProgram, rows: readonly Row[], parties: () => Parties) {
  test.each(rows)('$title answers as the table of outcomes says', async (row) => {
    const found: Partial<Record<Requester, string>> = {};
    for (const way of Object.keys(ATTEMPTS) as Requester[]) {
      // A number gets its next code after half a minute.
      program.clock.advance(60);
      found[way] = await outcomeOf(program, row, await ATTEMPTS[way](row, parties(), program));
    }
    expect(found).toEqual(outcomes.get(row.title));
  });

  describe.each(rows.filter(({ ownedIds }) => ownedIds.length > 0))('$title', (row) => {
    test("answers another's id and an unknown one with the same bytes, and writes nothing", async () => {
      const { own, other } = parties();
      for (const field of row.ownedIds) {
        const before = await contents(program);
        const [foreign, unknown] = [other[field], newId()];
        const answers = [foreign, unknown].map(async (id) => {
          const response = await make(own.caller, row, { ...row.body(own), [field]: id });
          return { status: response.statusCode, body: response.body.replaceAll(id, '(the id that was asked for)') };
        });
        const [toForeign, toUnknown] = await Promise.all(answers);
        expect(toForeign?.status).toBe(200);
        expect(toForeign).toEqual(toUnknown);
        expect(JSON.parse(toForeign?.body ?? '')).toMatchObject({ response: row.call.failure, data: null });
        expect(await contents(program)).toBe(before);
      }
    });
  });
}

/** Each way to make a call. What its own customer may do comes last: some of it can be done only once. */
const ATTEMPTS: Record<Requester, (row: Row, parties: Parties, program: TestProgram) => Promise<Attempt[]>> = {
  stranger: async (row, parties, program) => {
    const body = row.body(parties.own);
    // A call that is open to anyone proves nobody.
    if (row.caller === 'anyone') return [{ caller: program.caller(), body }];
    const callers = Object.values(await callersWithoutAuthority(program, parties));
    return callers.flatMap((caller) => [body, claiming(row, parties, undefined)].map((body) => ({ caller, body })));
  },
  guest: async (row, parties, program) => [{ caller: (await newGuest(program)).caller, body: claiming(row, parties, undefined) }],
  "another's userid": async (row, parties) =>
    claimsOf(row).length === 0
      ? []
      : [parties.other.userid, newId()].map((userid) => ({ caller: parties.own.caller, body: claiming(row, parties, userid) })),
  "another's id": async (row, { own, other }) => {
    if (row.ownedIds.length > 0) await lookAtOwnThings(other);
    return row.ownedIds.map((field) => ({ caller: own.caller, body: { ...row.body(own), [field]: other[field] } }));
  },
  own: async (row, { own }) => [{ caller: own.caller, body: row.body(own) }],
};

/** Twice, for two programs that take turns: whatever they may keep of what they answered, they have it when another asks. */
async function lookAtOwnThings({ caller, userid, addressid, orderid }: Parties['other']) {
  const looks = [
    () => caller.send(getAddress, { userid, addressid }),
    () => caller.send(getOrder, { userid, orderid }),
    () => caller.send(walletPayment, { userid, orderid }),
    () => caller.send(getOrderPayments, { userid, orderid }),
  ];
  for (const look of looks) {
    await look();
    await look();
  }
}

const claimsOf = ({ call }: Row) =>
  Object.keys(wireSchema(call.body).properties ?? {}).filter((name) => name === 'userid' || name === 'token');

/** The row's body with another claim of who is calling, or with none. */
const claiming = (row: Row, { own }: Parties, userid: string | undefined) => ({
  ...row.body(own),
  ...Object.fromEntries(claimsOf(row).map((name) => [name, userid])),
});

/** What comes of all these attempts, in the words of the table; what has no word there is told as it is. Who is refused writes nothing. */
async function outcomeOf(program: TestProgram, row: Row, attempts: readonly Attempt[]): Promise<string> {
  const before = await contents(program);
  const found = new Set<string>();
  for (const { caller, body } of attempts) found.add(wordFor(await make(caller, row, body), row));
  const wrote = row.caller !== 'anyone' && !found.has('yes') && (await contents(program)) !== before;
  return [...found, ...(wrote ? ['yet something was written'] : [])].join(', ');
}

function wordFor(response: LightMyRequestResponse, { call }: Row): string {
  const { status, body } = summarise(response);
  if (
    status === 401 &&
    body === JSON.stringify({ response: call.failure, message: 'Please login first', code: 'login-required', params: {}, data: null })
  )
    return 'login';
  const answer = JSON.parse(body) as { response: string; data: unknown };
  if (status === 200 && answer.response === 'success') return 'yes';
  if (status === 200 && answer.response === call.failure && answer.data === null) return 'no';
  return `${status} ${body}`;
}
