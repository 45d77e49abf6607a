/** The customer's own details. Specification sections 3, 5 and 7. */
import * as z from 'zod/mini';
import { fill, type Messages } from '../../i18n/messages.ts';
import { claimedUserid, defineCall, noData, rupees } from '../../contract/define-call.ts';
import { MOST_PASSWORD_LENGTH, signUpFields } from '../accounts/contract.ts';

export const profileMessages = {
  userData: 'User Data',
  updated: 'Account details are updated',
  /** The server's word on the form of an e-mail; the browser's on its length is spelled otherwise. */
  invalidEmail: 'Invalid email',
  emailTooShort: 'Invalid Email',
  mobileFixed: "You can't change your mobile number",
  nothingToUpdate: 'Nothing to updated',
  passwordLength: 'Password should be of atleast 6 characters',
  passwordMismatch: "Confirm password doesn't matched with new password",
  passwordFailed: (email: string) => fill('Something went wrong while updating password, complaint at {email}', { email }),
  passwordChanged: 'Password changed successfully, please login with new password',
  startAgain: 'Something went wrong, please try again',
} as const satisfies Messages;

export const getUserDetails = defineCall({
  method: 'POST',
  path: 'login/getuserdetails.php',
  summary: "The session's own details; `token` is the userid.",
  caller: 'customer',
  body: z.object({ token: claimedUserid }),
  data: z.object({ name: z.string(), email: z.string(), mobile: z.string(), userid: z.string(), wallet: rupees }),
});

const newPassword = z
  .string(profileMessages.passwordLength)
  .check(
    z.minLength(6, profileMessages.passwordLength),
    z.maxLength(MOST_PASSWORD_LENGTH, `Password should be of at most ${MOST_PASSWORD_LENGTH} characters`),
  );

/** The rules of the new-password form (specification section 5, "New password"); that both are equal is the form's own rule. */
export const newPasswordFields = { password: newPassword, confirmation: z.string() } as const;

const email = z.string().check(z.trim(), z.minLength(2, profileMessages.emailTooShort), z.maxLength(200, profileMessages.emailTooShort));

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
  body: z.object({
    token: claimedUserid,
    name: z.optional(signUpFields.name),
    email: z.optional(z.string(profileMessages.invalidEmail).check(z.trim(), z.maxLength(200, profileMessages.invalidEmail))),
    password: z.optional(newPassword),
  }),
  data: noData,
});
