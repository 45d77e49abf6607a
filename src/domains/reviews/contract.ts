/**
 * Reviews of the laundry. Specification sections 2, 3, 5, 7, 8 and 9; design section 6, "Reviews".
 */
import * as z from 'zod/mini';
import { defineMessages, msg, type MessageKey } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, noBody, noData, queryNumber, multilineText, resourceId } from '../../contract/define-call.ts';

/** The star levels, best first, with the labels of their bars (specification section 9). */
export const STAR_LEVELS = [
  { star: 5, label: msg('Excellent') },
  { star: 4, label: msg('Good') },
  { star: 3, label: msg('Average') },
  { star: 2, label: msg('Below Average') },
  { star: 1, label: msg('Poor') },
] as const satisfies readonly { star: number; label: MessageKey }[];

export const REVIEWS_PER_PAGE = 50;
export const MAX_OWN_REVIEWS = 50;

/** combinedata/proandrev.php lists all reviews, up to this number. */
export const MAX_LISTED_REVIEWS = 2000;
export const MAX_MESSAGE_LENGTH = 1000;
export const MAX_REVIEWS_PER_DAY = 3;

export const reviewMessages = defineMessages({ added: 'Review added', withdrawn: 'Your review is withdrawn' });

export const reviewError = defineErrors({
  'star-missing': '* Please select number of stars you want to give',
  'message-missing': '* Message field cannot be empty',
  'message-too-long': 'Please keep your review within 1,000 characters',
  /** The response is the same for an unknown order and for one of another customer. */
  'order-not-delivered': 'You can rate an order once it is delivered',
  'order-reviewed': 'You have rated this order already',
  'too-many-reviews': 'You can write three reviews a day, please come back tomorrow',
  'unknown-review': 'There is no such review of yours',
});

/**
 * The public part of a review, without mobile and userid. `review_added` is a date-time in
 * Asia/Kolkata.
 */
export const review = z.object({
  reviewid: z.string(),
  name: z.string(),
  star_rating: z.int(),
  message: z.string(),
  review_added: z.string(),
  /** Written for a delivered order of its author. */
  verified: z.boolean(),
});

export type Review = z.output<typeof review>;

/** A review of the page of all reviews, with the public reply of the laundry. */
const listedReview = z.extend(review, { reply: z.nullable(z.string()) });
export type ListedReview = z.output<typeof listedReview>;

/**
 * The rules of the review form, used by the form and by the call. Lengths count code points, as
 * PostgreSQL does.
 */
export const reviewFields = {
  star: z
    .int(reviewError.code('star-missing'))
    .check(z.gte(1, reviewError.code('star-missing')), z.lte(5, reviewError.code('star-missing'))),
  message: multilineText(reviewError.code('message-missing')).check(
    z.refine((text) => Array.from(text).length <= MAX_MESSAGE_LENGTH, reviewError.code('message-too-long')),
  ),
};

export const getReviews = defineCall({
  method: 'GET',
  path: 'reviews/getreviews.php',
  summary: `Reviews, newest first, ${REVIEWS_PER_PAGE} from the offset.`,
  caller: 'anyone',
  body: z.object({ offset: z.optional(queryNumber) }),
  data: z.array(listedReview),
});

const summary = z.object({
  /** Rounded to one decimal. 0 if there is no review. */
  average: z.number(),
  /** All five levels, best first. */
  counts: z.array(z.object({ star: z.int(), reviews: z.int() })),
});

export type Summary = z.output<typeof summary>;

export const getSummary = defineCall({
  method: 'GET',
  path: 'reviews/getsummary',
  summary: 'The average rating and the number of reviews for each star level.',
  caller: 'anyone',
  body: noBody,
  data: summary,
});

export const addReview = defineCall({
  method: 'POST',
  path: 'reviews/addreview.php',
  summary: `Write a review, at most ${MAX_REVIEWS_PER_DAY} a day. With the orderid of a delivered order it is a verified one.`,
  caller: 'customer',
  errors: reviewError.pick(
    'star-missing',
    'message-missing',
    'message-too-long',
    'order-not-delivered',
    'order-reviewed',
    'too-many-reviews',
  ),
  body: z.object({ userid: expectedUserid, orderid: z.optional(resourceId), ...reviewFields }),
  data: noData,
});

/** `orderid` is the delivered order that the review is about. */
const ownReview = z.extend(listedReview, { orderid: z.nullable(z.string()) });
export type OwnReview = z.output<typeof ownReview>;

export const getOwnReviews = defineCall({
  method: 'POST',
  path: 'reviews/getownreviews',
  summary: `The newest ${MAX_OWN_REVIEWS} reviews of the customer that are not withdrawn, of one order if \`orderid\` is given.`,
  caller: 'customer',
  body: z.object({ userid: expectedUserid, orderid: z.optional(resourceId) }),
  data: z.array(ownReview),
});

export const withdrawReview = defineCall({
  method: 'POST',
  path: 'reviews/withdrawreview',
  summary:
    'Withdraw a review of the customer, for good. Its order can be reviewed again. It counts for the reviews of its day. A repeated call succeeds.',
  caller: 'customer',
  errors: reviewError.pick('unknown-review'),
  body: z.object({ userid: expectedUserid, reviewid: resourceId }),
  data: noData,
});
