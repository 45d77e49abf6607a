/**
 * The people who work in the laundry: roles, log-in, people and audit. Every staff call of every
 * domain is a row of `STAFF_CALLS`. Only the server and the console load this file.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { defineErrors, type ErrorTexts } from '../../../contract/errors.ts';
import { defineCall, noBody, noData, personName, resourceId, rupees, type Call } from '../../../contract/define-call.ts';
import { MAX_PASSWORD_LENGTH, accountError, loginFields } from '../../accounts/contract.ts';

export const ROLES = ['owner', 'operator', 'rider'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that work at the laundry and not at the door. */
export const OFFICE = ['owner', 'operator'] as const satisfies readonly Role[];

interface StaffAccess {
  /** `anyone`: the call does not authenticate. */
  readonly roles: readonly Role[] | 'anyone';
  /**
   * The session must be at most `FRESH_LOGIN_SECONDS` old. `to-credit`: only if the call credits a
   * customer, which `checkCredit` demands.
   */
  readonly needsFreshLogin?: true | 'to-credit';
}

/** The roles that may make each staff call. Server, screens and tests read this table. */
export const STAFF_CALLS = {
  'staff/login': { roles: 'anyone' },
  'staff/logout': { roles: 'anyone' },
  'staff/setpassword': { roles: 'anyone' },
  'staff/checklink': { roles: 'anyone' },
  // They authenticate a log-in that waits for a passkey, or a session.
  'staff/passkeyoptions': { roles: 'anyone' },
  'staff/passkeylogin': { roles: 'anyone' },
  'staff/addpasskey': { roles: 'anyone' },
  'staff/me': { roles: 'anyone' },
  'staff/people': { roles: ['owner'] },
  'staff/setperson': { roles: ['owner'], needsFreshLogin: true },
  'staff/audit': { roles: ['owner'] },
  'staff/orders': { roles: ROLES },
  'staff/board': { roles: ROLES },
  'staff/order': { roles: ROLES },
  'staff/events': { roles: ROLES },
  'staff/weigh': { roles: ROLES, needsFreshLogin: 'to-credit' },
  'staff/move': { roles: ROLES },
  // A rider can only undo their own last move.
  'staff/moveback': { roles: ROLES },
  'staff/renewcode': { roles: OFFICE },
  'staff/countbags': { roles: ROLES },
  'staff/explainbags': { roles: ROLES },
  'staff/attempt': { roles: ROLES },
  'staff/reschedule': { roles: OFFICE },
  'staff/cancel': { roles: OFFICE, needsFreshLogin: 'to-credit' },
  'staff/assign': { roles: OFFICE },
  'staff/riders': { roles: OFFICE },
  'staff/photo': { roles: ROLES },
  'staff/receive': { roles: ROLES, needsFreshLogin: 'to-credit' },
  // Only the owner sees the statement of the bank.
  'staff/upipayments': { roles: ['owner'] },
  'staff/confirmupi': { roles: ['owner'], needsFreshLogin: 'to-credit' },
  'staff/dismissupi': { roles: ['owner'] },
  'staff/cash': { roles: ROLES },
  'staff/handin': { roles: OFFICE },
  'staff/explaincash': { roles: ['owner'] },
  'staff/reversepayment': { roles: ['owner'], needsFreshLogin: true },
  'staff/claims': { roles: OFFICE },
  'staff/answerclaim': { roles: OFFICE },
  'staff/assignclaim': { roles: OFFICE },
  'staff/settleclaim': { roles: OFFICE, needsFreshLogin: 'to-credit' },
  'staff/customer': { roles: OFFICE },
  'staff/grant': { roles: OFFICE, needsFreshLogin: true },
  'staff/reverse': { roles: ['owner'], needsFreshLogin: true },
  'staff/payout': { roles: ['owner'], needsFreshLogin: true },
  'staff/endoffer': { roles: ['owner'], needsFreshLogin: true },
  'staff/reviews': { roles: OFFICE },
  'staff/moderate': { roles: OFFICE },
  'staff/programs': { roles: ROLES },
  'staff/setprogram': { roles: ['owner'], needsFreshLogin: true },
  'staff/report': { roles: ['owner'] },
  'staff/system': { roles: ['owner'] },
  'staff/checkledger': { roles: ['owner'] },
  'staff/alerts': { roles: OFFICE },
  'staff/messages': { roles: ['owner'] },
  'staff/sendagain': { roles: ['owner'] },
  'staff/errorreports': { roles: ['owner'] },
  'staff/slots': { roles: ROLES },
  'staff/setslots': { roles: ['owner'] },
} as const satisfies Readonly<Record<`staff/${string}`, StaffAccess>>;

export type StaffPath = keyof typeof STAFF_CALLS;

/** A stream of events is a GET request without an envelope. */
export type StaffCallPath = Exclude<StaffPath, 'staff/events'>;

export const accessTo = (path: StaffPath): StaffAccess => STAFF_CALLS[path];

/** Returns whether the server lets this role make the call. Screens hide what it would refuse. */
export function mayCall(role: Role, path: StaffPath): boolean {
  const { roles } = accessTo(path);
  return roles === 'anyone' || roles.includes(role);
}

export const FRESH_LOGIN_SECONDS = 10 * 60;

/** Optional header: the person who makes the call. In the session of another one it gets 401. */
export const STAFF_MOBILE_HEADER = 'staff-mobile';

export const staffMessages = defineMessages({
  loggedIn: 'Logged in',
  loggedOut: 'Logged out',
  passwordSet: 'Password set',
  found: 'Fetched successfully',
  personSaved: 'Saved',
});

export const staffError = defineErrors({
  'not-logged-in': 'Nobody is logged in',
  'person-removed': 'An owner has removed you from the staff',
  'session-ended': 'You were logged out. Log in to go on.',
  'not-permitted': 'Your role does not allow this',
  'login-too-old': 'Please log in again to do this',
  'wrong-staff-login': 'Wrong mobile number or password',
  'passkey-required': 'Confirm the log-in with your passkey',
  'passkey-missing': 'Your role needs a passkey: add one to log in',
  'passkey-refused': 'This passkey was not accepted, please try again',
  'invalid-link': 'This link has expired or was used before. Ask the owner for a new one.',
  'staff-password-too-short': 'Use at least 10 characters',
  'person-name': 'Enter a name of at least 2 letters',
  'person-not-found': 'There is no such person',
  'person-exists': 'A person with this mobile number works here already',
  'last-owner': 'The laundry needs an owner with a password: add another owner first',
  'staff-key-required': 'Send the header Idempotency-Key',
  'staff-key-used': 'This Idempotency-Key was sent with another request',
  'done-before': 'This was sent before and is done. Its answer is not stored any more.',
  'response-expired': 'This was sent before, but its answer is not stored any more. Check whether it is done before you send it again.',
  'own-mobile': 'Nobody can give something to their own mobile number',
  'changed-meanwhile': 'This has changed since you opened it, please look at it again',
  'over-daily-credits': 'You can give customers ₹{left} more today. The owner can give more.',
});

/** True if an earlier request with the key made the change. Its response is not stored any more. */
export const isDoneBefore = ({ code }: { code: string }): boolean => code === ('done-before' satisfies keyof typeof staffError.texts);

/** True for the error of a change that was not based on the current state. Nothing was written. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof CallRefused && error.code === ('changed-meanwhile' satisfies keyof typeof staffError.texts);

export interface StaffCall<Body, Data, Code extends string = string> extends Call<Body, Data, Code> {
  readonly path: StaffCallPath;
}

interface StaffCallDefinition<Body extends z.ZodMiniType, Data extends z.ZodMiniType, Code extends string> {
  path: StaffCallPath;
  summary: string;
  upload?: true;
  errors?: ErrorTexts<Code>;
  body: Body;
  data: Data;
}

/** Defines a staff call. Its callers are those of its row in `STAFF_CALLS`. */
export function defineStaffCall<Body extends z.ZodMiniType, Data extends z.ZodMiniType, Code extends string = never>(
  definition: StaffCallDefinition<Body, Data, Code>,
): StaffCall<z.output<Body>, z.output<Data>, Code> {
  const caller = accessTo(definition.path).roles === 'anyone' ? 'anyone' : 'staff';
  return { ...defineCall<Body, Data, Code>({ ...definition, method: 'POST', caller }), path: definition.path };
}

const me = z.object({ name: z.string(), role: z.enum(ROLES), mobile: z.string() });
export type Me = z.output<typeof me>;

export const staffLogin = defineStaffCall({
  path: 'staff/login',
  summary: 'Log in to the console. Sets the session cookie of the staff.',
  errors: {
    ...staffError.pick('wrong-staff-login', 'passkey-required', 'passkey-missing'),
    ...accountError.pick('too-many-wrong-passwords', 'invalid-mobile', 'password-incorrect', 'password-too-long'),
  },
  body: z.object(loginFields),
  data: me,
});

export const staffLogout = defineStaffCall({
  path: 'staff/logout',
  summary: 'End this session of the staff. Succeeds without a session too.',
  body: noBody,
  data: noData,
});

export const staffMe = defineStaffCall({
  path: 'staff/me',
  summary: 'The person who is logged in.',
  // No status 401: the first call of every visit to the console would be an error of the browser.
  errors: staffError.pick('not-logged-in', 'person-removed', 'session-ended'),
  body: noBody,
  data: me,
});

export const passkeyOptions = defineStaffCall({
  path: 'staff/passkeyoptions',
  summary: 'The options of WebAuthn: to confirm a log-in, or to add a passkey. They are valid once, for ten minutes.',
  errors: staffError.pick('not-logged-in', 'login-too-old'),
  body: noBody,
  data: z.object({ purpose: z.enum(['log-in', 'enrol', 'add']), options: z.record(z.string(), z.unknown()) }),
});

/** Bytes in base64url. */
const encoded = (maxLength: number) => z.string().check(z.maxLength(maxLength));

/** A word such as 'internal' or 'hybrid'. Browsers can add further ones. */
const transport = z.string().check(z.regex(/^[a-z-]{1,20}$/));

/**
 * A credential as browsers encode it (PublicKeyCredential.toJSON). The library of WebAuthn checks
 * the rest.
 */
const credential = z.looseObject({
  id: encoded(1400),
  rawId: z.optional(encoded(1400)),
  response: z.optional(
    z.looseObject({
      clientDataJSON: z.optional(encoded(8000)),
      attestationObject: z.optional(encoded(20_000)),
      authenticatorData: z.optional(encoded(4000)),
      signature: z.optional(encoded(2000)),
      userHandle: z.nullish(encoded(200)),
      transports: z.optional(z.array(transport).check(z.maxLength(8))),
    }),
  ),
});
export type Credential = z.output<typeof credential>;

const credentialErrors = {
  ...staffError.pick('not-logged-in', 'passkey-refused'),
  ...accountError.pick('too-many-wrong-passwords'),
};

export const passkeyLogin = defineStaffCall({
  path: 'staff/passkeylogin',
  summary: 'Confirm a log-in with a passkey. Sets the session cookie of the staff.',
  errors: credentialErrors,
  body: z.object({ credential }),
  data: me,
});

export const addPasskey = defineStaffCall({
  path: 'staff/addpasskey',
  summary: 'Add a passkey. Completes a log-in that needs a first one.',
  errors: credentialErrors,
  body: z.object({ credential }),
  data: me,
});

/** The rule of a password that a person of the staff chooses. */
export const newPassword = z
  .string(staffError.code('staff-password-too-short'))
  .check(
    z.minLength(10, staffError.code('staff-password-too-short')),
    z.maxLength(MAX_PASSWORD_LENGTH, accountError.code('password-too-long')),
  );

const linkToken = z.object({ token: z.string().check(z.maxLength(64)) });

export const setStaffPassword = defineStaffCall({
  path: 'staff/setpassword',
  summary: 'Set a password with the token of a one-time link. Ends every session of the person and removes their passkeys.',
  errors: {
    ...staffError.pick('invalid-link', 'staff-password-too-short'),
    ...accountError.pick('too-many-wrong-passwords', 'password-too-long'),
  },
  body: z.extend(linkToken, { password: newPassword }),
  data: z.object({ mobile: z.string() }),
});

export const checkStaffLink = defineStaffCall({
  path: 'staff/checklink',
  summary: 'Whether a one-time link can still set a password. Does not use it up.',
  errors: staffError.pick('invalid-link'),
  body: linkToken,
  data: noData,
});

/** A person of the staff in the data of other calls. */
export const namedPerson = z.object({ personid: z.string(), name: z.string() });

const person = z.object({
  ...namedPerson.shape,
  mobile: z.string(),
  role: z.enum(ROLES),
  /** A person is invited until the password is set. */
  status: z.enum(['invited', 'active']),
  passkeys: z.number(),
  /** The open orders that name the person as the rider. */
  open_orders: z.int(),
  held_cash: rupees,
  /** The credits of today. Null for owners, who have no limit. */
  credits: z.nullable(z.object({ per_day: rupees, left_today: rupees })),
});
export type Person = z.output<typeof person>;

export const getPeople = defineStaffCall({
  path: 'staff/people',
  summary: 'The people who work in the laundry.',
  body: noBody,
  data: z.array(person),
});

export const personFields = {
  name: personName(staffError.code('person-name'), { min: 2 }),
  mobile: loginFields.mobile,
} as const;

export const setPerson = defineStaffCall({
  path: 'staff/setperson',
  summary:
    'Add a person, change name or role, make a new link to set a password, or remove a person, which ends all their sessions and leaves their open orders without a rider. ' +
    'A new person and a new link return the path of the link, once.',
  errors: {
    ...staffError.pick('person-name', 'person-not-found', 'person-exists', 'last-owner', 'staff-key-used'),
    ...accountError.pick('invalid-mobile'),
  },
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('add'), ...personFields, role: z.enum(ROLES) }),
    z.object({ action: z.literal('change'), personid: resourceId, name: personFields.name, role: z.enum(ROLES) }),
    z.object({ action: z.literal('link'), personid: resourceId }),
    z.object({ action: z.literal('remove'), personid: resourceId }),
  ]),
  data: z.object({ personid: z.string(), link: z.nullable(z.string()) }),
});
export type PersonChange = z.output<typeof setPerson.body>;

/** A day that exists, of this millennium: PostgreSQL and Date do not accept every year. */
export const calendarDay = z.iso.date().check(z.startsWith('2'));

/**
 * The path of the server-sent events of the staff. `ready` begins a stream; `change` has an order
 * with its version and stage; `reset`: changes are missing, so that everything is loaded again;
 * `beat`: every change until now was sent.
 */
export const DESK_EVENTS_PATH = 'staff/events' satisfies StaffPath;
