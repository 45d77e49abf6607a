/**
 * Sign-up, log-in, log-out and the look-up of a mobile number. Specification sections 2, 5, 7 and
 * 8.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { defineCall, noData, personName } from '../../contract/define-call.ts';

export const accountMessages = defineMessages({
  loggedIn: 'Account loggin successfully',
  loggedOut: 'Account logged out successfully',
  deviceForgotten: 'This device is forgotten',
  accountCreated: 'Account Created',
  userFound: 'User found',
});

export const accountError = defineErrors({
  'user-not-found': 'user not found',
  'wrong-password': 'wrong password',
  'user-exists': 'User already exists, forgot password?',
  'mobile-not-verified': 'Please verify your mobile number first',
  'query-not-supported': 'This query is not answered',
  'too-many-wrong-passwords': 'Too many wrong passwords, please try again in a while',
  'too-many-look-ups': 'Too many requests, please try again in a while',
  // Fields of the sign-up form.
  'invalid-name': 'Invalid name',
  'mobile-length': 'Mobile number should be of 10 digits',
  'password-too-short': 'Password must be of atleast 6 characters',
  'password-too-long': 'Password must be of at most 128 characters',
  // Fields of the login form. It shows the last two for 'user-not-found' and 'wrong-password'.
  'invalid-mobile': 'Invalid mobile number',
  'password-incorrect': 'Wrong password',
  'user-unknown': "User doesn't exists",
  // The mobile of the forgot-password form.
  'no-account': 'No user found, you should signup',
});

export const MAX_PASSWORD_LENGTH = 128;

/** Ten digits. The field has already removed a pasted prefix and separators. */
const mobile = (code: string) => z.string(code).check(z.regex(/^[0-9]{10}$/, code));

/** `tooShort` is the error code of a missing or short password. */
const password = (tooShort: string) =>
  z.string(tooShort).check(z.minLength(6, tooShort), z.maxLength(MAX_PASSWORD_LENGTH, accountError.code('password-too-long')));

/**
 * The rules of the sign-up form (specification section 5, "Signup"), used by the form and by the
 * call.
 */
export const signUpFields = {
  name: personName(accountError.code('invalid-name'), { min: 2 }),
  mobile: mobile(accountError.code('mobile-length')),
  password: password(accountError.code('password-too-short')),
} as const;

/** The rules of the log-in form (specification section 5, "Login"). */
export const loginFields = {
  mobile: mobile(accountError.code('invalid-mobile')),
  password: password(accountError.code('password-incorrect')),
} as const;

export const login = defineCall({
  method: 'POST',
  path: 'login/login.php',
  summary: 'Log in with mobile and password. Sets the session cookie.',
  caller: 'anyone',
  errors: accountError.pick(
    'user-not-found',
    'wrong-password',
    'too-many-wrong-passwords',
    'invalid-mobile',
    'password-incorrect',
    'password-too-long',
  ),
  body: z.object(loginFields),
  data: z.object({ name: z.string(), email: z.string(), mobile: z.string(), userid: z.string() }),
});

export const signUp = defineCall({
  method: 'POST',
  path: 'login/signup.php',
  summary: 'Create an account. Needs a confirmed sign-up code for the mobile in this browser.',
  caller: 'anyone',
  errors: accountError.pick(
    'user-exists',
    'mobile-not-verified',
    'invalid-name',
    'mobile-length',
    'password-too-short',
    'password-too-long',
  ),
  body: z.object({ ...signUpFields, referral: z.optional(z.string().check(z.maxLength(200))), consent: z.optional(z.string()) }),
  data: z.object({ name: z.string(), mobile: z.string(), userid: z.string() }),
});

export const logout = defineCall({
  method: 'POST',
  path: 'login/logout',
  summary:
    'End this session, or all sessions of its account; with forget_device, also what makes this browser known. Succeeds without a session too.',
  caller: 'anyone',
  body: z.object({ everywhere: z.optional(z.boolean()), forget_device: z.optional(z.boolean()) }),
  data: noData,
});

/** The query texts that the pages send to getsingle.php (specification section 7). */
export const lookUpQueries = {
  mobile: (mobile: string) => `select mobile from users where mobile = '${mobile}'`,
  mobileAndUserid: (mobile: string) => `select mobile, userid from users where mobile = '${mobile}'`,
  name: (mobile: string) => `select name from users where mobile = '${mobile}'`,
} as const;

/** Accepts three query texts (design section 6). The text is never executed. */
export const lookUp = defineCall({
  method: 'POST',
  path: 'getters/getsingle.php',
  summary: 'Look up a customer by mobile. The query text is parsed, never executed. Three shapes are accepted.',
  caller: 'anyone',
  errors: accountError.pick('user-not-found', 'query-not-supported', 'too-many-look-ups'),
  body: z.object({ query: z.string().check(z.maxLength(500)) }),
  data: z.array(z.object({ mobile: z.optional(z.string()), userid: z.optional(z.string()), name: z.optional(z.string()) })),
});
export type FoundUser = z.output<typeof lookUp.data>[number];
