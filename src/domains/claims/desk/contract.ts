/**
 * Claims as the staff handles them: list, answer and settlement. Only the server and
 * the console load this file. docs/decisions/0057.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { multilineText, resourceId, rupees } from '../../../contract/define-call.ts';
import { defineStaffCall, namedPerson, staffError } from '../../staff/desk/contract.ts';
import { timeCursor } from '../../staff/desk/paging.ts';
import { CLAIM_KINDS, CLAIM_STATUSES, MAX_MESSAGE_LENGTH, claimShape } from '../contract.ts';

export const CLAIMS_PER_PAGE = 30;

/** The highest count that lists show: an exact count would read every claim. */
export const MAX_COUNTED_CLAIMS = 1000;

/** The reasons of claims are counted over this time. */
export const REASON_DAYS = 30;

export const claimDeskMessages = defineMessages({
  listed: 'Reports',
  answered: 'The answer is sent',
  assigned: 'The report is assigned',
  settled: 'The report is settled',
});

export const claimDeskError = defineErrors({
  'claim-not-found': 'There is no such report',
  'claim-assigned': 'Another person has assigned this report meanwhile. Look who handles it now.',
  'unknown-claim-person': 'Only an owner or an operator can handle a report',
  'claim-settled': 'This report is settled already',
  'claim-has-reply': 'The customer has written meanwhile. Read the new message, and send your answer again.',
  'claim-without-wallet':
    'A guest placed this order, and it is in no account. Ask the customer to sign up with the number of the order, or pay in another way and settle it without an amount.',
  'too-many-answers': 'You have answered or assigned this report {max} times today. Another person can go on, or you can go on tomorrow.',
  'answer-missing': 'Write the answer',
  'answer-too-long': 'Keep the answer within 1,000 characters',
  'impossible-compensation': 'The amount is ₹0.01 to ₹10,000',
});

/** The rules of the form and of the calls. Lengths count code points. */
export const answer = multilineText(claimDeskError.code('answer-missing')).check(
  z.refine((text) => Array.from(text).length <= MAX_MESSAGE_LENGTH, claimDeskError.code('answer-too-long')),
);

/** The messages of the thread that the author of an answer has seen. */
const messagesRead = z.optional(z.int().check(z.positive()));

const deskClaim = z.object({
  ...claimShape,
  /** The person who handles it. Null if there is none, or the person was removed. */
  assigned: z.nullable(namedPerson),
  /** The time of the last settlement. If the claim is open, its customer has opened it again. */
  settled_at: z.nullable(z.string()),
  /** Open, and the deadline has passed. */
  is_overdue: z.boolean(),
  /** False: the customer cannot be credited, so the claim cannot be settled with an amount. */
  has_wallet: z.boolean(),
  /** The amount of the order, or null if it is not weighed. */
  order_amount: z.nullable(rupees),
  customer: z.object({ name: z.nullable(z.string()), mobile: z.string(), is_guest: z.boolean() }),
});
export type DeskClaim = z.output<typeof deskClaim>;

/** A claim on the screen of its order. */
export const claimOfOrder = z.pick(deskClaim, { claimid: true, kind: true, status: true, answer_by: true, credited: true });
export type ClaimOfOrder = z.output<typeof claimOfOrder>;

/** `is_me`: the caller. */
const claimPerson = z.object({ ...namedPerson.shape, is_me: z.boolean() });
export type ClaimPerson = z.output<typeof claimPerson>;

const reason = z.object({ kind: z.enum(CLAIM_KINDS), claims: z.int(), credited: rupees });
export type ClaimReason = z.output<typeof reason>;

export const listDeskClaims = defineStaffCall({
  path: 'staff/claims',
  summary:
    'Claims. Without `status`, those that are not settled, the most urgent first. Settled ones begin with the latest. With `mine`, ' +
    'those of the caller. `people` are those who can handle claims. ' +
    `\`counts\` end at ${MAX_COUNTED_CLAIMS}; \`reasons\` are those of the last ${REASON_DAYS} days.`,
  body: z.object({
    claimid: z.optional(resourceId),
    orderid: z.optional(resourceId),
    status: z.optional(z.enum(CLAIM_STATUSES)),
    kind: z.optional(z.enum(CLAIM_KINDS)),
    mine: z.optional(z.literal(true)),
    cursor: timeCursor,
  }),
  data: z.object({
    claims: z.array(deskClaim),
    next: z.nullable(z.string()),
    counts: z.record(z.enum(CLAIM_STATUSES), z.int()),
    reasons: z.array(reason),
    people: z.array(claimPerson),
    /** The amount that the caller may still credit today. Null for owners, who have no limit. */
    credits_left: z.nullable(rupees),
  }),
});

export type ClaimPage = z.output<typeof listDeskClaims.data>;

export const answerDeskClaim = defineStaffCall({
  path: 'staff/answerclaim',
  summary:
    'Answer a claim without settling it. An equal answer is not repeated. With `messages_read`, the number of messages that the caller ' +
    'has seen: refused if the customer has written since.',
  errors: claimDeskError.pick('claim-not-found', 'claim-has-reply', 'too-many-answers', 'answer-missing', 'answer-too-long'),
  body: z.object({ claimid: resourceId, answer, messages_read: messagesRead }),
  data: deskClaim,
});

export const assignDeskClaim = defineStaffCall({
  path: 'staff/assignclaim',
  summary:
    'Assign a claim to a person who handles it, or to nobody. With `person_read`, the person whom the caller has seen or null: ' +
    'refused if another one is assigned since.',
  errors: claimDeskError.pick('claim-not-found', 'claim-assigned', 'unknown-claim-person', 'too-many-answers'),
  body: z.object({ claimid: resourceId, person: z.nullable(resourceId), person_read: z.optional(z.nullable(resourceId)) }),
  data: deskClaim,
});

export const settleDeskClaim = defineStaffCall({
  path: 'staff/settleclaim',
  summary:
    'End a claim with an answer, and credit the amount to the wallet of its customer in the same transaction. ' +
    '`messages_read` as for an answer.',
  errors: {
    ...claimDeskError.pick('claim-not-found', 'claim-settled', 'claim-has-reply', 'claim-without-wallet'),
    ...claimDeskError.pick('answer-missing', 'answer-too-long', 'impossible-compensation'),
    ...staffError.pick('own-mobile', 'over-daily-credits'),
  },
  body: z.object({ claimid: resourceId, answer, amount: z.optional(rupees), messages_read: messagesRead }),
  data: deskClaim,
});

/** The path of a photo, which the staff loads. */
export const deskPhotoPath = (photoid: string) => `${DESK_PHOTO_PATH}${encodeURIComponent(photoid)}`;

export const DESK_PHOTO_PATH = '/staff/claims/photo/';
