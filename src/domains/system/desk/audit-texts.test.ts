import { expect, test } from 'vitest';
import { english } from '../../../i18n/language.tsx';
import { AUDIT_FIELDS, UNKNOWN_PERSON, type AuditEntry } from '../../staff/desk/audit-contract.ts';
import { authorText, changedFields, subjectText } from './audit-texts.ts';

type Values = AuditEntry['before'];

const NAMES = { TD6QW219B83KJY8J7DGG: 'Sample Rider' };

const lines = (before: Values, after: Values) =>
  changedFields({ before, after }, english, NAMES).map(
    (field) => `${field.label}: ${[field.before, field.after].filter(Boolean).join(' → ')}`,
  );

test.each<[what: string, before: Values, after: Values, lines: string[]]>([
  [
    'a weighing',
    { weight_grams: null, items: null, bags: 2 },
    { weight_grams: 4200, items: 12, bags: 2, counted_bags: 2 },
    ['Weight: None → 4.2 kg', 'Pieces: None → 12', 'Bags counted: 2'],
  ],
  [
    'a payment',
    { received_paise: 0 },
    { received_paise: 30_000, credited_paise: 7200 },
    ['Received: ₹0 → ₹300', 'Money to the wallet: ₹72'],
  ],
  ['a move', { stage: 'pickup' }, { stage: 'queue' }, ['Stage: Pickup Pending → In-Queue']],
  ['a hand-in', null, { holder: 'TD6QW219B83KJY8J7DGG', counted_paise: 100 }, ['Cash of: Sample Rider', 'Counted: ₹1']],
  ['a rider', { rider_id: null }, { rider_id: 'TD6QW219B83KJY8J7DGG' }, ['Rider: Nobody yet → Sample Rider']],
  [
    'a plan',
    { cut_off: '16:00', capacity: null, closed_weekdays: '' },
    { cut_off: '16:00', capacity: 3, closed_weekdays: '1 7' },
    ['Orders each evening: Any number → 3 orders', 'Closed on: No day → Mon, Sun'],
  ],
  [
    'a wrong code',
    null,
    { call: 'move-order', error: 'wrong-hand-over-code' },
    ['What: Moved an order', 'Reason: The hand-over code was wrong'],
  ],
  [
    'a stale version',
    null,
    { call: 'staff/weigh', error: 'changed-meanwhile' },
    ['What: Weighed an order', 'Reason: This has changed since you opened it, please look at it again'],
  ],
  ['a caller without a session', null, { error: 'login-required' }, ['Reason: Nobody was logged in']],
  ['a weight that is no number', null, { error: 'invalid-value' }, ['Reason: A value was not valid']],
  [
    'a grant that was refused',
    null,
    { call: 'staff/grant', error: 'impossible-credit' },
    ['What: Credited a wallet', 'Reason: The amount is ₹0.01 to ₹10,000'],
  ],
  ['a failed log-in', null, { error: 'wrong-staff-login' }, ['Reason: Wrong mobile number or password']],
  ['a credit', null, { kind: 'cashback', amount_paise: 2500, entry: '17' }, ['What: Cashback', 'Amount: ₹25']],
  [
    'a review',
    { hidden: false, reason: null, reply: null },
    { hidden: true, reason: 'Rude', reply: null },
    ['Reason: None → Rude', 'Hidden: No → Yes'],
  ],
  ['no change', { name: 'Anita', role: 'owner' }, { name: 'Anita', role: 'owner' }, []],
  ['a field of another version', { colour: 'red' }, { colour: 'constructor' }, ['colour: red → constructor']],
])('changedFields describes %s', (_what, before, after, expected) => {
  expect(lines(before, after)).toEqual(expected);
});

test('no label is the name of a field', () => {
  const after = Object.fromEntries(AUDIT_FIELDS.map((name) => [name, 1]));
  expect(changedFields({ before: null, after }, english, {}).filter(({ name, label }) => name === label || label.includes('_'))).toEqual(
    [],
  );
});

test.each([
  ['order', 'QJWQ1C93M2FA', 'Order QJWQ1C93M2FA'],
  ['person', 'TD6QW219B83KJY8J7DGG', 'Sample Rider'],
  ['call', 'staff/people', 'People'],
  ['evening', 'vatika 2026-11-23', 'Vatika India Next, Nov 23, 2026'],
  ['evening', 'manesar', 'Manesar'],
  ['system', 'audit the ledger', 'Check the ledger'],
  ['customer', '9876543210', '9876543210'],
  ['cash', 'TD6QW219B83KJY8J7DGA', null],
  ['person', UNKNOWN_PERSON, 'A number of nobody in the staff'],
])('is about a %s: %s', (kind, subject, text) => {
  expect(subjectText({ subject_kind: kind, subject, person: null }, english, NAMES)).toBe(text);
});

test('is not about its own author', () => {
  const person = { personid: 'TD6QW219B83KJY8J7DGG', name: 'Sample Rider', role: 'rider' } as const;
  expect(subjectText({ subject_kind: 'person', subject: person.personid, person }, english, NAMES)).toBeNull();
});

test.each<[Pick<AuditEntry, 'person' | 'command_user' | 'action'>, string | null]>([
  [
    { person: { personid: 'TD6QW219B83KJY8J7DGG', name: 'Sample Rider', role: 'rider' }, command_user: null, action: 'log-in' },
    'Sample Rider',
  ],
  [{ person: null, command_user: 'anita', action: 'cancel-order' }, 'A command of anita in the terminal'],
  [{ person: null, command_user: null, action: 'add-person' }, 'A command in the terminal'],
  [{ person: null, command_user: null, action: 'log-in-failed' }, null],
  [{ person: null, command_user: null, action: 'refused' }, null],
])('the author of %j is %s', (entry, text) => {
  expect(authorText(entry, english)).toBe(text);
});
