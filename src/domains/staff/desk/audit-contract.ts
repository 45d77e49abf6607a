/** The audit of the staff: who changed what. Only the server and the console load this file. */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { resourceId } from '../../../contract/define-call.ts';
import { namedPerson, ROLES, calendarDay, defineStaffCall } from './contract.ts';
import { idCursor } from './paging.ts';

/** The subject of a failed log-in with a number that no person of the staff has. */
export const UNKNOWN_PERSON = 'unknown';

/** The kinds of subjects of the rows of the audit. */
const AUDIT_SUBJECTS = ['person', 'call', 'order', 'claim', 'cash', 'customer', 'review', 'program', 'evening', 'system'] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** Every action of the audit, with its text on the screen. */
export const auditActions = defineMessages({
  'log-in': 'Logged in',
  'log-in-failed': 'Failed to log in',
  'log-out': 'Logged out',
  'set-password': 'Set a password',
  'add-passkey': 'Added a passkey',
  'add-person': 'Added a person',
  'change-person': 'Changed a person',
  'new-link': 'Made a link to set a password',
  'remove-person': 'Removed a person',
  refused: 'Was refused',
  'weigh-order': 'Weighed an order',
  'move-order': 'Moved an order',
  'move-order-back': 'Moved an order back',
  'renew-code': 'Made a new hand-over code',
  'count-bags': 'Counted the bags',
  'explain-bags': 'Explained a difference of the bags',
  'record-attempt': 'Noted a failed visit',
  'reschedule-order': 'Changed a pickup day',
  'cancel-order': 'Cancelled an order',
  'assign-order': 'Changed the rider of an order',
  'receive-payment': 'Noted a payment',
  'reverse-payment': 'Reversed a payment',
  'dismiss-payment': 'Did not find a UPI payment',
  'add-photo': 'Added a photo',
  'answer-claim': 'Answered a report',
  'assign-claim': 'Assigned a report',
  'settle-claim': 'Settled a report',
  'hand-in-cash': 'Counted cash',
  'explain-cash': 'Explained a difference',
  'look-up-customer': 'Looked up a customer',
  'copy-customer': 'Printed the data of a customer',
  'erase-customer': 'Erased a customer',
  'grant-credit': 'Credited a wallet',
  'grant-offer': 'Gave an offer',
  'reverse-grant': 'Reversed a credit',
  'end-offer': 'Ended an offer',
  'pay-out': 'Paid money back',
  'moderate-review': 'Changed a review',
  'set-program': 'Changed rates',
  'set-evening-plan': 'Changed the plan of the evenings',
  'set-evening': 'Changed an evening',
  'check-ledger': 'Checked the ledger',
  'send-message-again': 'Sent an SMS again',
});
export type AuditAction = keyof typeof auditActions;

export const AUDIT_PAGE = 50;

/**
 * Every field of the audit. The screen has a label and a format for each of them. A field is never
 * removed, because old entries have it.
 */
export const AUDIT_FIELDS = [
  'name',
  'mobile',
  'role',
  'call',
  'error',
  'stage',
  'weight_grams',
  'items',
  'bags',
  'counted_bags',
  'rider_id',
  'assigned_to',
  'pickup_day',
  'returned',
  'received_paise',
  'credited_paise',
  'own_money_paise',
  'waived_paise',
  'note',
  'photo',
  'kind',
  'status',
  'amount_paise',
  'reversed_paise',
  'reversed_cash',
  'paid_back_paise',
  'reason',
  'entry',
  'offer',
  'percent',
  'days',
  'is_known',
  'holder',
  'expected_paise',
  'counted_paise',
  'kept_paise',
  'difference_paise',
  'explanation',
  'hidden',
  'reply',
  'rate_paise',
  'manesar_paise',
  'vatika_paise',
  'cut_off',
  'capacity',
  'closed_weekdays',
  'is_exception',
  'message',
] as const;
export type AuditField = (typeof AUDIT_FIELDS)[number];

/** The fields that contain the id of a person of the staff. */
export const PERSON_FIELDS = ['rider_id', 'assigned_to', 'holder'] as const satisfies readonly AuditField[];

const auditValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type AuditValue = z.output<typeof auditValue>;

/** The values of the changed fields, before or after. */
export type AuditValues = Readonly<Partial<Record<AuditField, AuditValue>>> | null;
const auditValues = z.nullable(z.record(z.string(), auditValue));

export const getAudit = defineStaffCall({
  path: 'staff/audit',
  summary: 'Who changed what, the newest first. The filters: a person, an action, a subject, days in Asia/Kolkata.',
  body: z.object({
    cursor: idCursor,
    personid: z.optional(resourceId),
    action: z.optional(z.string().check(z.maxLength(64))),
    subject: z.optional(resourceId),
    from: z.optional(calendarDay),
    to: z.optional(calendarDay),
  }),
  data: z.object({
    entries: z.array(
      z.object({
        entryid: z.string(),
        at: z.string(),
        /** Null: a command in the terminal, or a failed log-in. */
        person: z.nullable(z.object({ ...namedPerson.shape, role: z.enum(ROLES) })),
        /** The user of the operating system who ran a command. Older commands have none. */
        command_user: z.nullable(z.string()),
        action: z.string(),
        subject_kind: z.string(),
        subject: z.string(),
        before: auditValues,
        after: auditValues,
        /** Whether another entry has the same subject. */
        has_others: z.boolean(),
      }),
    ),
    /** The names of the people whose ids the entries contain, by id. */
    names: z.record(z.string(), z.string()),
    next: z.nullable(z.string()),
  }),
});
export type AuditPage = z.output<typeof getAudit.data>;
export type AuditEntry = AuditPage['entries'][number];
