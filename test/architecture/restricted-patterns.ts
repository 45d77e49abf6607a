/** Words that have one place, or none. */
import { isCode, isTest, linesWith, programFiles, withoutComments, type Rule, type Tree } from './tree.ts';

/** This file has to write down what it forbids. */
const SELF = 'test/architecture/restricted-patterns.ts';

const textRule = (
  rule: Omit<Rule, 'faults'> & { files(tree: Tree): (readonly [string, string])[]; pattern: RegExp; comments?: 'count' },
): Rule => ({
  ...rule,
  faults: (tree) =>
    rule
      .files(tree)
      .filter(([file]) => file !== SELF)
      .flatMap(([file, text]) =>
        linesWith(rule.comments ? text : withoutComments(text), rule.pattern).map(({ number, line }) => `${file}:${number} ${line}`),
      ),
});

const except = (files: (readonly [string, string])[], ...paths: string[]) => files.filter(([file]) => !paths.includes(file));

export const oneEnvironment = textRule({
  name: 'the environment is read in one place',
  why: 'every setting is parsed once, typed, refused when wrong and listed in docs/operations.md',
  files: (tree) => except(programFiles(tree), 'src/main.ts', 'src/routes.ts', 'src/db/embedded/server-account.server.ts'),
  pattern: /process\.env|import\.meta\.env/,
  planted: { 'src/domains/orders/service.server.ts': 'const slow = process.env.SLOW;' },
});

export const oneClock = textRule({
  name: 'the time of day comes from lib/clock.ts',
  why: 'time that is handed in can be set by a test; time that is taken cannot',
  files: (tree) => except(programFiles(tree), 'src/lib/clock.ts'),
  pattern: /Date\.now\(|new Date\(\s*\)|\bDate\(\)/,
  planted: {
    'src/domains/orders/rules.ts': 'export const today = () => new Date();',
    'src/browser/planted.ts': 'const started = Date.now();',
  },
});

export const noTimeInSql = textRule({
  name: 'SQL takes the time as a parameter',
  why: "the database's clock is a second one, which no test can set and which may differ from the program's",
  files: (tree) =>
    [...tree]
      .filter(([file]) => /^src\/db\/migrations\/|^src\/domains\/.*\.server\.ts$/.test(file))
      .map(([file, text]) => [file, text.replaceAll(/--[^\n]*/g, '')]),
  pattern: /(?<![.\w])(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bcurrent_(?:timestamp|date|time)\b/i,
  planted: { 'src/db/migrations/9999_planted.sql': 'alter table orders add seen_at timestamptz default now();' },
});

export const columnsByName = textRule({
  name: 'a statement names the columns that it reads',
  why: "statements are planned once per connection: when a newer program adds a column, 'select *' fails in the older ones that still run beside it",
  files: programFiles,
  pattern: /\b(?:select|returning)All\(|\bselect\s+(?:\w+\.)?\*|\breturning\s+\*/i,
  planted: {
    'src/domains/orders/store.server.ts': "export const all = (db: Db) => db.selectFrom('orders').selectAll().execute();",
    'src/domains/addresses/store.server.ts': "db.deleteFrom('addresses').returningAll().execute();",
    'src/domains/wallet/store.server.ts': 'await sql`select * from ledger_entries`.execute(db);',
  },
});

export const noLoosenedChecks = textRule({
  name: 'no check is switched off in a line of code',
  why: 'a rule that does not fit is changed for everyone, in its file, with the reason; a comment beside the code is never taken away again',
  files: (tree) => [...tree].filter(([file]) => isCode(file)),
  comments: 'count',
  pattern: /oxlint-disable|eslint-disable|@ts-(?:ignore|expect-error|nocheck)|oxfmt-ignore|prettier-ignore/,
  planted: { 'src/lib/planted.ts': '// @ts-expect-error it is fine\nexport const planted: number = "1";' },
});

export const noSkippedTests = textRule({
  name: 'no test is skipped, focused or left to do',
  why: 'a test that does not run is a promise nobody keeps',
  files: (tree) => [...tree].filter(([file]) => isTest(file) || file.endsWith('.spec.ts') || file.startsWith('test/')),
  pattern: /\b(?:test|it|describe|expect)\.(?:\w+\.)?(?:skip|only|todo|fixme|fails|skipIf|runIf|slow)\b/,
  planted: { 'src/lib/money.test.ts': "test.skip('half up', () => {});", 'test/e2e/home.spec.ts': "test.fixme('opens', () => {});" },
});

export const noMocksOfOurOwn = textRule({
  name: 'our own modules are never mocked',
  why: 'a test against a mock proves the mock; tests drive the whole program against PostgreSQL',
  files: (tree) => [...tree].filter(([file]) => isTest(file) || file.startsWith('test/')),
  pattern: /\bvi\.(?:mock|doMock|hoisted)\(/,
  planted: { 'src/domains/orders/orders.test.ts': "vi.mock('./store.server.ts');" },
});

export const productOnly = textRule({
  name: 'no path of one machine and no registry address',
  why: 'the repository must work wherever it is cloned',
  files: (tree) => [...tree].filter(([file]) => file !== 'package-lock.json'),
  comments: 'count',
  pattern: /(?:^|[\s'"`(=])\/(?:work|root|home\/\w+|tmp\/\w+|Users)\/|registry\.(?:npmjs|yarnpkg)|artifactory|_authToken/,
  planted: {
    'docs/planted.md': 'The build lies in /root/project/build.',
    'tools/planted.mjs': "const registry = 'https://registry.npmjs.org/';",
  },
});

export const portableLock: Rule = {
  name: 'package-lock.json names no address',
  why: 'the lock must install from any registry or mirror; integrity hashes already say what a package must be',
  faults: (tree) => linesWith(tree.get('package-lock.json') ?? '', /"resolved":/).map(({ number }) => `package-lock.json:${number}`),
  planted: { 'package-lock.json': '{ "packages": { "a": {\n"resolved": "https://example.org/a.tgz"\n} } }' },
};

export const exactVersions: Rule = {
  name: 'package.json pins exact versions',
  why: 'what was tested is what runs',
  faults: (tree) =>
    Object.entries(JSON.parse(tree.get('package.json') ?? '{}') as Record<string, unknown>)
      .filter(([key]) => /^(?:dev|optional|peer)?[dD]ependencies$/.test(key))
      .flatMap(([, pins]) => Object.entries(pins as Record<string, string>))
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name, version]) => `package.json: ${name} ${version}`),
  planted: { 'package.json': '{ "dependencies": { "react": "^19.0.0" } }' },
};
