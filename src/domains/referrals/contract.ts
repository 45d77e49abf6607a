/**
 * Referral of new customers. Specification sections 2, 4, 7, 8 and 9; design section 6, "Referral
 * code" and "Referral bonus".
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { asPaise } from '../../lib/money.ts';
import { defineCall, noData } from '../../contract/define-call.ts';

export const REFERRAL_BONUS_PAISE = asPaise(5000);
export const MAX_BONUSES = 50;
export const BONUS_PERIOD_DAYS = 30;

/** When a referrer gets the bonus (the setting REFERRAL_BONUS). */
export const REFERRAL_BONUS_TIMES = ['sign-up', 'first-delivery'] as const;
export type ReferralBonusTime = (typeof REFERRAL_BONUS_TIMES)[number];

export const referralMessages = defineMessages({
  given: 'Referral bonus added',
  later: 'The referral bonus follows the first delivered order',
  heading: 'Refer karo, Earn karo',
  copied: 'Link copied to clipboard',
  loggedOut: 'You are not logged in, please login and comeback later',
  loginFirst: 'To get your referral link, you have to login first',
});

export const referralError = defineErrors({
  /** One error for every reason, so that the call reveals nothing about any customer. */
  'no-referral-bonus': 'There is no referral bonus for this',
});

export const giveReferralBonus = defineCall({
  method: 'POST',
  path: 'refer/referfriendbonus.php',
  summary:
    'Credit the referrer of a new customer, or confirm that the bonus follows the first delivered order. Needs the receipt of the sign-up in this browser, or the new customer’s own session.',
  caller: 'anyone',
  errors: referralError.texts,
  body: z.object({
    /** The referrer's mobile or code. */
    mob: z.string().check(z.maxLength(200)),
    /** The new customer's mobile. */
    newuser: z.string().check(z.maxLength(20)),
  }),
  data: noData,
});
