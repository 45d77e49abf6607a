import { expect, test } from 'vitest';
import type { ErrorMessage } from '../../../../i18n/messages.ts';
import { staleError } from '../refusals.ts';
import { deskError } from '../contract.ts';
import { openWeighForm, readWeighForm, weighFormReducer, type WeighAction, type WeighForm } from './weigh-form.ts';

const NOT_WEIGHED = { weight: null, items: null, bags: null };
const opened = (laterDay: string | null = null) => openWeighForm(NOT_WEIGHED, laterDay, undefined);
const after = (form: WeighForm, ...actions: WeighAction[]) => actions.reduce(weighFormReducer, form);
const typed = (weight: string, items: string): WeighAction[] => [
  { kind: 'type', field: 'weight', value: weight },
  { kind: 'type', field: 'items', value: items },
];
const read = (form: WeighForm) => readWeighForm(form, NOT_WEIGHED);
const refused = (refusal: ErrorMessage): WeighAction => ({ kind: 'refuse', refusal });

test('a weight of a later day, or an unusual one, is asked about once', () => {
  const usual = after(opened(), ...typed('7.5', '20'));
  expect(read(usual)).toMatchObject({ weight: 7500, items: 20, needsQuestion: false, isCollectedEarly: false });
  const later = after(opened('2026-11-28'), ...typed('7.5', '20'));
  expect(read(later)).toMatchObject({ needsQuestion: true, isCollectedEarly: false });
  expect(read(after(later, { kind: 'ask', figures: read(later).figures }))).toMatchObject({ needsQuestion: false, isCollectedEarly: true });
  const both = after(opened('2026-11-28'), ...typed('75', '2'));
  const ask = { kind: 'ask', figures: read(both).figures } as const;
  expect(read(after(both, ask))).toMatchObject({ needsQuestion: true, isWeightAsked: false, isCollectedEarly: true });
  expect(read(after(both, ask, ask))).toMatchObject({ needsQuestion: false, isWeightAsked: true, isCollectedEarly: true });
  const unusual = after(opened(), ...typed('75', '2'));
  const asked = after(unusual, { kind: 'ask', figures: read(unusual).figures });
  expect(read(unusual)).toMatchObject({ needsQuestion: true, isWeightAsked: false });
  expect(read(asked)).toMatchObject({ needsQuestion: false, isWeightAsked: true });
  expect(read(after(asked, ...typed('76', '2')))).toMatchObject({ needsQuestion: true, isWeightAsked: false });
});

test.each([
  ['1e2', '3', ['weight']],
  ['5.255', '3', ['weight']],
  ['0x10', '1e1', ['weight', 'items']],
  ['', ' ', ['weight', 'items']],
  ['.5', '3', []],
  ['5,5', '3', []],
  ['1,000', '3', ['weight']],
  ['1,5.2', '3', ['weight']],
])('of %j kg and %j pieces, %j are refused', (weight, items, invalid) => {
  expect(read(after(opened(), ...typed(weight, items))).invalid).toEqual(invalid);
});

test('a refusal asks again, except that of a moved pickup', () => {
  const asked = after(opened(), ...typed('75', '2'), { kind: 'ask', figures: '75000 2' });
  expect(read(after(asked, refused(deskError('impossible-weight'))))).toMatchObject({ needsQuestion: true, isMoved: false });
  const moved = after(asked, refused(deskError('customer-moved-pickup', { time: '18:00', day: '2026-11-28' })));
  expect(read(moved)).toMatchObject({ needsQuestion: false, isMoved: true, isCollectedEarly: true });
  expect(read(after(asked, refused(staleError())))).toMatchObject({ needsQuestion: true, isMoved: false });
});

test('the first field with an error is active, and typing removes its error and the refusal', () => {
  const form = after(opened(), ...typed('7.5', ''), {
    kind: 'check',
    invalid: read(after(opened(), ...typed('7.5', ''))).invalid,
    isReasonMissing: true,
  });
  expect(form).toMatchObject({ invalid: ['items'], active: 'items', isReasonMissing: true });
  const next = after(
    form,
    refused(deskError('wrong-stage')),
    { kind: 'type', field: 'items', value: '20' },
    { kind: 'type-reason', value: 'A sock' },
  );
  expect(next).toMatchObject({ invalid: [], isReasonMissing: false, refusal: null });
});

test.each([
  ['2', null, false],
  ['', 2, false],
  ['2', 2, false],
  ['3', 2, true],
])('%j bags after %j are a correction: %j', (typedBags, bags, isCorrection) => {
  const weighed = { weight: 7500, items: 20, bags };
  const form = after(openWeighForm(weighed, null, undefined), { kind: 'type', field: 'bags', value: typedBags });
  expect(readWeighForm(form, weighed)).toMatchObject({ isCorrection });
});
