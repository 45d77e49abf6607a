/** Patterns that only one file may contain, or none. */
import { isCode, isTest, linesWith, programFiles, withoutComments, type Rule, type Tree } from './tree.ts';

/** Excluded, because this file contains the forbidden patterns. */
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
  why: 'settings.server.ts parses and validates every setting once, and docs/operations.md lists it',
  files: (tree) => except(programFiles(tree), 'src/main.ts', 'src/routes.ts', 'src/db/embedded/server-account.server.ts'),
  pattern: /process\.env|import\.meta\.env/,
  planted: { 'src/domains/orders/service.server.ts': 'const slow = process.env.SLOW;' },
});

export const oneClock = textRule({
  name: 'the current time comes from lib/clock.ts',
  why: 'a test can set a time that is passed as an argument, but not the system clock',
  files: (tree) => except(programFiles(tree), 'src/lib/clock.ts'),
  pattern: /Date\.now\(|new Date\(\s*\)|\bDate\(\)/,
  planted: {
    'src/domains/orders/rules.ts': 'export const today = () => new Date();',
    'src/browser/planted.ts': 'const started = Date.now();',
  },
});

export const ledgerReferences = textRule({
  name: 'references of the ledger are built by ledgerReference',
  why: 'two movements with one reference are one movement, so one table has every format (docs/ledger.md)',
  files: (tree) => except(programFiles(tree), 'src/domains/wallet/reference-rules.ts'),
  pattern: /`(?:referral|grant|claim|payment|order|reversal):\$\{|:kept`/,
  planted: { 'src/domains/orders/service.server.ts': 'const reference = `order:${orderid}:cancelled:1`;' },
});

export const commandsAlone = textRule({
  name: 'only commands in the terminal and sample data act for the laundry without a person',
  why: 'a call acts for the laundry with the StaffMember that requireStaff returns',
  files: (tree) => except(programFiles(tree), 'src/domains/staff/authentication.server.ts', 'src/server/demo/demo.server.ts'),
  pattern: /\blaundryCommand\b/,
  planted: { 'src/domains/orders/routes.server.ts': 'const order = await lockOrder(tx, laundryCommand(), orderid);' },
});

export const sampleCustomersAlone = textRule({
  name: 'only the demonstration makes a customer without a session',
  why: 'a call gets its customer from requireCustomer',
  files: (tree) => except(programFiles(tree), 'src/domains/sessions/authentication.server.ts', 'src/domains/accounts/service.server.ts'),
  pattern: /\bsampleCustomer\b/,
  planted: { 'src/domains/orders/routes.server.ts': 'const customer = sampleCustomer(request.body.userid);' },
});

export const noTimeInSql = textRule({
  name: 'SQL takes the time as a parameter',
  why: 'the clock of the database may differ from the clock of the program, and a test cannot set it',
  files: (tree) =>
    [...tree]
      .filter(([file]) => /^src\/db\/migrations\/|^src\/domains\/.*\.server\.ts$/.test(file))
      .map(([file, text]) => [file, text.replaceAll(/--[^\n]*/g, '')]),
  pattern: /(?<![.\w])(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bcurrent_(?:timestamp|date|time)\b/i,
  planted: { 'src/db/migrations/9999_planted.sql': 'alter table orders add seen_at timestamptz default now();' },
});

export const columnsByName = textRule({
  name: 'a statement names the columns that it reads',
  why: "a prepared 'select *' fails in a running older program when a newer one adds a column",
  files: programFiles,
  pattern: /\b(?:select|returning)All\(|\bselect\s+(?:\w+\.)?\*|\breturning\s+\*/i,
  planted: {
    'src/domains/orders/store.server.ts': "export const all = (db: Db) => db.selectFrom('orders').selectAll().execute();",
    'src/domains/addresses/store.server.ts': "db.deleteFrom('addresses').returningAll().execute();",
    'src/domains/wallet/store.server.ts': 'await sql`select * from ledger_entries`.execute(db);',
  },
});

export const languagesByFolder = textRule({
  name: 'no file names the catalogue of a language',
  why: 'the program offers the languages whose catalogues it finds, so that a language can be added or removed by its files alone',
  files: programFiles,
  pattern: /\b[a-z]{2}\.json['"`]/,
  planted: { 'src/i18n/planted.ts': "import hi from './hi.json';" },
});

export const noLoosenedChecks = textRule({
  name: 'no comment disables a check',
  why: 'change a wrong rule in its configuration, with the reason; comments that disable it stay for ever',
  files: (tree) => [...tree].filter(([file]) => isCode(file)),
  comments: 'count',
  pattern: /oxlint-disable|eslint-disable|@ts-(?:ignore|expect-error|nocheck)|oxfmt-ignore|prettier-ignore/,
  planted: { 'src/lib/planted.ts': '// @ts-expect-error it is fine\nexport const planted: number = "1";' },
});

export const noSkippedTests = textRule({
  name: 'no test is skipped, focused or left to do',
  why: 'a test that does not run proves nothing',
  files: (tree) => [...tree].filter(([file]) => isTest(file) || file.endsWith('.spec.ts') || file.startsWith('test/')),
  pattern: /\b(?:test|it|describe|expect)\.(?:\w+\.)?(?:skip|only|todo|fixme|fails|skipIf|runIf|slow)\b/,
  planted: { 'src/lib/money.test.ts': "test.skip('half up', () => {});", 'test/e2e/home.spec.ts': "test.fixme('opens', () => {});" },
});

export const noMocksOfOurOwn = textRule({
  name: 'our own modules are never mocked',
  why: 'a test with a mock tests the mock; tests run the whole program on PostgreSQL',
  files: (tree) => [...tree].filter(([file]) => isTest(file) || file.startsWith('test/')),
  pattern: /\bvi\.(?:mock|doMock|hoisted)\(/,
  planted: { 'src/domains/orders/orders.test.ts': "vi.mock('./store.server.ts');" },
});

export const productOnly = textRule({
  name: 'no file contains a path of one machine or a registry address',
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
  name: 'package-lock.json contains no registry address',
  why: 'the lock must install from any registry or mirror; integrity hashes already identify the packages',
  faults: (tree) => linesWith(tree.get('package-lock.json') ?? '', /"resolved":/).map(({ number }) => `package-lock.json:${number}`),
  planted: { 'package-lock.json': '{ "packages": { "a": {\n"resolved": "https://example.org/a.tgz"\n} } }' },
};

export const exactVersions: Rule = {
  name: 'package.json pins exact versions',
  why: 'the tested versions must be the versions that run',
  faults: (tree) =>
    Object.entries(JSON.parse(tree.get('package.json') ?? '{}') as Record<string, unknown>)
      .filter(([key]) => /^(?:dev|optional|peer)?[dD]ependencies$/.test(key))
      .flatMap(([, pins]) => Object.entries(pins as Record<string, string>))
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name, version]) => `package.json: ${name} ${version}`),
  planted: { 'package.json': '{ "dependencies": { "react": "^19.0.0" } }' },
};
