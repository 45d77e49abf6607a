/** getsingle.php accepts three query texts and never executes them (docs/security.md, S1). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signUpCustomer } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';
import { lookUp } from './contract.ts';
import { parseQuery } from './rules.ts';
import { size } from '../../../test/support/size.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const MOBILE = '9876543210';

test.each([
  [`select mobile from users where mobile = '${MOBILE}'`, 'mobile'],
  [`SELECT Mobile, UserId FROM signup WHERE Mobile="${MOBILE}";`, 'mobile, userid'],
  [`  select\n name\tfrom   t_1 where mobile   =   '${MOBILE}'  ;  `, 'name'],
  [`select mobile ,userid from a where mobile='${MOBILE}'`, 'mobile, userid'],
])('parses %s', (text, select) => {
  expect(parseQuery(text)).toEqual({ select, mobile: MOBILE });
});

const REFUSED = [
  `select * from users where mobile = '${MOBILE}'`,
  `select password_hash from users where mobile = '${MOBILE}'`,
  `select name, mobile from users where mobile = '${MOBILE}'`,
  `select userid from users where mobile = '${MOBILE}'`,
  `select mobile from users where mobile = '${MOBILE}' or 1=1`,
  `select mobile from users where mobile = '${MOBILE}' union select name from users`,
  `select mobile from users where mobile = '${MOBILE}'; drop table customers`,
  `select mobile from users where mobile = '${MOBILE}';;`,
  `select mobile from users where mobile = '${MOBILE}' --`,
  `select mobile from users, customers where mobile = '${MOBILE}'`,
  `select mobile from public.users where mobile = '${MOBILE}'`,
  `select mobile from users where mobile = '${MOBILE}"`,
  `select mobile from users where mobile = ${MOBILE}`,
  `select mobile from users where mobile = '98765'`,
  `select mobile from users where mobile = '${MOBILE}1'`,
  `select mobile from users where mobile like '%'`,
  `select mobile from users where mobile = '९८७६५४३२१०'`,
  `select mobile from users`,
  'pg_sleep(10)',
  '',
];

test.each(REFUSED)('rejects %s', async (query) => {
  expect(await program.caller().send(lookUp, { query })).toEqual({
    response: 'error',
    message: 'This query is not answered',
    code: 'query-not-supported',
    params: {},
    data: null,
  });
});

/**
 * Pieces of the three texts and of well-known attacks, in any order and casing, so that near
 * misses are common.
 */
const pieces = [
  'select',
  'mobile',
  'userid',
  'name',
  ',',
  'from',
  'users',
  'where',
  '=',
  `'${MOBILE}'`,
  `"${MOBILE}"`,
  "'",
  '"',
  ';',
  '--',
  '/*',
  '*/',
  'or',
  '1=1',
  'union',
  '*',
  '(',
  ')',
  ' ',
  '\n',
  '\0',
  '\\',
  'é',
];
const texts = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((words) => words.join(' ')) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...REFUSED), fc.string(), fc.nat(60))
      .map(([text, noise, at]) => text.slice(0, at) + noise + text.slice(at)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
);

/** A second implementation of the three shapes: word by word instead of one pattern. */
function isSupportedQuery(text: string): boolean {
  const words = text
    .replace(/;?\s*$/, '')
    .replaceAll(/([,=])/g, ' $1 ')
    .replaceAll(/("[^"]*"|'[^']*')/g, ' $1 ')
    .trim()
    .split(/\s+/);
  const shape = words.map((word) => word.toLowerCase()).join(' ');
  const [head = '', rest = ''] = shape.split(/ from /);
  const [table = '', ...condition] = rest.split(' ');
  return (
    ['select mobile', 'select mobile , userid', 'select name'].includes(head) &&
    /^[a-z_][a-z0-9_]*$/.test(table) &&
    /^where mobile = (?:'\d{10}'|"\d{10}")$/.test(condition.join(' '))
  );
}

test('rejects every other text', () => {
  fc.assert(
    fc.property(texts, (text) => parseQuery(text) === undefined || isSupportedQuery(text)),
    { numRuns: size({ small: 20_000, full: 50_000 }) },
  );
});

test('returns no server error and no data for fuzzed texts', async () => {
  const { mobile } = await signUpCustomer(program, { mobile: MOBILE });
  const caller = program.caller();
  await fc.assert(
    fc.asyncProperty(texts, async (query) => {
      const result = await caller.post('getters/getsingle.php', { query });
      const found = result.json().response === 'success';
      // PostgreSQL stores no NUL and no half of a surrogate pair, so every call rejects them.
      expect(result.statusCode).toBe(query.length > 500 || query.includes('\0') || !query.isWellFormed() ? 400 : 200);
      expect(found).toBe(parseQuery(query)?.mobile === mobile);
    }),
    { numRuns: 300 },
  );
});

test('limits one network to thirty look-ups in ten minutes', async () => {
  const stranger = program.caller({ ip: '198.51.100.20' });
  const query = `select mobile from users where mobile = '${MOBILE}'`;
  const statuses: number[] = [];
  for (let count = 0; count < 32; count += 1) statuses.push((await stranger.post('getters/getsingle.php', { query })).statusCode);
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429]);
});

const query = `select mobile from users where mobile = '9111111111'`;
const lookUpFrom = async (ip: string) => (await program.caller({ ip }).post('getters/getsingle.php', { query })).statusCode;

test.each([
  ['a home with all networks of an IPv6 /56', (index: number) => `2001:db8:77:${(index % 256).toString(16)}::5`, '2001:db8:78::5'],
  ['a house of IPv4 addresses', (index: number) => `203.0.113.${index % 256}`, '203.0.114.5'],
])('limits %s to 150 look-ups, and other networks stay unaffected', async (_name, address, uninvolved) => {
  program.clock.advance(10 * 60);
  const statuses: number[] = [];
  for (let index = 0; index < 260; index += 1) statuses.push(await lookUpFrom(address(index)));
  expect(statuses).toEqual([...Array.from({ length: 150 }, () => 200), ...Array.from({ length: 110 }, () => 429)]);
  expect(await lookUpFrom(uninvolved)).toBe(200);
});

test('accepts look-ups of other networks after 300 networks have reached their limit', async () => {
  program.clock.advance(10 * 60);
  expect(await lookUpFrom('192.0.2.1')).toBe(200);
  await program.db
    .updateTable('limit_windows')
    .set({ taken: 300 * 150 })
    .where('name', '=', 'look-ups in all')
    .execute();
  expect(await lookUpFrom('192.0.2.2')).toBe(200);
});
