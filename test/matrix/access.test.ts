/**
 * Access to every call that the program serves (docs/security.md, I1, I2, I3 and S5).
 * complete.test.ts checks that the rows contain all calls.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { wireSchema } from '../../src/server/api-docs/openapi.server.ts';
import { login } from '../../src/domains/accounts/contract.ts';
import { useProgram } from '../support/program.ts';
import { dumpDatabase, readWrites } from './database.ts';
import { outcomes } from './outcomes.ts';
import { rows, type Row } from './rows.ts';
import { statusAndBody, sendRow, testAccessMatrix } from './access-matrix.ts';
import { newParties, type Parties } from './parties.ts';

const program = useProgram({ BOT_CHECK: 'off' });

let parties: Parties;
beforeEach(async () => {
  parties = await newParties(program);
});

/** Values of the other customer that a response must not contain. */
const secretsOf = ({ other }: Parties) => [other.userid, other.mobile, other.addressid, other.orderid];

const open = rows.filter(({ call, caller }) => caller === 'anyone' && call !== login);
const posts = rows.filter(({ call }) => call.method === 'POST');

test('the table of outcomes has every row and agrees with the callers of the contract', () => {
  expect([...outcomes.keys()].toSorted()).toEqual(rows.map(({ title }) => title).toSorted());
  for (const { title, caller } of rows) {
    const { guest, stranger } = outcomes.get(title)!;
    expect({ title, guest: guest === 'login', stranger: stranger === 'login' }).toEqual({
      title,
      guest: caller === 'customer',
      stranger: caller !== 'anyone',
    });
  }
});

testAccessMatrix(program, rows, () => parties);

describe.each(open)('$title', (row) => {
  test('returns no id or data of a customer to an unauthenticated caller', async () => {
    const { body } = await sendRow(program.caller(), row, row.body(parties.own));
    for (const secret of [parties.own.userid, parties.own.addressid, parties.own.orderid, 'Tower B']) expect(body).not.toContain(secret);
  });
});

describe.each(rows)('$title', (row) => {
  test('returns nothing of another customer (I1) and only fields of its contract (I3)', async () => {
    const { body } = await sendRow(parties.own.caller, row, row.body(parties.own));
    for (const secret of secretsOf(parties)) expect(body).not.toContain(secret);
    const envelope = JSON.parse(body) as { response: string; data: unknown };
    const isSuccess = envelope.response === 'success';
    expect(Object.keys(envelope)).toEqual(isSuccess ? ['response', 'message', 'data'] : ['response', 'message', 'code', 'params', 'data']);
    if (isSuccess) expect(unlisted(wireSchema(row.call.data), envelope.data)).toEqual([]);
  });

  test('ignores fields of the body that are not in the contract (I2)', async () => {
    if (row.call.method === 'GET') return;
    const othersRows = async () => (await dumpDatabase(program)).split('\n').filter((line) => line.includes(parties.other.userid));
    const before = await othersRows();
    const own = await sendRow(parties.own.caller, row, { ...row.body(parties.own), ...extras(parties, row) });
    expect(own.statusCode).toBe(200);
    const after = await dumpDatabase(program);
    expect(after).not.toContain(MARK);
    expect(after).not.toContain(String(AMOUNT));
    expect(own.body).not.toContain(MARK);
    expect(await othersRows(), 'rows of another customer are unchanged').toEqual(before);
  });
});

describe.each(posts)('$title', (row) => {
  test('rejects other sites, even with a valid cookie (S5)', async () => {
    const before = await readWrites(program);
    for (const headers of CROSS_SITE) {
      const response = await sendRow(parties.own.caller, row, row.body(parties.own), headers);
      expect(statusAndBody(response), JSON.stringify(headers)).toEqual({
        status: 403,
        body: JSON.stringify({
          response: row.call.failure,
          message: 'This request came from another site',
          code: 'cross-site-request',
          params: {},
          data: null,
        }),
      });
    }
    expect(await readWrites(program)).toEqual(before);
  });
});

/**
 * The only calls without authentication that return customer data: of the verified or requested
 * customer, or of a payment with its key.
 */
const RETURNS_CUSTOMER_DATA = new Set(['login/login.php', 'login/signup.php', 'getters/getsingle.php', 'payments/getorderdetails.php']);

test('no contract lists a secret, and public calls list no customer data (I3)', () => {
  const listed = rows.flatMap((row) => fieldsOf(wireSchema(row.call.data)).map((field) => ({ field, row })));
  const secret = listed.filter(({ field }) => /hash|password|secret|session|cookie|^code$/.test(field));
  const personal = listed.filter(
    ({ field, row: { call } }) =>
      call.caller === 'anyone' && !RETURNS_CUSTOMER_DATA.has(call.path) && /userid|mobile|email|address|orderid/.test(field),
  );
  expect([...secret, ...personal].map(({ field, row }) => `${row.call.path}: ${field}`)).toEqual([]);
});

const fieldsOf = ({ properties = {}, items }: Schema): string[] => [
  ...Object.keys(properties),
  ...Object.values(properties).flatMap((inner) => fieldsOf(inner as Schema)),
  ...(items ? fieldsOf(items as Schema) : []),
];

const CROSS_SITE: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:81', host: 'localhost:80' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
];

const MARK = 'planted by the test';
const AMOUNT = 987_654_321;

/** Fields that an attacker could add. */
const extras = ({ other }: Parties, row: Row) => {
  const all = {
    wallet: AMOUNT,
    total_amount: AMOUNT,
    program_rate: AMOUNT,
    rate_paise: AMOUNT,
    total_weight: AMOUNT,
    washing_stage: MARK,
    stage: MARK,
    role: MARK,
    kind: MARK,
    password_hash: MARK,
    customer_id: other.userid,
    id: MARK,
    orderid: MARK,
    created_at: MARK,
    constructor: MARK,
  };
  const known = Object.keys(wireSchema(row.call.body).properties ?? {});
  return Object.fromEntries(Object.entries(all).filter(([name]) => !known.includes(name)));
};

type Schema = ReturnType<typeof wireSchema>;

/** Names in `value` that `schema` does not list. A nullable schema is a choice of two. */
function unlisted({ anyOf, ...rest }: Schema, value: unknown, path = 'data'): string[] {
  const schema = (anyOf?.find(({ type }) => type === 'object') ?? rest) as Schema;
  if (Array.isArray(value)) return value.flatMap((item, index) => unlisted((schema.items ?? {}) as Schema, item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const listed = schema.properties?.[name];
    return listed ? unlisted(listed as Schema, inner, `${path}.${name}`) : [`${path}.${name}`];
  });
}
