import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { causeOf, claimOfCredit, isGrant, LEDGER_CAUSES, ledgerReference } from './reference-rules.ts';

test('docs/ledger.md lists every cause with its kinds and reference', () => {
  const rows = [...readFileSync('docs/ledger.md', 'utf8').matchAll(/^\| `([a-z-]+)` \| (.+?) \| (?:plus|minus) \| .+ \| `(.+)` \|$/gm)];
  const listed = rows.map(([, cause, kinds, format]) => [cause, kinds, format]);
  const kindsOf = (kinds: readonly string[]) => kinds.map((kind) => `\`${kind}\``).join(', ');
  expect(listed).toEqual(Object.entries(LEDGER_CAUSES).map(([cause, { kinds, format }]) => [cause, kindsOf(kinds), format]));
});

describe('a reference', () => {
  test('has each value at its place', () => {
    expect(ledgerReference('cancellation', { order: 'A1', number: 2 })).toBe('order:A1:cancelled:2');
    expect(ledgerReference('remainder', { reference: ledgerReference('overpayment', { payment: 'P$&' }) })).toBe('payment:P$&:change:kept');
  });

  test.each([
    ['referral:C1', 'referral'],
    ['referral:C1:2', 'referral'],
    ['claim:Q1', 'report'],
    ['claim:Q1:1795000000000', 'report'],
    ['claim:Q1:S1', 'report'],
    ['payment:P1:change', 'overpaid'],
    ['payment:P1:change:kept', 'overpaid'],
    ['order:A1:cancelled:1', 'cancelled-order'],
    ['order:A1:cancelled:1:kept', 'cancelled-order'],
    ['reversal:grant:G1', 'taken-back'],
    ['reversal:claim:Q1', 'taken-back'],
    ['order:A1:weighed:W1', null],
    ['order:A1:weighed:W1:kept', null],
    ['order:A1:held-change', 'overpaid'],
    ['order:A1:held-refund', 'cancelled-order'],
    ['order:A1:wallet', null],
    ['payout:P1', null],
    ['grant:G1', null],
    ['test:1', null],
  ])('%s is shown as %s', (reference, cause) => {
    expect(causeOf(reference)).toBe(cause);
  });

  test('is a grant if it begins with grant:', () => {
    expect(['grant:G1', 'reversal:grant:G1', 'grant', 'claim:G1'].map(isGrant)).toEqual([true, false, false, false]);
    expect(['claim:C1', 'claim:C1:2', 'reversal:claim:C1', 'grant:G1'].map(claimOfCredit)).toEqual(['C1', 'C1', undefined, undefined]);
  });
});
