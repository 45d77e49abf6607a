import { formatDayTime } from '../../../i18n/day-time.ts';
import type { Language } from '../../../i18n/language.tsx';
import { defineMessages, msg, type MessageKey } from '../../../i18n/messages.ts';
import { fromKolkataDateTime } from '../../../lib/dates.ts';
import { LEDGER_JOB, NEW_ENTRIES_JOB, type Problem } from './rules.ts';

interface ProblemText {
  tone: 'bad' | 'warn' | 'info';
  title: MessageKey;
  /** The instruction for the owner. */
  advice: MessageKey;
}

export const PROBLEMS: Readonly<Record<Problem, ProblemText>> = {
  'ledger-unbalanced': {
    tone: 'bad',
    title: msg('The ledger does not add up'),
    advice: msg(
      'Give no credits and reverse nothing until this is clear. Send the details below “The ledger” to the person who maintains the site.',
    ),
  },
  'codes-fail': {
    tone: 'bad',
    title: msg('Customers get no codes'),
    advice: msg('They cannot sign up or order as a guest. Check the balance and the account at your SMS company. Its reason is below.'),
  },
  'codes-unreachable': {
    tone: 'bad',
    title: msg('Customers get no codes: the SMS company cannot be reached'),
    advice: msg(
      'They cannot sign up or order as a guest. Ask the SMS company whether it has an outage. If not, ask the person who maintains the site to check the connection of the server. The reason is below.',
    ),
  },
  'jobs-late': {
    tone: 'bad',
    title: msg('The work in the background has stopped'),
    advice: msg('Ask the person who maintains the site to restart the program.'),
  },
  'photos-fail': {
    tone: 'bad',
    title: msg('Photos cannot be stored'),
    advice: msg(
      'Customers and riders cannot send photos. Ask the person who maintains the site to make the folder of the photos writable.',
    ),
  },
  'some-codes-fail': {
    tone: 'warn',
    title: msg('Some codes of the last hour were not sent'),
    advice: msg('Customers can ask for another code. If it goes on, settle the reasons below with your SMS company.'),
  },
  'messages-wait': {
    tone: 'warn',
    title: msg('SMS about orders are waiting'),
    advice: msg('You need not do anything: they are sent as soon as the SMS company answers. If they wait for more than an hour, call it.'),
  },
  'messages-refused': {
    tone: 'warn',
    title: msg('The SMS company has refused SMS'),
    advice: msg('Read its reason below and settle it with the SMS company. Then press “Send again”.'),
  },
  'backup-late': {
    tone: 'warn',
    title: msg('The nightly backup is missing'),
    advice: msg('Without it, what came in since the last one could be lost. Ask the person who maintains the site to look at it today.'),
  },
  'job-failed': {
    tone: 'warn',
    title: msg('Some work in the background has failed'),
    advice: msg('It is tried again every hour. If it still fails tomorrow, send its error below to the person who maintains the site.'),
  },
  'ledger-unchecked': {
    tone: 'warn',
    title: msg('The last check of the ledger did not end'),
    advice: msg('Press “Check the ledger now”.'),
  },
  'no-backup': {
    tone: 'info',
    title: msg('There is no backup yet'),
    advice: msg(
      'Ask the person who maintains the site to set up the nightly backup, unless the database and the photos are backed up in another way.',
    ),
  },
  'messages-off': {
    tone: 'info',
    title: msg('Customers get no SMS about their orders'),
    advice: msg('They see every stage on the site. To switch SMS on, the person who maintains the site registers the templates.'),
  },
  'some-messages-off': {
    tone: 'info',
    title: msg('Some SMS about orders are not sent'),
    advice: msg(
      'Customers see these changes only on the site. To switch their SMS on, the person who maintains the site registers the templates.',
    ),
  },
};

/** The purpose of each job. A newer server can have more jobs. */
export const JOB_NAMES: Readonly<Record<string, MessageKey>> = {
  [LEDGER_JOB]: msg('Check the ledger'),
  [NEW_ENTRIES_JOB]: msg('Check the new entries of the ledger'),
  'delete expired limits': msg('Forget old counts of requests'),
  'delete expired bot proofs': msg('Forget old checks for robots'),
  'delete expired verifications': msg('Delete old codes'),
  'delete expired messages': msg('Delete old SMS with codes'),
  'delete expired sessions': msg('End old log-ins'),
  'shorten future sessions': msg('Correct log-ins after a wrong clock'),
  'delete expired accounts': msg('Delete what old accounts leave'),
  'delete expired staff data': msg('End old log-ins of the staff'),
  'delete expired error reports': msg('Delete old error reports'),
  'delete expired order keys': msg('Forget old keys of orders'),
  'delete incomplete photos': msg('Delete photos of orders that did not arrive'),
  'delete unsent photos': msg('Delete photos of problems that were not sent'),
  'delete files of photos': msg('Delete the files of deleted photos'),
  'add up new figures': msg('Add up the numbers of the day'),
  'add up recent figures': msg('Add up the numbers of two days again'),
  'clean up notifications': msg('Delete old SMS about orders'),
  'reconciling payments': msg('Compare online payments with the bank'),
};

export const JOB_STATE_TEXTS = defineMessages({
  running: 'Running',
  succeeded: 'Done',
  failed: 'Failed',
  unbalanced: 'Does not add up',
  interrupted: 'Interrupted',
});

export const MESSAGE_KIND_TEXTS = defineMessages({
  placed: 'Order placed',
  rescheduled: 'Pickup day changed',
  attempted: 'Failed visit',
  weighed: 'Weighed',
  corrected: 'Weight corrected',
  delivery: 'Out for delivery',
  redelivery: 'Another delivery chosen',
  delivered: 'Delivered',
  unconfirmed: 'Delivered without the code',
  cancelled: 'Cancelled',
  repaid: 'Cancelled by us, money to the wallet',
  voided: 'Cancelled without a payment',
  refunded: 'Money to the wallet',
  paid: 'Payment received',
  reversed: 'Payment reversed',
  recovered: 'Money taken back from the wallet',
  dismissed: 'UPI payment did not arrive',
  answered: 'Answer to a problem',
  settled: 'Problem settled',
});

export const MESSAGE_STATE_TEXTS = defineMessages({
  waiting: 'Waiting',
  refused: 'Refused',
  unsure: 'May have arrived',
  'too-late': 'Too late',
  'too-many': 'Too many',
});

export const FAILURE_TEXTS = defineMessages({
  'not-accepted': 'The SMS company could not be reached.',
  rejected: 'The SMS company has refused it.',
  unknown: 'The SMS company did not confirm it. It may have arrived, so it is not sent twice.',
  'too-late': 'The SMS company could not be reached for a day.',
  'too-many': 'This order had thirty messages on that day.',
});

/**
 * Returns '5 minutes ago'. Both are date-times in Asia/Kolkata. 'just now' below a minute, also for
 * a future time; minutes below 60, hours below 48, then days.
 */
function ageText({ t, plural }: Language, time: string, now: string): string {
  const minutes = Math.floor((fromKolkataDateTime(now).getTime() - fromKolkataDateTime(time).getTime()) / 60_000);
  if (minutes < 1) return t('just now');
  if (minutes < 60) return plural(minutes, { one: '{count} minute ago', other: '{count} minutes ago' }, { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return plural(hours, { one: '{count} hour ago', other: '{count} hours ago' }, { count: hours });
  const days = Math.floor(hours / 24);
  return plural(days, { one: '{count} day ago', other: '{count} days ago' }, { count: days });
}

/** Returns 'Sun, Nov 22, 7:42 PM (5 minutes ago)'. */
export const timeText = (language: Language, time: string, now: string) =>
  language.t('{time} ({age})', { time: formatDayTime(language, time), age: ageText(language, time, now) });
