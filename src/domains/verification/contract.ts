/** Proving a mobile number with a code by SMS. Specification sections 4, 5 and 8; design section 6, "Codes". */
import * as z from 'zod/mini';
import { fill, type Messages } from '../../i18n/messages.ts';
import { defineCall } from '../../contract/define-call.ts';

export const PURPOSES = ['signup', 'reset', 'guest'] as const;
export type Purpose = (typeof PURPOSES)[number];

export const CODE_LENGTH = 6;
export const TRIES_PER_CODE = 3;
export const RESEND_AFTER_SECONDS = 30;

export const verificationMessages = {
  sent: (mobile: string) => fill('SMS sent successfully on +91{mobile}', { mobile }),
  sendFailed: (mobile: string) => fill('Something went wrong while sending SMS on +91{mobile}, please try again', { mobile }),
  resendFailed: (mobile: string) => fill('Something went wrong while sending SMS on +91{mobile}, resend again', { mobile }),
  invalid: 'Verification OTP is invalid',
  outOfAttempts: 'Out of attempts, try again later',
  confirmed: 'Mobile number verified',
  notChecked: 'We could not check the code right now, please try again in a moment',
  invalidMobile: 'Mobile number should be of 10 digits',
} as const satisfies Messages;

const purpose = z.enum(PURPOSES);
const mobile = z.string(verificationMessages.invalidMobile).check(z.regex(/^[0-9]{10}$/, verificationMessages.invalidMobile));

export const sendCode = defineCall({
  method: 'POST',
  path: 'verification/sendcode',
  summary: 'Send a code to a mobile. An earlier code of this browser for the same mobile and purpose stops working.',
  caller: 'anyone',
  body: z.object({ mobile, purpose, challenge: z.string().check(z.maxLength(4000)) }),
  data: z.object({ resend_after: z.int(), expires_in: z.int() }),
});

export const confirmCode = defineCall({
  method: 'POST',
  path: 'verification/confirmcode',
  summary:
    'Confirm a code. Success leaves a grant for this browser, mobile and purpose: good once, for ten minutes; a guest gets a session.',
  caller: 'anyone',
  body: z.object({
    mobile,
    purpose,
    code: z
      .string(verificationMessages.invalid)
      .check(z.minLength(CODE_LENGTH, verificationMessages.invalid), z.maxLength(20, verificationMessages.invalid)),
  }),
  data: z.object({ confirmed: z.literal(true) }),
});
