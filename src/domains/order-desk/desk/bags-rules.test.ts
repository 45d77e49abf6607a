import { expect, test } from 'vitest';
import { differingCount, hasCountedOwn, isBagsCorrection, isBagsNumberFixed, type BagsEvent } from './bags-rules.ts';

const PEOPLE = { anil: 'rider', bina: 'rider', omar: 'operator', olga: 'owner' } as const;
type Name = keyof typeof PEOPLE;

const event = (kind: BagsEvent['kind'], name: Name, bags: number | null): BagsEvent => ({
  kind,
  staff_id: name,
  counted_bags: bags,
  counter_role: bags === null ? null : PEOPLE[name],
});
const weighed = (name: Name, bags: number | null) => event('weighed', name, bags);
const counted = (name: Name, bags: number | null) => event('bags-counted', name, bags);
const moved = (name: Name, bags: number | null) => event('moved', name, bags);
const explained = (name: Name) => event('bags-explained', name, null);
const person = (name: Name) => ({ id: name, role: PEOPLE[name] });

test.each<[string, number | null, BagsEvent[], number | null]>([
  ['no number of the pickup', null, [counted('omar', 2)], null],
  ['no count', 3, [weighed('anil', 3)], null],
  ['a number without its weighing', 3, [moved('omar', 2)], 2],
  ['the last of several', 3, [weighed('anil', 3), counted('omar', 2), moved('omar', 1)], 1],
  ['a match by the rider of the pickup', 3, [weighed('anil', 3), counted('omar', 2), moved('anil', 3)], 2],
  ['a match by the rider of the difference', 3, [weighed('omar', 3), counted('anil', 2), moved('anil', 3)], 2],
  ['a match by the rider, then by another', 3, [weighed('anil', 3), counted('omar', 2), moved('anil', 3), moved('bina', 3)], null],
  ['a match by an operator', 3, [weighed('omar', 3), counted('omar', 2), moved('omar', 3)], null],
  ['a match by an owner', 3, [weighed('olga', 3), counted('olga', 2), moved('olga', 3)], null],
  ['an explanation', 3, [weighed('anil', 3), counted('omar', 2), explained('omar')], null],
  ['another count after an explanation', 3, [weighed('anil', 3), counted('omar', 2), explained('omar'), moved('omar', 1)], 1],
  ['weighed again with the same bags', 3, [weighed('anil', 3), counted('omar', 2), weighed('anil', 3)], 2],
  ['weighed again without bags', 3, [weighed('anil', 3), counted('omar', 2), weighed('anil', null)], 2],
  ['a corrected number', 2, [weighed('anil', 3), counted('omar', 2), weighed('omar', 2)], null],
  ['a count of the number before the correction', 2, [weighed('anil', 3), weighed('anil', 2), counted('omar', 3)], 3],
])('returns the count that differs after %s', (_, bags, events, differing) => {
  expect(differingCount(bags, events)).toBe(differing);
});

test('only riders count their own', () => {
  const events = [weighed('anil', 3), counted('omar', 2), moved('bina', null)];
  expect((['anil', 'bina', 'omar'] as const).map((name) => hasCountedOwn(person(name), events))).toEqual([true, false, false]);
});

test('a rider corrects the own number until another count', () => {
  const pickup = [weighed('anil', 3), weighed('anil', 2)];
  const isFixedFor = (name: Name, ...events: BagsEvent[]) => isBagsNumberFixed(person(name), [...pickup, ...events]);
  expect([isFixedFor('anil'), isFixedFor('bina'), isFixedFor('omar')]).toEqual([false, true, false]);
  for (const later of [counted('omar', 2), counted('anil', 2), weighed('omar', 2)]) expect(isFixedFor('anil', later)).toBe(true);
  expect(isFixedFor('anil', counted('omar', null))).toBe(false);
  expect(isFixedFor('olga', counted('omar', 2))).toBe(false);
});

test('another number than a noted one is a correction', () => {
  expect([isBagsCorrection(null, 2), isBagsCorrection(2, undefined), isBagsCorrection(2, 2), isBagsCorrection(2, 3)]).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
