/** The details of the customer's account. Specification sections 3, 5 and 7. */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, noData, rupees } from '../../contract/define-call.ts';
import { accountError, MAX_PASSWORD_LENGTH, signUpFields } from '../accounts/contract.ts';
import { isEmail } from './rules.ts';

export const profileMessages = defineMessages({
  userData: 'User Data',
  updated: 'Account details are updated',
  mobileFixed: "You can't change your mobile number",
  passwordFailed: 'Something went wrong while updating password, complaint at {email}',
  passwordChanged: 'Password changed successfully, please login with new password',
  messageSettings: 'Message settings',
  messageSettingsChanged: 'Your choice is saved',
});

export const profileError = defineErrors({
  'invalid-email': 'Invalid email',
  'email-length': 'Invalid Email',
  'nothing-to-update': 'Nothing to updated',
  'new-password-too-short': 'Password should be of atleast 6 characters',
  'new-password-too-long': 'Password should be of at most 128 characters',
  'passwords-differ': "Confirm password doesn't matched with new password",
  'reset-expired': 'Something went wrong, please try again',
});

export const getUserDetails = defineCall({
  method: 'POST',
  path: 'login/getuserdetails.php',
  summary: 'The details of the signed-in customer. `token` is the userid.',
  caller: 'customer',
  body: z.object({ token: expectedUserid }),
  data: z.object({ name: z.string(), email: z.string(), mobile: z.string(), userid: z.string(), wallet: rupees }),
});
export type UserDetails = z.output<typeof getUserDetails.data>;

const newPassword = z
  .string(profileError.code('new-password-too-short'))
  .check(
    z.minLength(6, profileError.code('new-password-too-short')),
    z.maxLength(MAX_PASSWORD_LENGTH, profileError.code('new-password-too-long')),
  );

/**
 * The rules of the new-password form (specification section 5, "New password"). The form compares
 * the two values.
 */
export const newPasswordFields = { password: newPassword, confirmation: z.string() } as const;

const email = z
  .string()
  .check(
    z.trim(),
    z.minLength(2, profileError.code('email-length')),
    z.maxLength(200, profileError.code('email-length')),
    z.refine(isEmail, profileError.code('invalid-email')),
  );

/** The rules of the profile form. The e-mail may stay empty if it is empty now. */
export const profileFields = (current: { email: string }) =>
  ({ name: signUpFields.name, email: current.email === '' ? z.union([z.literal(''), email]) : email }) as const;

/**
 * Two calls of the specification at one path. With a password, `token` is the handle of a reset,
 * and this browser needs a confirmed reset code. Without one, `token` is the userid of the
 * session.
 */
export const updateUserDetails = defineCall({
  method: 'POST',
  path: 'login/updateuserdetails.php',
  summary: 'Change name or e-mail (needs the session), or set a new password (needs a confirmed reset code; ends all sessions).',
  caller: 'anyone',
  errors: {
    ...profileError.pick(
      'invalid-email',
      'email-length',
      'nothing-to-update',
      'new-password-too-short',
      'new-password-too-long',
      'reset-expired',
    ),
    ...accountError.pick('invalid-name'),
  },
  body: z.object({
    token: expectedUserid,
    name: z.optional(signUpFields.name),
    email: z.optional(z.string(profileError.code('invalid-email')).check(z.trim(), z.maxLength(200, profileError.code('invalid-email')))),
    password: z.optional(newPassword),
  }),
  data: noData,
});

/**
 * The messages about orders that a customer can switch off, as notifications names them.
 * docs/decisions/0105.
 */
export const OPTIONAL_MESSAGES = ['placed', 'attempted', 'delivery', 'delivered'] as const;
export type OptionalMessage = (typeof OPTIONAL_MESSAGES)[number];

/** True for each kind that is sent. */
const messageChoices = {
  placed: z.boolean(),
  attempted: z.boolean(),
  delivery: z.boolean(),
  delivered: z.boolean(),
} satisfies Record<OptionalMessage, unknown>;
const messageSettings = z.object(messageChoices);
export type MessageSettings = z.output<typeof messageSettings>;

export const getMessageSettings = defineCall({
  method: 'POST',
  path: 'messages/getsettings',
  summary: 'The messages about orders that the customer receives. Those about money are always sent.',
  caller: 'customer',
  body: z.object({ userid: expectedUserid }),
  data: messageSettings,
});

export const changeMessageSettings = defineCall({
  method: 'POST',
  path: 'messages/changesettings',
  summary: 'Switch messages about orders on or off.',
  caller: 'customer',
  body: z.object({ userid: expectedUserid, ...messageChoices }),
  data: messageSettings,
});
