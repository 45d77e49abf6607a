/** Who the customer is: sign-up, log-in, log-out and the look-up of a mobile number. Specification sections 2, 5, 7 and 8. */
import * as z from 'zod/mini';
import type { Messages } from '../../i18n/messages.ts';
import { defineCall, noData, typedText } from '../../contract/define-call.ts';

export const accountMessages = {
  loggedIn: 'Account loggin successfully',
  userNotFound: 'user not found',
  wrongPassword: 'wrong password',
  loggedOut: 'Account logged out successfully',
  invalidName: 'Invalid name',
  mobileLength: 'Mobile number should be of 10 digits',
  passwordLength: 'Password must be of atleast 6 characters',
  passwordTooLong: 'Password must be of at most 128 characters',
  userExists: 'User already exists, forgot password?',
  invalidMobile: 'Invalid mobile number',
  wrongPasswordShown: 'Wrong password',
  userDoesNotExist: "User doesn't exists",
  accountCreated: 'Account Created',
  userFound: 'User found',
  queryRefused: 'This query is not answered',
  noUser: 'No user found, you should signup',
  verifyFirst: 'Please verify your mobile number first',
  tooManyTries: 'Too many wrong passwords, please try again in a while',
  tooManyLookUps: 'Too many requests, please try again in a while',
} as const satisfies Messages;

export const MOST_PASSWORD_LENGTH = 128;

/** Ten digits: the field has taken off what people paste around them. */
const mobile = (message: string) => z.string(message).check(z.regex(/^[0-9]{10}$/, message));

const password = (message: string) =>
  z.string(message).check(z.minLength(6, message), z.maxLength(MOST_PASSWORD_LENGTH, accountMessages.passwordTooLong));

/** The rules of the sign-up form (specification section 5, "Signup"), used by the form and by the call. */
export const signUpFields = {
  name: typedText(accountMessages.invalidName, { min: 2 }),
  mobile: mobile(accountMessages.mobileLength),
  password: password(accountMessages.passwordLength),
} as const;

/** The rules of the log-in form (specification section 5, "Login"). */
export const loginFields = {
  mobile: mobile(accountMessages.invalidMobile),
  password: password(accountMessages.wrongPasswordShown),
} as const;

export const login = defineCall({
  method: 'POST',
  path: 'login/login.php',
  summary: 'Log in with mobile and password. Sets the session cookie.',
  caller: 'anyone',
  body: z.object(loginFields),
  data: z.object({ name: z.string(), email: z.string(), mobile: z.string(), userid: z.string() }),
});

export const signUp = defineCall({
  method: 'POST',
  path: 'login/signup.php',
  summary: 'Create an account. Needs a confirmed sign-up code for the mobile in this browser.',
  caller: 'anyone',
  body: z.object({ ...signUpFields, referral: z.optional(z.string().check(z.maxLength(200))) }),
  data: z.object({ name: z.string(), mobile: z.string(), userid: z.string() }),
});

export const logout = defineCall({
  method: 'POST',
  path: 'login/logout',
  summary: 'End this session, or all sessions of its customer. Answers success to anyone.',
  caller: 'anyone',
  body: z.object({ everywhere: z.optional(z.boolean()) }),
  data: noData,
});

/** The texts that getsingle.php answers, as the pages send them (specification section 7). */
export const lookUpQueries = {
  mobile: (mobile: string) => `select mobile from users where mobile = '${mobile}'`,
  mobileAndUserid: (mobile: string) => `select mobile, userid from users where mobile = '${mobile}'`,
  name: (mobile: string) => `select name from users where mobile = '${mobile}'`,
} as const;

/** Three texts are answered (design section 6); the text itself is never run. */
export const lookUp = defineCall({
  method: 'POST',
  path: 'getters/getsingle.php',
  summary: 'Look a customer up by mobile. The query text is parsed, never executed; three shapes are answered.',
  caller: 'anyone',
  body: z.object({ query: z.string().check(z.maxLength(500)) }),
  data: z.array(z.object({ mobile: z.optional(z.string()), userid: z.optional(z.string()), name: z.optional(z.string()) })),
});
