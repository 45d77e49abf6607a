/**
 * Whether the program works: messages, errors, jobs and the ledger. Only the server and the console
 * load this file. docs/decisions/0065.
 */
import * as z from 'zod/mini';
import { defineErrors } from '../../../contract/errors.ts';
import { noBody, noData } from '../../../contract/define-call.ts';
import { defineMessages } from '../../../i18n/messages.ts';
import { AREAS } from '../../catalogue/contract.ts';
import { NOTIFICATION_KINDS } from '../../notifications/contract.ts';
import { defineStaffCall } from '../../staff/desk/contract.ts';
import { idCursor } from '../../staff/desk/paging.ts';

export const systemMessages = defineMessages({
  found: 'The state of the program',
  sendsAgain: 'The message is sent again',
  checks: 'The ledger is being checked',
});

export const systemError = defineErrors({
  'message-not-found': 'This message is not in the list any more',
  'message-not-refused': 'Only a refused message is sent again: any other may have arrived, or is being sent',
  'message-out-of-date': 'This message is out of date: the order has changed since, or more than a day has passed',
  'message-muted': 'The customer does not want this kind of message any more',
  'message-without-template': 'This kind of message is not sent: it has no template at the SMS company',
});

/** Date-times in Asia/Kolkata. */
const time = z.string();

/**
 * `unbalanced`: the audit of the ledger has found a fault. `interrupted`: the process was killed.
 */
const JOB_STATES = ['running', 'succeeded', 'failed', 'unbalanced', 'interrupted'] as const;

const jobRun = z.object({
  job: z.string(),
  /** Null: it has not run yet. */
  run: z.nullable(
    z.object({
      state: z.enum(JOB_STATES),
      started: time,
      /** Null while it runs. */
      seconds: z.nullable(z.number()),
      /** For the person who maintains the program. */
      error: z.nullable(z.string()),
      /** The last time that it succeeded. */
      succeeded: z.nullable(time),
      /** When the audit of the ledger found a fault that no sound audit has followed. */
      unbalanced: z.nullable(time),
    }),
  ),
});
export type JobRun = z.output<typeof jobRun>;

const system = z.object({
  now: time,
  messages: z.object({
    /** False: no kind of message about orders is sent, without a gateway or without templates. */
    are_sent: z.boolean(),
    /** The kinds of messages about orders that are not sent, because they have no template. */
    unsent_kinds: z.array(z.enum(NOTIFICATION_KINDS)),
    /** Messages about orders that should have been sent, with the time of the oldest. */
    overdue: z.int(),
    oldest: z.nullable(time),
    refused: z.int(),
    /** Codes to log in and sign up, of the last hour. */
    codes_sent: z.int(),
    codes_failed: z.int(),
    /** The part of `codes_failed` for which the SMS gateway could not be reached. */
    codes_unreachable: z.int(),
  }),
  /** False: the folder of the photos cannot be written. */
  stores_photos: z.boolean(),
  /** Error reports of the last day. */
  reports: z.int(),
  jobs: z.array(jobRun),
  /** The queries of the audit of the ledger that are done. */
  ledger: z.object({ progress: z.int(), steps: z.int() }),
  backup: z.object({
    /** False: a demonstration needs no backup. */
    is_expected: z.boolean(),
    /** The end of the last complete backup by the command. Null: there was none. */
    succeeded: z.nullable(time),
  }),
});
export type System = z.output<typeof system>;

export const getSystem = defineStaffCall({
  path: 'staff/system',
  summary: 'Whether messages, jobs and the ledger work, for the screen System.',
  body: noBody,
  data: system,
});

/** The problems of `rules.ts` that customers notice or that cannot wait, the worst first. */
export const ALERTS = [
  'ledger-unbalanced',
  'codes-fail',
  'codes-unreachable',
  'jobs-late',
  'photos-fail',
  'some-codes-fail',
  'backup-late',
  'job-failed',
  'messages-off',
] as const;
export type Alert = (typeof ALERTS)[number];

const alerts = z.object({
  problems: z.array(z.enum(ALERTS)),
  /** False: no service has a price, so that customers cannot order. */
  offers_services: z.boolean(),
  /** The areas in which no evening of the next 30 days is free. */
  full_areas: z.array(z.enum(AREAS)),
});
export type Alerts = z.output<typeof alerts>;

export const getAlerts = defineStaffCall({
  path: 'staff/alerts',
  summary: 'What keeps customers from ordering, from their codes or from their messages, for Today.',
  body: noBody,
  data: alerts,
});

export const checkLedger = defineStaffCall({
  path: 'staff/checkledger',
  summary: 'Start an audit of the ledger, unless one runs. `staff/system` has its progress and its result.',
  body: noBody,
  data: noData,
});

const FAILURES = ['not-accepted', 'rejected', 'unknown', 'too-late', 'too-many'] as const;
export type Failure = (typeof FAILURES)[number];

const messageFields = {
  mobile: z.string(),
  /** Null: no attempt has failed yet. */
  failure: z.nullable(z.enum(FAILURES)),
  /** The words of the SMS gateway, without numbers. */
  error: z.nullable(z.string()),
  /** When the message was queued. */
  at: time,
};

/** A message with a code. Its text and its code are never returned. */
const codeMessage = z.object({ codeid: z.string(), ...messageFields });

const orderMessage = z.object({
  ...messageFields,
  messageid: z.string(),
  orderid: z.string(),
  kind: z.enum(NOTIFICATION_KINDS),
  /** `unsure`: it may have arrived. */
  state: z.enum(['waiting', 'refused', 'unsure', 'too-late', 'too-many']),
  attempts: z.int(),
  /** The time of the next attempt of a waiting message. */
  next: z.nullable(time),
  can_send_again: z.boolean(),
});
export type OrderMessage = z.output<typeof orderMessage>;

export const PAGE = 20;

const messagePage = z.object({
  /** The newest 20 codes of the last day that were not sent or are overdue. First page only. */
  codes: z.array(codeMessage),
  messages: z.array(orderMessage),
  next: z.nullable(z.string()),
});
export type MessagePage = z.output<typeof messagePage>;

export const listUnsentMessages = defineStaffCall({
  path: 'staff/messages',
  summary: 'The SMS that wait longer than a minute or were not sent, the newest first, without their texts.',
  body: z.object({ cursor: idCursor }),
  data: messagePage,
});

export const sendMessageAgain = defineStaffCall({
  path: 'staff/sendagain',
  summary: 'Queue a message again that the SMS gateway has refused. A message that may have arrived is never sent twice.',
  errors: systemError.texts,
  body: z.object({ messageid: z.string().check(z.regex(/^\d{1,15}$/)) }),
  data: noData,
});

const reportGroup = z.object({
  /** The id of the newest report. */
  reportid: z.string(),
  message: z.string(),
  count: z.int(),
  first: time,
  last: time,
  /** The newest report as JSON, without secrets. */
  report: z.string(),
});

const reportPage = z.object({ groups: z.array(reportGroup), next: z.nullable(z.string()) });
export type ReportPage = z.output<typeof reportPage>;

export const listErrorReports = defineStaffCall({
  path: 'staff/errorreports',
  summary: 'Errors in the browsers of visitors, by message, the newest first.',
  body: z.object({ cursor: idCursor }),
  data: reportPage,
});
