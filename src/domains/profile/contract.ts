/** The customer's own details. Specification sections 3, 5 and 7. */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { claimedUserid, defineCall, noData, rupees } from '../../contract/define-call.ts';
import { accountError, MOST_PASSWORD_LENGTH, signUpFields } from '../accounts/contract.ts';

export const profileMessages = defineMessages({
  userData: 'User Data',
  updated: 'Account details are updated',
  mobileFixed: "You can't change your mobile number",
  passwordFailed: 'Something went wrong while updating password, complaint at {email}',
  passwordChanged: 'Password changed successfully, please login with new password',
});

export const profileError = defineErrors({
  /** The form of an e-mail, which the server checks. Its length, which the browser checks, has a text of its own. */
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
  summary: "The session's own details; `token` is the userid.",
  caller: 'customer',
  body: z.object({ token: claimedUserid }),
  data: z.object({ name: z.string(), email: z.string(), mobile: z.string(), userid: z.string(), wallet: rupees }),
});

const newPassword = z
  .string(profileError.code('new-password-too-short'))
  .check(
    z.minLength(6, profileError.code('new-password-too-short')),
    z.maxLength(MOST_PASSWORD_LENGTH, profileError.code('new-password-too-long')),
  );

/** The rules of the new-password form (specification section 5, "New password"); that both are equal is the form's own rule. */
export const newPasswordFields = { password: newPassword, confirmation: z.string() } as const;

const email = z
  .string()
  .check(z.trim(), z.minLength(2, profileError.code('email-length')), z.maxLength(200, profileError.code('email-length')));

/** The rules of the profile form. A customer who never gave an e-mail may leave it so. */
export const profileFields = (current: { email: string }) =>
  ({ name: signUpFields.name, email: current.email === '' ? z.union([z.literal(''), email]) : email }) as const;

/**
 * Two calls of the specification in one: with a password, `token` is the handle of a reset and the proof is a confirmed reset code of this browser; without,
 * `token` is the userid and the proof is the session.
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
    token: claimedUserid,
    name: z.optional(signUpFields.name),
    email: z.optional(z.string(profileError.code('invalid-email')).check(z.trim(), z.maxLength(200, profileError.code('invalid-email')))),
    password: z.optional(newPassword),
  }),
  data: noData,
});
