/**
 * Verification of a mobile number with a code sent by SMS. Specification sections 4, 5 and 8;
 * design section 6, "Codes".
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { defineCall } from '../../contract/define-call.ts';
import { botCheckError } from '../bot-check/contract.ts';

/** 'export' and 'deletion' are of the data of an account (docs/decisions/0075). */
const PURPOSES = ['signup', 'reset', 'guest', 'export', 'deletion'] as const;
export type Purpose = (typeof PURPOSES)[number];

export const CODE_LENGTH = 6;
export const ATTEMPTS_PER_CODE = 3;
export const RESEND_AFTER_SECONDS = 30;

export const verificationMessages = defineMessages({
  sent: 'SMS sent successfully on +91{mobile}',
  confirmed: 'Mobile number verified',
});

export const verificationError = defineErrors({
  'sms-not-sent': 'Something went wrong while sending SMS on +91{mobile}, please try again',
  'sms-not-resent': 'Something went wrong while sending SMS on +91{mobile}, resend again',
  'wrong-code': 'Verification OTP is invalid',
  'out-of-attempts': 'Out of attempts, try again later',
  'code-not-checked': 'We could not check the code right now, please try again in a moment',
  'mobile-length': 'Mobile number should be of 10 digits',
});

const purpose = z.enum(PURPOSES);
const mobile = z.string(verificationError.code('mobile-length')).check(z.regex(/^[0-9]{10}$/, verificationError.code('mobile-length')));

export const sendCode = defineCall({
  method: 'POST',
  path: 'verification/sendcode',
  summary: 'Send a code to a mobile. An earlier code of this browser for the same mobile and purpose stops working.',
  caller: 'anyone',
  errors: { ...verificationError.pick('sms-not-sent', 'out-of-attempts', 'mobile-length'), ...botCheckError.texts },
  body: z.object({ mobile, purpose, challenge: z.string().check(z.maxLength(4000)) }),
  data: z.object({ resend_after: z.int(), expires_in: z.int() }),
});

export const confirmCode = defineCall({
  method: 'POST',
  path: 'verification/confirmcode',
  summary:
    'Confirm a code. Success creates a grant for this browser, mobile and purpose, valid once and for ten minutes. A guest gets a session.',
  caller: 'anyone',
  errors: verificationError.pick('wrong-code', 'out-of-attempts', 'code-not-checked', 'mobile-length'),
  body: z.object({
    mobile,
    purpose,
    code: z
      .string(verificationError.code('wrong-code'))
      .check(z.minLength(CODE_LENGTH, verificationError.code('wrong-code')), z.maxLength(20, verificationError.code('wrong-code'))),
  }),
  data: z.object({ confirmed: z.literal(true) }),
});
