/** Cash that the staff holds and hands in. Only the server and the console load this file. */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { MAX_LINE_LENGTH, noBody, resourceId, rupees, singleLineText } from '../../../contract/define-call.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { defineStaffCall, namedPerson } from '../../staff/desk/contract.ts';

export const cashMessages = defineMessages({
  found: 'Cash',
  handedIn: 'The hand-in is noted',
  explained: 'The difference is explained',
});

export const cashError = defineErrors({
  'unknown-holder': 'Choose the person who hands in the cash',
  'own-cash': 'Another person has to count your cash',
  'nothing-held': 'This person holds no cash',
  'cash-changed': 'The cash of this person has changed meanwhile. Count it again and save.',
  'impossible-count': 'The counted amount is ₹0 to ₹1,000,000',
  'nothing-counted': 'Nothing is handed in if the whole amount stays',
  'handin-not-found': 'There is no open difference of this hand-in',
  'explanation-required': 'Explain the difference in at most 200 characters',
});

/** In paise. The maximum limits the effect of a typing mistake. */
export const MAX_COUNTED_PAISE = 100_000_000;
export const MAX_HAND_INS = 20;
export const MAX_MOVEMENTS = 200;

/** Where the rest is if less was counted: the holder keeps it, or it is a difference to explain. */
export const RESTS = ['kept', 'missing'] as const;
export type Rest = (typeof RESTS)[number];

const handin = z.object({
  handinid: z.string(),
  holder: namedPerson,
  counter: namedPerson,
  /** The cash of the holder, without `kept`. */
  expected: rupees,
  /** Payments that were reversed after the hand-in, as never received. They reduce `expected`. */
  reversed: rupees,
  counted: rupees,
  /** The rest of a partial hand-in, which the holder kept. */
  kept: rupees,
  /** `counted` minus `expected`, plus `reversed`. */
  difference: rupees,
  at: z.string(),
  explanation: z.nullable(z.string()),
});
export type HandIn = z.output<typeof handin>;

/** Cash that a person received or gave back. */
const movement = z.object({
  /** Null for cash that another person has handed in. */
  orderid: z.nullable(z.string()),
  /** The name of the person who handed the cash in. Null for a payment. */
  colleague: z.nullable(z.string()),
  /** Negative for a payment that was reversed. */
  amount: rupees,
  at: z.string(),
});

const holder = z.object({
  ...namedPerson.shape,
  held: rupees,
  is_me: z.boolean(),
  /** The rest that they kept at their last hand-in. */
  kept: rupees,
  /** The payments since their last hand-in, the newest first. At most `MAX_MOVEMENTS`. */
  movements: z.array(movement),
});
export type Holder = z.output<typeof holder>;

const cash = z.object({
  /** The people who hold cash. A rider sees only their own cash. */
  holders: z.array(holder),
  /** Hand-ins whose difference is not explained, the oldest first. */
  differences: z.array(handin),
  /** The newest hand-ins. */
  handins: z.array(handin),
});
export type Cash = z.output<typeof cash>;

export const getCash = defineStaffCall({
  path: 'staff/cash',
  summary: 'Who holds how much cash, the open differences and the newest hand-ins. A rider sees only their own.',
  body: noBody,
  data: cash,
});

export const handIn = defineStaffCall({
  path: 'staff/handin',
  summary:
    'Note the cash that a person hands in, as counted by the caller, who then holds it. Requires the header Idempotency-Key. ' +
    'Only an owner counts their own cash, which leaves the laundry, for example for the bank. Without `personid`: the only other holder. ' +
    'If less is counted than the person holds, the `rest` is kept by the person, or missing, which is a difference to explain. ' +
    'Without `rest`: kept for the bank, and else missing. ' +
    'With `expected`, the amount that the caller has seen: 409 if it has changed.',
  errors: cashError.pick('unknown-holder', 'own-cash', 'nothing-held', 'impossible-count', 'nothing-counted'),
  body: z.object({
    personid: z.optional(resourceId),
    counted: rupees,
    expected: z.optional(rupees),
    rest: z.optional(z.enum(RESTS)),
  }),
  data: cash,
});

export const explainDifference = defineStaffCall({
  path: 'staff/explaincash',
  summary: 'Explain the difference of a hand-in, which closes it.',
  errors: cashError.pick('handin-not-found', 'explanation-required'),
  body: z.object({
    handinid: resourceId,
    explanation: singleLineText(cashError.code('explanation-required'), { max: MAX_LINE_LENGTH }),
  }),
  data: cash,
});
