/** `npm run backup`, `restore` and `migrate`: a restore drill, and what is refused. */
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { composeProgram } from '../../src/compose.server.ts';
import { CHECKSUMS, checksumOf, MANIFEST } from '../../src/db/backup/backup-format.server.ts';
import { restoreBackup } from '../../src/db/backup/restore-backup.server.ts';
import { writeBackup } from '../../src/db/backup/write-backup.server.ts';
import { migrate } from '../../src/db/migrate.server.ts';
import { migrations } from '../../src/db/migrations.server.ts';
import { login } from '../../src/domains/accounts/contract.ts';
import { BACKUP_RUN } from '../../src/domains/system/desk/rules.ts';
import { findLastSuccess } from '../../src/domains/system/store.server.ts';
import { fromKolkataDateTime } from '../../src/lib/dates.ts';
import { parseSettings } from '../../src/settings.server.ts';
import { createCaller } from '../support/caller.ts';
import { PASSWORD, signUpCustomer } from '../support/customer.ts';
import { newOrderingCustomer, place, placeOutForDelivery } from '../support/ordering.ts';
import { newDatabase, onServer, urlOf } from '../support/postgres.ts';
import { TEST_SECRET, useProgram } from '../support/program.ts';
import { newStaff } from '../support/staff.ts';
import { temporaryRoot } from '../support/temporary-root.ts';
import { initialisedFolder, isRoot, UNPRIVILEGED_UID } from './processes.ts';
import { runShared } from './run-tool.ts';

const program = useProgram({ LOG_LEVEL: 'silent' });

const LIVE = {
  MODE: 'live',
  PUBLIC_URL: 'https://laundry.example',
  TRUST_PROXY: '1',
  SECRET: TEST_SECRET,
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: 'key',
  MSG91_TEMPLATE_ID: 'template',
  BRAND_EMAIL: 'help@laundry.example',
  BRAND_MOBILE: '9876500000',
  BRAND_ADDRESS: 'Sector 82',
};

const server = JSON.parse(inject('server')) as pg.ClientConfig;

async function temporaryFolder() {
  const folder = await mkdtemp(path.join(temporaryRoot, 'dhulai-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function emptyDatabase() {
  const { connection, drop } = await newDatabase(server);
  onTestFinished(drop);
  return connection;
}

const PHOTO = 'photo-1';

/** A backup of the program's database with a paid order, an open one and a photo. */
async function newBackup() {
  const root = await temporaryFolder();
  const photos = path.join(root, 'photos');
  await mkdir(photos);
  await writeFile(path.join(photos, PHOTO), 'a stain');
  await writeFile(path.join(photos, `${PHOTO}.part`), 'half a stain');
  await place(await newOrderingCustomer(program));
  const customer = await signUpCustomer(program);
  await placeOutForDelivery(program, customer);
  await newStaff(program, 'operator');
  const folder = path.join(root, 'backup');
  await writeBackup({ connection: program.connection, folder, photos, now: program.clock.now() });
  return { root, folder, photos, customer };
}

/** Every row of every table as text, and the next numbers. */
const contentsOf = (connection: pg.ClientConfig) =>
  onServer(connection, async (client) => {
    const tables = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' order by 1",
    );
    const contents: Record<string, unknown> = {};
    for (const { name } of tables.rows.filter(({ name }) => !['schema_migrations', 'notifications'].includes(name))) {
      // The ids of transactions belong to one server.
      const { rows } = await client.query<{ row: string }>(`select (to_jsonb(t) - 'xid')::text as row from ${name} t order by 1`);
      contents[name] = rows.map(({ row }) => row);
    }
    const sequences = await client.query("select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1");
    return { ...contents, sequences: sequences.rows };
  });

/** A session that was ended after the backup must not begin again. */
const noSessions = { sessions: [], staff_sessions: [] };

const inFolder = { migrations, replace: false, now: new Date('2026-11-22T10:00:00Z'), complete: async () => {} };

test('restores every row, photo and number into an empty database, and the program continues with them', { timeout: 60_000 }, async () => {
  const { root, photos, customer } = await newBackup();
  const folder = path.join(root, 'by-command');
  const before = await contentsOf(program.connection);
  const written = await runShared({ DATABASE_URL: urlOf(program.connection), PHOTO_DIR: photos, SECRET: TEST_SECRET }, ['backup', folder]);
  expect(written).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`1 photos from ${photos}`) });
  const [, india = '', utc = ''] = / rows of (\S+ \S+) in India, (\S+) UTC\. /.exec(written.out) ?? [];
  expect(fromKolkataDateTime(`${india}:00`).toISOString().slice(11, 16)).toBe(utc);
  expect(await readdir(root)).toEqual(['backup', 'by-command', 'photos']);
  const backedUpAt = await findLastSuccess(program.db, BACKUP_RUN);
  expect(Math.abs(Date.now() - (backedUpAt?.getTime() ?? 0))).toBeLessThan(60_000);
  expect((await stat(folder)).mode & 0o077).toBe(0);

  const connection = await emptyDatabase();
  const restoredPhotos = path.join(root, 'restored-photos');
  const restored = await runShared({ DATABASE_URL: urlOf(connection), PHOTO_DIR: restoredPhotos }, ['restore', folder]);
  expect(restored).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining(`The ledger is balanced. Database ${new URL(urlOf(connection)).pathname.slice(1)}: `),
  });
  expect(restored.out).toContain(`Restored the backup of ${india} in India, ${utc} UTC: `);
  expect(restored.out).toContain(` rows, and 1 photos to ${restoredPhotos}. `);
  expect(await contentsOf(connection)).toEqual({ ...before, ...noSessions });
  expect(await readdir(restoredPhotos)).toEqual([PHOTO]);
  const { rows } = await onServer(connection, (client) => client.query('select count(xid)::int as known from order_events'));
  expect(rows).toEqual([{ known: 0 }]);
  expect(await onServer(connection, async (client) => (await client.query('select distinct state from notifications')).rows)).toEqual([
    { state: 'withdrawn' },
  ]);
  expect(await runShared({ DATABASE_URL: urlOf(connection) }, ['ledger', 'audit'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('The ledger is balanced'),
  });

  const settings = parseSettings({ LOG_LEVEL: 'silent', BOT_CHECK: 'off' });
  const { app } = await composeProgram({ settings, database: connection, secret: TEST_SECRET, build: undefined, clock: program.clock });
  onTestFinished(() => app.close());
  const caller = createCaller(() => app);
  expect(await caller.send(login, { mobile: customer.mobile, password: PASSWORD })).toMatchObject({ response: 'success' });
});

test('a backup without a photo of the database says so, and a restore without a folder for photos too', { timeout: 60_000 }, async () => {
  const { root, folder, photos, customer } = await newBackup();
  const stored = {
    customer_id: customer.userid,
    type: 'image/jpeg',
    bytes: 7,
    created_at: program.clock.now(),
    stored_at: program.clock.now(),
  } as const;
  const lost = { ...stored, id: 'photo-of-an-earlier-folder' };
  await program.db
    .insertInto('claim_photos')
    .values([{ ...stored, id: PHOTO }, lost])
    .execute();
  onTestFinished(async () => {
    await program.db.deleteFrom('claim_photos').where('customer_id', '=', customer.userid).execute();
  });
  const incomplete = path.join(root, 'incomplete');
  const lastBackup = await findLastSuccess(program.db, BACKUP_RUN);
  const env = { DATABASE_URL: urlOf(program.connection), PHOTO_DIR: photos, SECRET: TEST_SECRET };
  const written = await runShared(env, ['backup', incomplete]);
  expect(written).toMatchObject({ code: 1, err: expect.stringContaining(`1 photos of the database are not in ${photos}: ${lost.id}.`) });
  expect(await readdir(path.join(incomplete, 'photos'))).toEqual([PHOTO]);
  expect(await findLastSuccess(program.db, BACKUP_RUN)).toEqual(lastBackup);

  const bucket = {
    PHOTO_STORAGE: 's3',
    S3_URL: 'http://127.0.0.1:9',
    S3_REGION: 'region',
    S3_BUCKET: 'bucket',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const restored = await runShared({ DATABASE_URL: urlOf(await emptyDatabase()), ...bucket }, ['restore', folder]);
  expect(restored).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ rows, and no photos\.[^]*1 photos of the backup are not restored/),
  });
});

test('a live backup and a live restore need the folder of the photos', { timeout: 60_000 }, async () => {
  const { root, folder } = await newBackup();
  const env = { ...LIVE, DATABASE_URL: urlOf(await emptyDatabase()) };
  const refused = {
    code: 1,
    out: '',
    err: 'Nothing was done: the folder of the photos is not set. Set DATA_DIR or PHOTO_DIR as the program has them.',
  };
  expect(await runShared({ ...env, DATABASE_URL: urlOf(program.connection) }, ['backup', path.join(root, 'live')])).toEqual(refused);
  expect(await runShared(env, ['restore', folder])).toEqual(refused);
  const photos = path.join(root, 'live-photos');
  expect(await runShared({ ...env, PHOTO_DIR: photos }, ['restore', folder])).toMatchObject({ code: 0 });
  expect(await readdir(photos)).toEqual([PHOTO]);
});

test('names the people of the staff whom the backup brings back', { timeout: 60_000 }, async () => {
  const folder = path.join(await temporaryFolder(), 'backup');
  const staff = await newStaff(program, 'rider');
  await writeBackup({ connection: program.connection, folder, photos: undefined, now: program.clock.now() });
  const command = (...args: string[]) => runShared({ DATABASE_URL: urlOf(program.connection) }, args);
  const { out: listed } = await command('staff', 'list');
  expect(listed.split('\n')).toContain(`${staff.mobile}  rider  active  ${staff.name}`);
  expect((await command('staff', 'remove', staff.mobile)).code).toBe(0);
  const { out } = await runShared({ DATABASE_URL: urlOf(await emptyDatabase()) }, ['restore', folder]);
  for (const person of listed.split('\n')) expect(out.split('\n')).toContain(`  ${person}`);
  expect(out).toContain('npm run staff -- remove <mobile>');
});

test('restores every row of tables of every size', { timeout: 60_000 }, async () => {
  const connection = await emptyDatabase();
  await migrate(connection, migrations);
  const countRows = (of: pg.ClientConfig) =>
    onServer(of, async (client) => (await client.query<{ rows: number }>('select count(*)::int as rows from staff_audit')).rows[0]?.rows);
  let total = 0;
  for (const rows of [300, 700, 1300, 2600]) {
    await onServer(connection, (client) =>
      client.query(`insert into staff_audit (at, action, subject_kind, subject_id)
        select now(), 'moved', 'order', repeat('a', 500) from generate_series(1, ${rows})`),
    );
    total += rows;
    const folder = path.join(await temporaryFolder(), 'backup');
    await writeBackup({ connection, folder, photos: undefined, now: program.clock.now() });
    const target = await emptyDatabase();
    await restoreBackup({ ...inFolder, connection: target, folder, photos: undefined });
    expect(await countRows(target)).toBe(total);
  }
});

test(
  'restores in the rehearsal of docs/operations.md with the settings of a live laundry and without photos',
  { timeout: 60_000 },
  async () => {
    const root = await temporaryFolder();
    const folder = path.join(root, 'backup');
    await writeBackup({ connection: program.connection, folder, photos: undefined, now: program.clock.now() });
    const lines = (await readFile('docs/operations.md', 'utf8')).split('\n');
    const [words, ...more] = lines.flatMap((line) => /^env (.*) npm run (?:restore|ledger) -- /.exec(line)?.[1] ?? []);
    expect(more).toEqual([words]);
    const [, unset = '', set = ''] = /^((?:-u \w+ )+)(.*)$/.exec(words ?? '') ?? [];
    const live = { ...LIVE, DATABASE_URL: urlOf(program.connection), DATABASE_DIRECT_URL: urlOf(program.connection), PHOTO_DIR: root };
    const env = Object.fromEntries(Object.entries(live).filter(([name]) => !unset.includes(`-u ${name} `)));
    const DATA_DIR = await initialisedFolder();
    expect(set).toBe('MODE=demo DATA_DIR=/var/tmp/drill');
    const restored = await runShared({ ...env, MODE: 'demo', DATA_DIR }, ['restore', folder]);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining(' rows, and no photos. The ledger is balanced.') });
  },
);

test('restores into an embedded server without a program', { timeout: 60_000 }, async () => {
  const { folder } = await newBackup();
  const env = { DATA_DIR: await initialisedFolder() };
  const opened = `DATABASE_URL is not set: this command uses the embedded database in ${env.DATA_DIR}.`;
  expect(await runShared(env, ['restore', folder])).toMatchObject({ code: 0, err: opened });
  expect((await runShared(env, ['migrate'])).out).toBe('The database is complete: nothing was applied.');
  expect(await readFile(path.join(env.DATA_DIR, 'photos', PHOTO), 'utf8')).toBe('a stain');
});

test('migrate refuses what breaks connected processes of an older version', { timeout: 60_000 }, async () => {
  const connection = await emptyDatabase();
  const env = { DATABASE_URL: urlOf(connection) };
  await migrate(connection, migrations.slice(0, 20));
  const checked = await runShared(env, ['migrate', 'check']);
  expect(checked).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Missing migrations: 0021_\w+\.sql, 0022_/) });
  expect(checked.out).toMatch(/\nStop every process of the program before you migrate: [^\n]* does not work with 0\d{3}_\w+\.sql\.\n/);
  expect(checked.out).toMatch(/\nNothing was changed\.$/);
  await onServer({ ...connection, application_name: 'dhulai pid 12 pool' }, async () => {
    expect(await runShared(env, ['migrate'])).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^Nothing was done: processes of an older version are connected \(dhulai pid 12\) and do not work with 0\d{3}_\w+\.sql\. Stop them/,
      ),
    });
    expect(await runShared(env, ['migrate', 'anyway'])).toMatchObject({ code: 0, out: expect.stringMatching(/^Applied: 0021_/) });
    expect(await runShared(env, ['migrate'])).toMatchObject({ code: 0, out: 'The database is complete: nothing was applied.' });
    expect(await runShared(env, ['migrate', 'check'])).toMatchObject({ code: 0, out: 'The database is complete: nothing is missing.' });
  });
});

test('migrate check finds that running processes can stay, and changes nothing', { timeout: 60_000 }, async () => {
  const connection = await emptyDatabase();
  const newest = migrations.at(-1)?.name ?? '';
  await migrate(connection, migrations.slice(0, -1));
  const out = `Missing migrations: ${newest}.\nThe processes of the version that migrated last can keep running.\nNothing was changed.`;
  for (let time = 0; time < 2; time += 1)
    expect(await runShared({ DATABASE_URL: urlOf(connection) }, ['migrate', 'check'])).toEqual({ code: 0, err: '', out });
});

test('keeps the replaced data, and asks for the word replace', { timeout: 60_000 }, async () => {
  const { folder, root } = await newBackup();
  const connection = await emptyDatabase();
  await migrate(connection, migrations);
  await onServer(connection, (client) => client.query("insert into customers (id, mobile, created_at) values ('C9', '9999999999', now())"));
  const env = { DATABASE_URL: urlOf(connection), PHOTO_DIR: path.join(root, 'other') };
  expect(await runShared(env, ['restore', folder])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^The database \w+ is not empty \(\d+ tables\)\. For a rehearsal, name an empty database\. To replace the data, add the word 'replace': the present data is then kept in another schema$/,
    ),
  });
  const replaced = await runShared(env, ['restore', folder, 'replace']);
  expect(replaced).toMatchObject({ code: 0, err: '' });
  expect(await contentsOf(connection)).toEqual({ ...(await contentsOf(program.connection)), ...noSessions });
  const [schema] = /replaced_\d+/.exec(replaced.out) ?? [];
  const { rows } = await onServer(connection, (client) => client.query(`select mobile from ${schema}.customers`));
  expect(rows).toEqual([{ mobile: '9999999999' }]);

  // The way back of docs/operations.md.
  await onServer(connection, (client) =>
    client.query(`begin; alter schema public rename to mistaken; alter schema ${schema} rename to public; commit`),
  );
  expect((await runShared(env, ['ledger', 'audit'])).out).toContain(': 0 orders, 0 payments.');
  expect(await runShared(env, ['migrate'])).toMatchObject({ code: 0, out: 'The database is complete: nothing was applied.' });
});

test.each(['', 'replace'])('restores nothing into the database of another program (%s)', { timeout: 60_000 }, async (word) => {
  const { folder, root } = await newBackup();
  const connection = await emptyDatabase();
  await onServer(connection, (client) => client.query('create table wp_posts (id int); create table schema_migrations (version text)'));
  const env = { DATABASE_URL: urlOf(connection), PHOTO_DIR: path.join(root, 'other') };
  expect(await runShared(env, ['restore', folder, ...(word ? [word] : [])])).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^The database \w+ has 2 tables of another program: name an empty one in DATABASE_URL\. Nothing was done\.$/,
    ),
  });
  const { rows } = await onServer(connection, (client) =>
    client.query("select tablename from pg_tables where schemaname = 'public' order by 1"),
  );
  expect(rows).toEqual([{ tablename: 'schema_migrations' }, { tablename: 'wp_posts' }]);
});

test('a process that starts during a restore waits, and writes to the restored data', { timeout: 60_000 }, async () => {
  const { folder } = await newBackup();
  const connection = await emptyDatabase();
  await migrate(connection, migrations);
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let started: Promise<unknown>[] = [];
  const complete = () =>
    onServer(connection, async (client) => {
      started = [
        migrate(connection, migrations),
        onServer(connection, (other) => other.query("insert into customers (id, mobile, created_at) values ('C9', '9999999999', now())")),
      ];
      await Promise.race([...started, expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: 20_000 }).toBe(2)]);
    });
  await restoreBackup({ ...inFolder, connection, folder, photos: undefined, replace: true, complete });
  await Promise.all(started);
  const { rows } = await onServer(connection, (client) => client.query("select mobile from customers where id = 'C9'"));
  expect(rows).toEqual([{ mobile: '9999999999' }]);
});

test('restores a backup of an older version and applies the migrations since', async () => {
  const connection = await emptyDatabase();
  await migrate(connection, migrations.slice(0, 11));
  await onServer(connection, (client) => client.query("insert into customers (id, mobile, created_at) values ('C9', '9999999999', now())"));
  const folder = path.join(await temporaryFolder(), 'backup');
  await writeBackup({ connection, folder, photos: undefined, now: new Date('2026-11-22T09:00:00Z') });
  const target = await emptyDatabase();
  await restoreBackup({ ...inFolder, connection: target, folder, photos: undefined });
  expect(await migrate(target, migrations)).toEqual([]);
  const { rows } = await onServer(target, (client) => client.query('select mobile from customers'));
  expect(rows).toEqual([{ mobile: '9999999999' }]);
});

test('leaves out the tables and columns that an operator has added', { timeout: 60_000 }, async () => {
  const root = await temporaryFolder();
  const connection = await emptyDatabase();
  await migrate(connection, migrations);
  await onServer(connection, (client) =>
    client.query(`
      create table "My notes 2" (id int generated always as identity, order_id text);
      insert into "My notes 2" default values;
      create table my_notes (id int);
      alter table customers add column mine text;
      insert into customers (id, mobile, created_at, mine) values ('C9', '9999999999', now(), 'a friend')`),
  );
  const env = { DATABASE_URL: urlOf(connection), DATA_DIR: root };
  const written = await runShared(env, ['backup', path.join(root, 'backup')]);
  expect(written).toMatchObject({ code: 0, err: '' });
  expect(written.out.split('\n')).toContain("Not in the backup, because it is not the program's: My notes 2, customers.mine, my_notes");
  const target = await emptyDatabase();
  expect(await runShared({ ...env, DATABASE_URL: urlOf(target) }, ['restore', path.join(root, 'backup')])).toMatchObject({
    code: 0,
    err: '',
  });
  const { rows } = await onServer(target, (client) => client.query('select * from customers'));
  expect(rows).toEqual([expect.objectContaining({ mobile: '9999999999' })]);
  expect(rows[0]).not.toHaveProperty('mine');
});

test('restores a backup with added tables and columns, as earlier versions wrote it, without them', { timeout: 60_000 }, async () => {
  const root = await temporaryFolder();
  const connection = await emptyDatabase();
  await migrate(connection, migrations);
  await onServer(connection, (client) =>
    client.query(`
      create table my_notes (id int generated always as identity);
      insert into my_notes default values;
      alter table customers add column mine int;
      insert into customers (id, mobile, created_at, mine) values ('C9', '9999999999', now(), 7);
      insert into schema_migrations (name, checksum, compatible_since) values ('9999_later.sql', 'x', '0001')`),
  );
  const folder = path.join(root, 'backup');
  await writeBackup({ connection, folder, photos: undefined, now: program.clock.now() });
  await rewrite(folder, MANIFEST, (text) => text.replace(/,\s*\{\s*"name": "9999_later.sql",\s*"checksum": "x"\s*\}/, ''));
  const target = await emptyDatabase();
  const restored = await runShared({ DATABASE_URL: urlOf(target), DATA_DIR: root }, ['restore', folder]);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out.split('\n')).toContain("Not restored, because it is not the program's: customers.mine, my_notes");
  const { rows } = await onServer(target, (client) => client.query('select * from customers'));
  expect(rows).toEqual([expect.objectContaining({ mobile: '9999999999' })]);
  expect(rows[0]).not.toHaveProperty('mine');
});

/** Changes a file and its checksum, so that only its meaning is wrong. */
async function rewrite(folder: string, file: string, change: (text: string) => string) {
  const target = path.join(folder, file);
  const before = await checksumOf(target);
  await writeFile(target, change(await readFile(target, 'utf8')));
  const sums = path.join(folder, CHECKSUMS);
  await writeFile(sums, (await readFile(sums, 'utf8')).replace(before, await checksumOf(target)));
}

const DAMAGE: Record<string, { change(folder: string): Promise<void>; message: string }> = {
  'a changed file': {
    change: (folder) => appendFile(path.join(folder, 'tables/orders.copy.gz'), 'x'),
    message: 'tables/orders.copy.gz is changed',
  },
  'a missing file': { change: (folder) => rm(path.join(folder, 'tables/orders.copy.gz')), message: 'tables/orders.copy.gz is missing' },
  'an added file': { change: (folder) => writeFile(path.join(folder, 'photos/other'), ''), message: 'has an unknown file: photos/other' },
  'no checksums': { change: (folder) => rm(path.join(folder, CHECKSUMS)), message: 'is not a complete backup' },
  'no folder': { change: (folder) => rm(folder, { recursive: true }), message: 'is no folder' },
  'another format': {
    change: (folder) => rewrite(folder, MANIFEST, (text) => text.replace('dhulai-backup-1', 'other')),
    message: 'is not a backup of this program',
  },
  'no manifest': {
    change: async (folder) => {
      await rename(path.join(folder, MANIFEST), path.join(folder, 'm.json'));
      const sums = path.join(folder, CHECKSUMS);
      await writeFile(sums, (await readFile(sums, 'utf8')).replace(MANIFEST, 'm.json'));
    },
    message: 'is not a backup of this program',
  },
  'a newer version': {
    change: (folder) => rewrite(folder, MANIFEST, (text) => text.replace('0002_laundry', '9999_laundry')),
    message: 'The backup is of a newer version (migration 9999_laundry.sql): restore it with that version',
  },
  'other columns': {
    change: (folder) => rewrite(folder, MANIFEST, (text) => text.replace('"washing', '"x').replace('"ship_city"', '"ship_town"')),
    message: 'at the table orders',
  },
  'another number of rows': {
    change: (folder) => rewrite(folder, MANIFEST, (text) => text.replace(/("name": "customers",[^}]*"rows": )\d+/, '$199')),
    message: 'customers has not 99 rows',
  },
};

test('refuses damaged and foreign backups before it changes anything', { timeout: 120_000 }, async () => {
  const { folder, root } = await newBackup();
  const connection = await emptyDatabase();
  await migrate(connection, migrations);
  const before = await contentsOf(connection);
  for (const [name, { change, message }] of Object.entries(DAMAGE)) {
    const damaged = path.join(root, name.replaceAll(' ', '-'));
    await cp(folder, damaged, { recursive: true });
    await change(damaged);
    const restored = restoreBackup({ ...inFolder, replace: true, connection, folder: damaged, photos: path.join(root, 'nowhere') });
    await expect(restored, name).rejects.toThrow(message);
  }
  expect(await contentsOf(connection)).toEqual(before);
  expect(await readdir(root)).not.toContain('nowhere');
  expect(await runShared({ DATABASE_URL: urlOf(connection) }, ['restore', path.join(root, 'a-changed-file'), 'replace'])).toEqual({
    code: 1,
    out: '',
    err: `${path.join(root, 'a-changed-file')} is damaged: tables/orders.copy.gz is changed`,
  });
});

test('refuses a backup with a ledger that is not balanced, and one of a database in use', { timeout: 60_000 }, async () => {
  const { folder } = await newBackup();
  const connection = await emptyDatabase();
  const refused = restoreBackup({
    ...inFolder,
    connection,
    folder,
    photos: undefined,
    complete: async () => {
      throw new Error('not balanced');
    },
  });
  await expect(refused).rejects.toThrow('not balanced');
  expect(await contentsOf(connection)).toEqual({ sequences: [] });
  // The pool closes idle connections; a running program always has one.
  await program.db.connection().execute(async () => {
    const inUse = restoreBackup({ ...inFolder, replace: true, connection: program.connection, folder, photos: undefined });
    await expect(inUse).rejects.toThrow(
      /^The database \w+ is in use \(dhulai pid \d+ \w+\): stop the program first, and PgBouncer, which keeps connections$/,
    );
  });
});

test('refuses a folder that exists, and leaves nothing behind a failed backup', async () => {
  const root = await temporaryFolder();
  const backup = { connection: program.connection, photos: undefined, now: program.clock.now() };
  await expect(writeBackup({ ...backup, folder: root })).rejects.toThrow('exists already');
  const empty = await emptyDatabase();
  await expect(writeBackup({ ...backup, connection: empty, folder: path.join(root, 'none') })).rejects.toThrow('has no tables');
  expect(await readdir(root)).toEqual([]);
  // No user can write there.
  await expect(writeBackup({ ...backup, folder: '/sys/backup' })).rejects.toThrow(
    '/sys is not readable and writable for this user: choose another folder',
  );
  await expect(writeBackup({ ...backup, folder: '/proc/backup' })).rejects.toThrow(
    '/proc is not readable and writable for this user: choose another folder',
  );
});

test('refuses a folder that it may write but not read, because it could not make the backup durable', async () => {
  const root = await temporaryFolder();
  if (isRoot) await chown(root, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
  await chmod(root, 0o300);
  const backup = { connection: program.connection, photos: undefined, now: program.clock.now() };
  if (isRoot) process.seteuid?.(UNPRIVILEGED_UID);
  const written = writeBackup({ ...backup, folder: path.join(root, 'backup') });
  await expect(written.finally(() => isRoot && process.seteuid?.(0))).rejects.toThrow(
    `${root} is not readable and writable for this user: choose another folder`,
  );
  await chmod(root, 0o700);
  expect(await readdir(root)).toEqual([]);
});

test('a command without a database does nothing, and names the folder and the settings', async () => {
  const root = await temporaryFolder();
  await chmod(root, 0o755);
  const env = { DATA_DIR: path.join(root, 'data') };
  const refused = {
    code: 1,
    out: '',
    err: `There is no database in ${env.DATA_DIR}: set DATABASE_URL, or set DATA_DIR to the folder of the database. Nothing was done.`,
  };
  const commands = [
    ['backup', path.join(root, 'backup')],
    ['migrate'],
    ['ledger', 'audit'],
    ['order', 'list'],
    ['claim', 'list'],
    ['catalogue', 'list'],
    ['staff', 'list'],
    ['customer', 'export', '9876500000'],
    ['grant', 'promotion', '9876500000', '50', 'A test'],
    ['seed', '--end-accounts'],
  ];
  for (const command of commands) expect(await runShared(env, command), command.join(' ')).toEqual(refused);
  expect(await readdir(root)).toEqual([]);
  // Without arguments a command prints its usage.
  expect(await runShared(env, ['order'])).toMatchObject({ code: 1, err: expect.stringContaining('npm run order -- list') });
});

test('names the arguments of the commands', async () => {
  expect(await runShared({}, ['backup'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('npm run backup -- <folder>') });
  const refused = expect.stringMatching(/^'overwrite' is not understood\. Nothing was done\.\nnpm run restore/) as string;
  expect(await runShared({}, ['restore', 'a', 'overwrite'])).toMatchObject({ code: 1, out: '', err: refused });
});
