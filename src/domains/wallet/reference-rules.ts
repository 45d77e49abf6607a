/**
 * The causes of ledger entries. Each entry has a reference, which is unique, so that a movement
 * happens once. docs/ledger.md lists this table.
 */
import type { MovementCause, MovementKind } from './contract.ts';

interface LedgerCause {
  kinds: readonly MovementKind[];
  /** The reference, with names of values in angle brackets. */
  format: string;
  /** The cause that the customer reads. Null: the kind only. */
  shownAs: MovementCause | null;
}

const CREDITS = ['promotion', 'compensation', 'change', 'cashback'] as const satisfies readonly MovementKind[];

export const LEDGER_CAUSES = {
  /** A bonus. A reversed one is followed by one with the next number, from 2. */
  referral: { kinds: ['promotion'], format: 'referral:<customer>', shownAs: 'referral' },
  'referral-again': { kinds: ['promotion'], format: 'referral:<customer>:<number>', shownAs: 'referral' },
  grant: { kinds: ['promotion', 'compensation', 'cashback'], format: 'grant:<grant>', shownAs: null },
  claim: { kinds: ['compensation'], format: 'claim:<claim>', shownAs: 'report' },
  /** Older entries have the milliseconds of the settlement before as the id. */
  'claim-again': { kinds: ['compensation'], format: 'claim:<claim>:<id>', shownAs: 'report' },
  overpayment: { kinds: ['change'], format: 'payment:<payment>:change', shownAs: 'overpaid' },
  'unassigned-overpayment': { kinds: ['change'], format: 'order:<order>:held-change', shownAs: 'overpaid' },
  'unassigned-refund': { kinds: ['change'], format: 'order:<order>:held-refund', shownAs: 'cancelled-order' },
  weighing: { kinds: ['change'], format: 'order:<order>:weighed:<id>', shownAs: null },
  cancellation: { kinds: ['change'], format: 'order:<order>:cancelled:<number>', shownAs: 'cancelled-order' },
  /** The remainder of a credit that was reduced. `causeOf` shows the cause of that credit. */
  remainder: { kinds: ['change'], format: '<reference>:kept', shownAs: null },
  'wallet-payment': { kinds: ['paid'], format: 'order:<order>:wallet', shownAs: null },
  /** The customer reads its reason. */
  payout: { kinds: ['payout'], format: 'payout:<payout>', shownAs: null },
  reversal: { kinds: CREDITS, format: 'reversal:<reference>', shownAs: 'taken-back' },
} as const satisfies Record<string, LedgerCause>;

type CauseName = keyof typeof LEDGER_CAUSES;
type NamesIn<Format extends string> = Format extends `${string}<${infer Name}>${infer Rest}` ? Name | NamesIn<Rest> : never;
type ReferenceValues<Cause extends CauseName> = Readonly<Record<NamesIn<(typeof LEDGER_CAUSES)[Cause]['format']>, string | number>>;

/** Returns the reference of an entry: its format with the values. */
export const ledgerReference = <Cause extends CauseName>(cause: Cause, values: ReferenceValues<Cause>): string =>
  LEDGER_CAUSES[cause].format.replaceAll(/<([^>]+)>/g, (_, name: string) => String((values as Record<string, string | number>)[name]));

const patternOf = (format: string) => new RegExp(`^${format.replaceAll(/<[^>]+>/g, '.+')}$`);

const PATTERNS = Object.entries(LEDGER_CAUSES)
  .filter(([cause]) => cause !== ('remainder' satisfies CauseName))
  .map(([cause, { format, shownAs }]) => ({ cause: cause as CauseName, pattern: patternOf(format), shownAs }));

const REMAINDER = /:kept$/;

const findCause = (reference: string) => PATTERNS.find(({ pattern }) => pattern.test(reference));

/** Returns true for a credit that the staff or a command granted, which `reverseGrant` requires. */
export const isGrant = (reference: string): boolean => findCause(reference)?.cause === 'grant';

/** Returns the claim whose settlement is the credit. Undefined for any other reference. */
export function claimOfCredit(reference: string): string | undefined {
  const cause = findCause(reference)?.cause;
  return cause === 'claim' || cause === 'claim-again' ? reference.split(':')[1] : undefined;
}

/** Returns the cause that the customer reads. Null if the kind suffices or is unknown. */
export const causeOf = (reference: string): MovementCause | null => findCause(reference.replace(REMAINDER, ''))?.shownAs ?? null;
