import { expect, test } from 'vitest';
import { listedOrder } from '../../../../test/support/listed-order.ts';
import type { ListedOrder } from './contract.ts';
import { isDueTonight, isToFinishTonight, laterVisitDay } from './rules.ts';

const visit = { why: 'nobody-home', at: '2026-11-21 18:00:00' };
const delivery = { stage: 'delivery', weight: 7530, items: 12, pickup_date: '2026-11-20' };

test.each<[string, Partial<ListedOrder>, string, boolean]>([
  ['a pickup of tonight', {}, '21T18:00', true],
  ['a pickup of tomorrow', {}, '20T18:00', false],
  ['a late pickup', {}, '21T21:01', false],
  ['clothes to bring back tonight', { ...delivery, due_at: '2026-11-21 21:00:00' }, '21T09:00', true],
  ['a failed visit', { attempt: visit }, '21T18:30', false],
  ['a delivered order', { ...delivery, stage: 'delivered', due_at: null }, '21T18:00', false],
])('%s is due tonight or not', (_name, change, time, expected) => {
  expect(isDueTonight(listedOrder(change), new Date(`2026-11-${time}:00+05:30`))).toBe(expected);
});

test.each<[string, Partial<ListedOrder>, boolean]>([
  ['a pickup of tonight', {}, false],
  ['clothes that are not washed', { ...delivery, stage: 'queue' }, true],
  ['clothes in the machine', { ...delivery, stage: 'washing' }, true],
  ['clothes in the machine of tomorrow', { ...delivery, stage: 'washing', due_at: '2026-11-22 21:00:00' }, false],
  ['a delivery of tonight', delivery, false],
])('%s: the laundry has to finish them tonight or not', (_name, change, expected) => {
  expect(isToFinishTonight(listedOrder(change), new Date('2026-11-21T18:00:00+05:30'))).toBe(expected);
});

test.each<[string, Partial<ListedOrder>, string | null]>([
  ['a pickup of tonight', {}, null],
  ['a pickup of tomorrow', { pickup_date: '2026-11-22' }, '2026-11-22'],
  ['an overdue pickup', { pickup_date: '2026-11-20' }, null],
  ['collected clothes', { pickup_date: '2026-11-22', weight: 7530 }, null],
  ['a delivery', delivery, null],
  ['a postponed delivery', { ...delivery, delivery_date: '2026-11-24' }, '2026-11-24'],
  ['a postponed delivery whose evening has come', { ...delivery, delivery_date: '2026-11-21' }, null],
])('%s waits for a later day or not', (_name, change, expected) => {
  expect(laterVisitDay(listedOrder(change), new Date('2026-11-21T18:00:00+05:30'))).toBe(expected);
});
