/** Bringing friends. Specification sections 2, 4, 7, 8 and 9; design section 6, "Referral code" and "Referral bonus". */
import * as z from 'zod/mini';
import { fill, type Messages } from '../../i18n/messages.ts';
import { asPaise } from '../../lib/money.ts';
import { defineCall, noData } from '../../contract/define-call.ts';

export const REFERRAL_BONUS_PAISE = asPaise(5000);
export const MOST_BONUSES = 50;
export const MOST_BONUSES_DAYS = 30;

export const referralMessages = {
  given: 'Referral bonus added',
  /** One text for every reason, so that asking tells nothing about anyone. */
  refused: 'There is no referral bonus for this',
  heading: 'Refer karo, Earn karo',
  copied: 'Link copied to clipboard',
  loggedOut: 'You are not logged in, please login and comeback later',
  loginFirst: 'To get your referral link, you have to login first',
  referredBy: (name: string) => fill('Referred by {name}', { name }),
} as const satisfies Messages;

export const giveReferralBonus = defineCall({
  method: 'POST',
  path: 'refer/referfriendbonus.php',
  summary: 'Credit the referrer of a new customer. Needs the receipt of the sign-up in this browser, or the new customer’s own session.',
  caller: 'anyone',
  body: z.object({
    /** The referrer's mobile or code. */
    mob: z.string().check(z.maxLength(200)),
    /** The new customer's mobile. */
    newuser: z.string().check(z.maxLength(20)),
  }),
  data: noData,
});
