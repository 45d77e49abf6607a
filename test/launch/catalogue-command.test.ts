/** `npm run catalogue` sets the programs and rates of a laundry (design sections 3 and 6). */
import { describe, expect, test } from 'vitest';
import { urlOf } from '../support/postgres.ts';
import { useProgram } from '../support/program.ts';
import { programsAndReviews } from '../../src/domains/catalogue/contract.ts';
import { loadSampleCatalogue } from '../../src/domains/catalogue/service.server.ts';
import { runShared } from './run-tool.ts';

const program = useProgram({
  MODE: 'live',
  DATABASE_URL: 'postgres://unused.invalid/replaced-by-the-test',
  PUBLIC_URL: 'https://laundry.example',
  TRUST_PROXY: '0',
  BRAND_EMAIL: 'help@laundry.example',
  BRAND_MOBILE: '+91 98765 00000',
  BRAND_ADDRESS: 'Shop 4, Sector 81, Gurugram',
  SECRET: 'a secret for tests, at least 32 bytes',
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: 'key',
  MSG91_TEMPLATE_ID: 'template',
});

const runCatalogue = async (...args: string[]) => {
  const { code, out, err } = await runShared({ DATABASE_URL: urlOf(program.connection) }, ['catalogue', ...args]);
  return { code, output: `${out}${err}` };
};

const listPrograms = async () => {
  const { data } = await program.caller().send(programsAndReviews, {});
  return data?.variations.map((row) => [row.programid, row.area, row.rate]);
};

describe('a live installation', () => {
  test('starts with an empty catalogue', async () => {
    expect(await listPrograms()).toEqual([]);
    expect((await runCatalogue('list')).output).toMatch(/^The catalogue is empty\./);
  });

  test('offers a program at the configured rate, with default or configured area surcharges', async () => {
    expect(await runCatalogue('set', 'wash', '41.50')).toEqual({
      code: 0,
      output: 'wash: Wash, ₹41.50 per kg (manesar ₹41.50, vatika ₹51.50)',
    });
    expect((await runCatalogue('area', 'wash', 'vatika', '7')).code).toBe(0);
    expect((await runCatalogue('set', 'wash', '42')).code).toBe(0);
    expect(await listPrograms()).toEqual([
      ['wash', 'manesar', 4200],
      ['wash', 'vatika', 4900],
    ]);
  });

  test('refuses to load samples into a catalogue that is not empty', async () => {
    const before = await listPrograms();
    expect((await runCatalogue('samples')).code).toBe(1);
    expect(await listPrograms()).toEqual(before);
  });

  test.each([
    [['set', 'wash', 'cheap'], "'cheap' is not an amount from ₹1 to ₹10,000, such as 38 or 38.50."],
    [['set', 'wash', '0.5'], "'0.5' is not an amount from ₹1 to ₹10,000, such as 38 or 38.50."],
    [['set', 'dry-cleaning', '90'], "There is no program 'dry-cleaning': wash, wash-iron, iron."],
    [['area', 'iron', 'vatika', '5'], "There is no program 'iron': wash, wash-iron, iron."],
    [['area', 'wash', 'sector-1', '5'], "There is no area 'sector-1': manesar, vatika."],
    [['constructor'], "There is no command 'constructor'. Nothing was done."],
  ])('rejects %j without a change and prints the reason', async (args, line) => {
    const before = await listPrograms();
    const { code, output } = await runCatalogue(...args);
    expect([code, output.split('\n')[0]]).toEqual([1, line]);
    expect(await listPrograms()).toEqual(before);
  });
});

test('loads samples once under concurrent calls, and does not restore deleted ones', async () => {
  await program.db.deleteFrom('area_variations').execute();
  await program.db.deleteFrom('programs').execute();
  const loaded = await Promise.all([1, 2, 3].map(() => loadSampleCatalogue(program.db)));
  expect(loaded.filter(Boolean)).toHaveLength(1);
  expect(await listPrograms()).toHaveLength(6);
  await program.db.deleteFrom('area_variations').where('program_id', '=', 'iron').execute();
  await program.db.deleteFrom('programs').where('id', '=', 'iron').execute();
  expect(await loadSampleCatalogue(program.db)).toBe(false);
  expect(await listPrograms()).toHaveLength(4);
});
