/** `npm run catalogue`: how a laundry says what it sells, and where samples go (design sections 3 and 6). */
import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { urlOf } from '../support/postgres.ts';
import { useProgram } from '../support/program.ts';
import { programsAndReviews } from '../../src/domains/catalogue/contract.ts';
import { loadSampleCatalogue } from '../../src/domains/catalogue/service.server.ts';

const program = useProgram({
  MODE: 'live',
  DATABASE_URL: 'postgres://handed.in/by-the-test',
  PUBLIC_URL: 'https://laundry.example',
  SECRET: 'a secret of the tests, 32 bytes or more',
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: 'key',
  MSG91_TEMPLATE_ID: 'template',
});

const catalogue = (...words: string[]) =>
  new Promise<{ code: number | null; said: string }>((resolve) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: urlOf(program.connection) };
    const child = execFile(process.execPath, ['tools/catalogue.ts', ...words], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode, said: `${out}${err}`.trim() }),
    );
  });

const sold = async () => {
  const { data } = await program.caller().send(programsAndReviews, {});
  return data?.variations.map((row) => [row.programid, row.area, row.rate]);
};

describe('a real laundry', () => {
  test('sells nothing until its owner says what', async () => {
    expect(await sold()).toEqual([]);
    expect((await catalogue('list')).said).toMatch(/^The catalogue is empty\./);
  });

  test('sells a service at the rate that was set, with the specified surcharges or others', async () => {
    expect(await catalogue('set', 'wash', '41.50')).toEqual({
      code: 0,
      said: 'wash: Wash, ₹41.50 per kg (manesar ₹41.50, vatika ₹51.50)',
    });
    expect((await catalogue('area', 'wash', 'vatika', '7')).code).toBe(0);
    expect((await catalogue('set', 'wash', '42')).code).toBe(0);
    expect(await sold()).toEqual([
      ['wash', 'manesar', 4200],
      ['wash', 'vatika', 4900],
    ]);
  });

  test('keeps what it sells: samples go into an empty catalogue only', async () => {
    const before = await sold();
    expect((await catalogue('samples')).code).toBe(1);
    expect(await sold()).toEqual(before);
  });

  test.each([
    [['set', 'wash', 'cheap'], "'cheap' is not an amount from ₹1 to ₹10,000, such as 38 or 38.50."],
    [['set', 'wash', '0.5'], "'0.5' is not an amount from ₹1 to ₹10,000, such as 38 or 38.50."],
    [['set', 'dry-cleaning', '90'], "There is no program 'dry-cleaning': wash, wash-iron, iron."],
    [['area', 'iron', 'vatika', '5'], "There is no program 'iron': wash, wash-iron, iron."],
    [['area', 'wash', 'sector-1', '5'], "There is no area 'sector-1': manesar, vatika."],
    [['constructor'], 'npm run catalogue -- list'],
  ])('%j changes nothing and says why', async (words, line) => {
    const before = await sold();
    const { code, said } = await catalogue(...words);
    expect([code, said.split('\n')[0]]).toEqual([1, line]);
    expect(await sold()).toEqual(before);
  });
});

test('samples come into an empty catalogue once, wholly, however many start at once; what was taken out stays out', async () => {
  await program.db.deleteFrom('area_variations').execute();
  await program.db.deleteFrom('programs').execute();
  const loaded = await Promise.all([1, 2, 3].map(() => loadSampleCatalogue(program.db)));
  expect(loaded.filter(Boolean)).toHaveLength(1);
  expect(await sold()).toHaveLength(6);
  await program.db.deleteFrom('area_variations').where('program_id', '=', 'iron').execute();
  await program.db.deleteFrom('programs').where('id', '=', 'iron').execute();
  expect(await loadSampleCatalogue(program.db)).toBe(false);
  expect(await sold()).toHaveLength(4);
});
