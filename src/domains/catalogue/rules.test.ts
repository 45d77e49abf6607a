import { expect, test } from 'vitest';
import { asPaise } from '../../lib/money.ts';
import type { Area, Program, Variation } from './contract.ts';
import { RATE_LIMITS, SPECIFIED_SURCHARGES, SURCHARGE_LIMITS, toServices } from './rules.ts';

const program = (programid: string): Program => ({
  programid,
  program_name: `Name of ${programid}`,
  program_rate: asPaise(3000),
  unit: 'kg',
  program_description: `Text of ${programid}$not shown`,
});

const variation = (programid: string, area: Area, rate: number): Variation => ({
  programid,
  area,
  surcharge: asPaise(100),
  rate: asPaise(rate),
});

test('returns the rate of each program in each area', () => {
  const variations = [
    variation('iron', 'vatika', 1900),
    variation('wash', 'vatika', 3900),
    variation('wash', 'manesar', 3800),
    variation('iron', 'manesar', 1800),
  ];
  expect(toServices({ program: [program('wash'), program('iron')], variations })).toEqual([
    { programid: 'wash', name: 'Name of wash', unit: 'kg', description: 'Text of wash', rates: { manesar: 3800, vatika: 3900 } },
    { programid: 'iron', name: 'Name of iron', unit: 'kg', description: 'Text of iron', rates: { manesar: 1800, vatika: 1900 } },
  ]);
});

test('leaves out a program that lacks a rate in an area, and includes a free one', () => {
  const variations = [
    variation('only-manesar', 'manesar', 3800),
    variation('only-vatika', 'vatika', 3900),
    variation('free', 'manesar', 0),
    variation('free', 'vatika', 0),
  ];
  const services = toServices({ program: [program('only-manesar'), program('only-vatika'), program('none'), program('free')], variations });
  expect(services.map(({ programid, rates }) => ({ programid, rates }))).toEqual([{ programid: 'free', rates: { manesar: 0, vatika: 0 } }]);
});

test('a new program has the specified surcharges, and its amounts are limited', () => {
  expect(SPECIFIED_SURCHARGES).toEqual({
    wash: { manesar: 0, vatika: 1000 },
    'wash-iron': { manesar: 0, vatika: 1000 },
    iron: { manesar: 0, vatika: 500 },
  });
  expect([RATE_LIMITS, SURCHARGE_LIMITS]).toEqual([
    { min: 100, max: 1_000_000 },
    { min: 0, max: 100_000 },
  ]);
});
