/** Reviews of the laundry. Specification sections 2, 3, 5, 7, 8 and 9; design section 6, "Reviews". */
import * as z from 'zod/mini';
import type { Messages, TextKey } from '../../i18n/messages.ts';
import { claimedUserid, defineCall, noBody, noData, queryNumber, writtenText } from '../../contract/define-call.ts';

/** The star levels, best first, with the words beside their bars (specification section 9). */
export const STAR_LEVELS = [
  { star: 5, label: 'Excellent' },
  { star: 4, label: 'Good' },
  { star: 3, label: 'Average' },
  { star: 2, label: 'Below Average' },
  { star: 1, label: 'Poor' },
] as const satisfies readonly { star: number; label: TextKey }[];

export const REVIEWS_PER_PAGE = 50;
export const LONGEST_MESSAGE = 1000;
export const MOST_REVIEWS_A_DAY = 3;

export const reviewMessages = {
  starMissing: '* Please select number of stars you want to give',
  messageMissing: '* Message field cannot be empty',
  messageTooLong: 'Please keep your review within 1,000 characters',
  added: 'Review added',
  enoughToday: 'You can write three reviews a day, please come back tomorrow',
} as const satisfies Messages;

/** One review as everyone may see it: no mobile and no userid. `review_added` is a date-time in Asia/Kolkata. */
export const review = z.object({
  reviewid: z.string(),
  name: z.string(),
  star_rating: z.int(),
  message: z.string(),
  review_added: z.string(),
});

export type Review = z.output<typeof review>;

/** The rules of the write-a-review form, used by the form and by the call. A character is what PostgreSQL counts as one. */
export const reviewFields = {
  star: z.int(reviewMessages.starMissing).check(z.gte(1, reviewMessages.starMissing), z.lte(5, reviewMessages.starMissing)),
  message: writtenText(reviewMessages.messageMissing).check(
    z.refine((text) => Array.from(text).length <= LONGEST_MESSAGE, reviewMessages.messageTooLong),
  ),
};

export const getReviews = defineCall({
  method: 'GET',
  path: 'reviews/getreviews.php',
  summary: `Reviews, newest first, ${REVIEWS_PER_PAGE} from the offset on.`,
  caller: 'anyone',
  body: z.object({ offset: z.optional(queryNumber) }),
  data: z.array(review),
});

const summary = z.object({
  /** To one decimal; 0 while there is no review. */
  average: z.number(),
  /** Best level first, always all five. */
  counts: z.array(z.object({ star: z.int(), reviews: z.int() })),
});

export type Summary = z.output<typeof summary>;

export const getSummary = defineCall({
  method: 'GET',
  path: 'reviews/getsummary',
  summary: 'The average rating and how many reviews gave how many stars.',
  caller: 'anyone',
  body: noBody,
  data: summary,
});

export const addReview = defineCall({
  method: 'POST',
  path: 'reviews/addreview.php',
  summary: `Write a review, at most ${MOST_REVIEWS_A_DAY} a day.`,
  caller: 'customer',
  body: z.object({ userid: claimedUserid, ...reviewFields }),
  data: noData,
});
