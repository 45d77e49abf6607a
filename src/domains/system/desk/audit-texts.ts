/** The entries of the audit in the words of the laundry. */
import type { Language } from '../../../i18n/language.tsx';
import { defineMessages, msg, type ErrorMessage, type MessageKey } from '../../../i18n/messages.ts';
import { formatKilograms } from '../../../lib/money.ts';
import { areaNames, type Area } from '../../catalogue/contract.ts';
import { cashError } from '../../cash/desk/contract.ts';
import { catalogueDeskError } from '../../catalogue/desk/contract.ts';
import { claimDeskError } from '../../claims/desk/contract.ts';
import { customerError } from '../../customers/desk/contract.ts';
import { eveningDeskError } from '../../evenings/desk/contract.ts';
import { photoError } from '../../photos/contract.ts';
import { reviewDeskError } from '../../reviews/desk/contract.ts';
import { capacityText, weekdayName } from '../../evenings/desk/evening-texts.ts';
import { stageDisplay } from '../../orders/contract.ts';
import { PHOTO_KIND_TEXTS, REVERSED_CASH_TEXTS } from '../../order-desk/desk/desk-texts.ts';
import { refusalTexts } from '../../order-desk/desk/refusals.ts';
import {
  AUDIT_FIELDS,
  UNKNOWN_PERSON,
  auditActions,
  type AuditAction,
  type AuditEntry,
  type AuditField,
  type AuditPage,
  type AuditSubject,
  type AuditValue,
} from '../../staff/desk/audit-contract.ts';
import type { STAFF_CALLS, StaffPath } from '../../staff/desk/contract.ts';
import { ROLE_NAMES } from '../../staff/desk/role-names.ts';
import { MOVEMENT_NAMES } from '../../wallet/pages/movement-names.ts';
import { systemError } from './contract.ts';
import { JOB_NAMES, MESSAGE_KIND_TEXTS } from './system-texts.ts';

type Names = AuditPage['names'];
type Format = (value: AuditValue, language: Language, names: Names) => string;
type Texts = Readonly<Record<string, MessageKey>>;

/** Ignores inherited properties such as 'constructor'. */
const lookUp = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** Returns the text of a code, or a code of another version unchanged. */
const textOf = (texts: Texts, code: string, { t }: Language): string => {
  const text = lookUp(texts, code);
  return text === undefined ? code : t(text);
};

const asIs: Format = (value) => String(value);
const amount: Format = (value, { rupees }) => (Number(value) < 0 ? `-${rupees(-Number(value))}` : rupees(Number(value)));
const yesOrNo: Format = (value, { t }) => (value === true ? t('Yes') : t('No'));
const personName: Format = (value, _language, names) => lookUp(names, String(value)) ?? String(value);
const oneOf =
  (texts: Texts): Format =>
  (value, language) =>
    textOf(texts, String(value), language);

type PathWithRoles = { [Path in StaffPath]: (typeof STAFF_CALLS)[Path]['roles'] extends 'anyone' ? never : Path }[StaffPath];

/** The texts of the calls, as actions of a person. */
const CALL_TEXTS: Readonly<Record<PathWithRoles, MessageKey>> = {
  'staff/people': msg('People'),
  'staff/setperson': auditActions['change-person'],
  'staff/audit': msg('Audit'),
  'staff/orders': msg('Board'),
  'staff/board': msg('Board'),
  'staff/order': msg('Order'),
  'staff/events': msg('Board'),
  'staff/weigh': auditActions['weigh-order'],
  'staff/move': auditActions['move-order'],
  'staff/moveback': auditActions['move-order-back'],
  'staff/attempt': auditActions['record-attempt'],
  'staff/reschedule': auditActions['reschedule-order'],
  'staff/renewcode': auditActions['renew-code'],
  'staff/countbags': auditActions['count-bags'],
  'staff/explainbags': auditActions['explain-bags'],
  'staff/cancel': auditActions['cancel-order'],
  'staff/assign': auditActions['assign-order'],
  'staff/riders': msg('Rider'),
  'staff/photo': auditActions['add-photo'],
  'staff/receive': auditActions['receive-payment'],
  'staff/upipayments': msg('UPI payments'),
  'staff/confirmupi': auditActions['receive-payment'],
  'staff/dismissupi': auditActions['dismiss-payment'],
  'staff/cash': msg('Cash'),
  'staff/handin': auditActions['hand-in-cash'],
  'staff/explaincash': auditActions['explain-cash'],
  'staff/reversepayment': auditActions['reverse-payment'],
  'staff/claims': msg('Problems'),
  'staff/answerclaim': auditActions['answer-claim'],
  'staff/assignclaim': auditActions['assign-claim'],
  'staff/settleclaim': auditActions['settle-claim'],
  'staff/customer': auditActions['look-up-customer'],
  'staff/grant': auditActions['grant-credit'],
  'staff/reverse': auditActions['reverse-grant'],
  'staff/payout': auditActions['pay-out'],
  'staff/endoffer': auditActions['end-offer'],
  'staff/reviews': msg('Reviews'),
  'staff/moderate': auditActions['moderate-review'],
  'staff/programs': msg('Catalogue'),
  'staff/setprogram': auditActions['set-program'],
  'staff/report': msg('Numbers'),
  'staff/system': msg('System'),
  'staff/checkledger': auditActions['check-ledger'],
  'staff/alerts': msg('Today'),
  'staff/messages': msg('SMS that did not go out'),
  'staff/sendagain': auditActions['send-message-again'],
  'staff/errorreports': msg('Errors that visitors met'),
  'staff/slots': msg('Evenings'),
  'staff/setslots': auditActions['set-evening-plan'],
};

/** The errors of all changes of the staff. */
const ERROR_TEXTS = {
  ...photoError.texts,
  ...cashError.texts,
  ...catalogueDeskError.texts,
  ...claimDeskError.texts,
  ...customerError.texts,
  ...eveningDeskError.texts,
  ...reviewDeskError.texts,
  ...systemError.texts,
  ...refusalTexts,
};
type AuditedCode = keyof typeof ERROR_TEXTS;

type CodeWithValues = {
  [Code in AuditedCode]: (typeof ERROR_TEXTS)[Code] extends `${string}{${string}` ? Code : never;
}[AuditedCode];

/** Errors that the console shows in other words, because a form or a log-in avoids them. */
type ProtocolCode = 'login-required' | 'invalid-value' | 'invalid-body';

/** Errors whose texts contain values: the audit records only their codes. */
const SHORT_REFUSALS: Readonly<Record<CodeWithValues | ProtocolCode, MessageKey>> = {
  'login-required': msg('Nobody was logged in'),
  'invalid-value': msg('A value was not valid'),
  'invalid-body': msg('The request was not valid'),
  'offer-above-limit': msg('A larger offer than an operator may give'),
  'over-daily-offers': msg('More offers than an operator may give in a day'),
  'better-offer-active': msg('An offer below the one of the customer'),
  'credit-spent': msg('The customer has spent the credit'),
  'order-not-found': msg('There is no such order'),
  'pickup-moved': msg('The pickup of this evening was closed'),
  'already-picked-up': msg('The clothes were picked up already'),
  'cancelled-by-laundry': msg('The laundry has cancelled this order'),
  'too-many-changes': msg('Too many changes in a day'),
  'too-many-desk-changes': msg('Too many changes in a day'),
  'too-many-owner-changes': msg('Too many changes in a day'),
  'too-many-answers': msg('Too many changes in a day'),
  'pickup-day-past': msg('The day was over'),
  'pickup-day-closed': msg('The pickup of this evening was closed'),
  'pickup-day-too-far': msg('The day was too far ahead'),
  'delivery-day-closed': msg('It was too late for this evening'),
  'evening-full': msg('The evening was full'),
  'evening-closed': msg('The evening was closed'),
  'evening-limit': msg('Too many pickups of this customer on one evening'),
  'evenings-full': msg('All evenings were full'),
  'customer-cancelled': msg('The customer had cancelled the order'),
  'laundry-cancelled': msg('The laundry had cancelled the order'),
  'customer-moved-pickup': msg('The customer had moved the pickup'),
  'laundry-moved-pickup': msg('The laundry had moved the pickup'),
  'over-daily-credits': msg('More than this person may credit in a day'),
  'wrong-hand-over-code': msg('The hand-over code was wrong'),
  'more-than-due': msg('More than was left to pay'),
  'upi-more-than-due': msg('More by UPI than was left to pay'),
  'too-much-change': msg('Too much change for the wallet'),
  'change-spent': msg('The customer has spent the change'),
  'payout-above-balance': msg('More than the wallet has'),
};

/** The text of an error code, without the values that the audit does not have. */
const refusal: Format = (value, language) => {
  const code = String(value);
  const text = lookUp<string>(ERROR_TEXTS, code);
  if (Object.hasOwn(SHORT_REFUSALS, code)) return textOf(SHORT_REFUSALS, code, language);
  return text === undefined ? code : language.formatMessage({ code, params: {}, message: text } satisfies ErrorMessage);
};

const weekdays: Format = (value, language) =>
  String(value)
    .split(' ')
    .map((day) => weekdayName(language, Number(day), 'short'))
    .join(', ');

interface Field {
  label: MessageKey;
  format: Format;
  /** Instead of an empty value. */
  empty?: MessageKey;
}

/** Null: an id that means nothing to a reader. */
const FIELDS: Readonly<Record<AuditField, Field | null>> = {
  name: { label: msg('Name'), format: asIs },
  mobile: { label: msg('Mobile Number'), format: asIs },
  role: { label: msg('Role'), format: oneOf(ROLE_NAMES) },
  call: { label: msg('What'), format: oneOf({ ...CALL_TEXTS, ...auditActions }) },
  error: { label: msg('Reason'), format: refusal },
  stage: { label: msg('Stage'), format: (value, { translateData }) => translateData(stageDisplay(String(value)).label) },
  weight_grams: { label: msg('Weight'), format: (value, { t }) => t('{weight} kg', { weight: formatKilograms(Number(value)) }) },
  items: { label: msg('Pieces'), format: asIs },
  bags: { label: msg('Bags'), format: asIs },
  counted_bags: { label: msg('Bags counted'), format: asIs },
  rider_id: { label: msg('Rider'), format: personName, empty: msg('Nobody yet') },
  assigned_to: { label: msg('Handled by'), format: personName, empty: msg('Nobody yet') },
  pickup_day: { label: msg('Pickup day'), format: (value, { day }) => day(String(value)) },
  returned: { label: msg('Returned'), format: yesOrNo },
  received_paise: { label: msg('Received'), format: amount },
  credited_paise: { label: msg('Money to the wallet'), format: amount },
  waived_paise: { label: msg('Not charged any more'), format: amount },
  own_money_paise: { label: msg('Of it paid by the customer'), format: amount },
  note: { label: msg('Note'), format: asIs },
  photo: null,
  kind: { label: msg('What'), format: oneOf({ ...PHOTO_KIND_TEXTS, ...MOVEMENT_NAMES }) },
  status: { label: msg('Status'), format: oneOf(defineMessages({ open: 'Without an answer', answered: 'Answered', settled: 'Settled' })) },
  amount_paise: { label: msg('Amount'), format: amount },
  reversed_cash: { label: msg('The cash'), format: oneOf(REVERSED_CASH_TEXTS) },
  reversed_paise: { label: msg('Reversed'), format: amount },
  paid_back_paise: { label: msg('Paid back'), format: amount },
  reason: { label: msg('Reason'), format: asIs },
  entry: null,
  offer: null,
  percent: { label: msg('Percent'), format: asIs },
  days: { label: msg('Days'), format: asIs },
  is_known: { label: msg('Known number'), format: yesOrNo },
  holder: { label: msg('Cash of'), format: personName },
  expected_paise: { label: msg('Expected'), format: amount },
  counted_paise: { label: msg('Counted'), format: amount },
  kept_paise: { label: msg('Kept'), format: amount },
  difference_paise: { label: msg('Difference'), format: amount },
  explanation: { label: msg('Explanation'), format: asIs },
  hidden: { label: msg('Hidden'), format: yesOrNo },
  reply: { label: msg('Public reply'), format: asIs },
  rate_paise: { label: msg('Price'), format: amount },
  manesar_paise: { label: msg('Surcharge in Manesar'), format: amount },
  vatika_paise: { label: msg('Surcharge in Vatika India Next'), format: amount },
  cut_off: { label: msg('Same day until'), format: asIs },
  capacity: {
    label: msg('Orders each evening'),
    format: (value, language) => capacityText(language, Number(value)),
    empty: msg('Any number'),
  },
  closed_weekdays: { label: msg('Closed on'), format: weekdays, empty: msg('No day') },
  is_exception: { label: msg('Different from the usual week'), format: yesOrNo },
  message: { label: msg('SMS'), format: oneOf(MESSAGE_KIND_TEXTS) },
};

export interface ChangedField {
  name: string;
  label: string;
  /** Undefined: the entry has no earlier value. */
  before: string | undefined;
  after: string | undefined;
}

const isEmpty = (value: AuditValue) => value === null || value === '';

/** Returns the fields that an entry changes or records, without ids and unchanged values. */
export function changedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>, language: Language, names: Names): ChangedField[] {
  const { t } = language;
  const recorded = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const known = AUDIT_FIELDS.filter((name) => recorded.delete(name));
  return [...known, ...recorded].flatMap((name) => {
    const [old, current] = [before?.[name], after?.[name]];
    // A field of another version has no label.
    const field: Field | null = lookUp(FIELDS, name) ?? (Object.hasOwn(FIELDS, name) ? null : { label: name as MessageKey, format: asIs });
    if (!field || old === current || (old === undefined && isEmpty(current ?? null))) return [];
    const format = (value: AuditValue | undefined) => {
      if (value === undefined) return undefined;
      return isEmpty(value) ? t(field.empty ?? msg('None')) : field.format(value, language, names);
    };
    return [{ name, label: t(field.label), before: format(old), after: format(current) }];
  });
}

const UNAUTHENTICATED_ACTIONS: ReadonlySet<string> = new Set<AuditAction>(['log-in-failed', 'refused']);

/** Returns who made an entry, or null for a failed log-in and a caller without a session. */
export function authorText(
  { person, command_user: user, action }: Pick<AuditEntry, 'person' | 'command_user' | 'action'>,
  { t }: Language,
) {
  if (person) return person.name;
  if (user !== null) return t('A command of {user} in the terminal', { user });
  return UNAUTHENTICATED_ACTIONS.has(action) ? null : t('A command in the terminal');
}

/** Returns what an entry is about, or null if nothing but an id is known. */
export function subjectText(
  { subject_kind: kind, subject, person }: Pick<AuditEntry, 'subject_kind' | 'subject' | 'person'>,
  language: Language,
  names: Names,
): string | null {
  const { t, day, translateData } = language;
  switch (kind as AuditSubject) {
    case 'order':
      return t('Order {orderid}', { orderid: subject });
    case 'claim':
      return t('Report {claimid}', { claimid: subject });
    case 'person':
      if (subject === UNKNOWN_PERSON) return t('A number of nobody in the staff');
      // A log-in is about its own author.
      return subject === person?.personid ? null : personName(subject, language, names);
    case 'call':
      return textOf(CALL_TEXTS, subject, language);
    case 'evening': {
      const [area = '', date] = subject.split(' ');
      const place = translateData(areaNames[area as Area] ?? area);
      return date === undefined ? place : `${place}, ${day(date)}`;
    }
    case 'system':
      return textOf(JOB_NAMES, subject, language);
    case 'cash':
    case 'review':
      return null;
    case 'customer':
    case 'program':
      return subject;
  }
}
