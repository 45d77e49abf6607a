/**
 * Reviews as the staff moderates them. Only the server and the console load this file.
 * docs/decisions/0057.
 */
import * as z from 'zod/mini';
import { defineMessages } from '../../../i18n/messages.ts';
import { defineErrors } from '../../../contract/errors.ts';
import { multilineText, resourceId, singleLineText } from '../../../contract/define-call.ts';
import { defineStaffCall } from '../../staff/desk/contract.ts';
import { timeCursor } from '../../staff/desk/paging.ts';
import { MAX_MESSAGE_LENGTH } from '../contract.ts';

export const DESK_REVIEWS_PER_PAGE = 30;

export const reviewDeskMessages = defineMessages({ listed: 'Reviews', moderated: 'The review is changed' });

export const reviewDeskError = defineErrors({
  'review-not-found': 'There is no such review',
  'hiding-reason-missing': 'Write why it is hidden, in 3 to 200 characters',
  'reply-too-long': 'Keep the reply within 1,000 characters',
  'reply-missing': 'Write the reply',
  'review-withdrawn': 'The customer has withdrawn this review',
});

const deskReview = z.object({
  reviewid: z.string(),
  star_rating: z.int(),
  message: z.string(),
  review_added: z.string(),
  /** The delivered order that it is about. */
  orderid: z.nullable(z.string()),
  customer: z.object({ name: z.nullable(z.string()), mobile: z.string() }),
  /**
   * Customers do not see a hidden review, and the average does not contain it. Null for a withdrawn
   * one that the staff had not hidden.
   */
  hidden: z.nullable(z.object({ at: z.string(), reason: z.string() })),
  reply: z.nullable(z.object({ at: z.string(), message: z.string() })),
  /** When the customer withdrew it: customers never see it again. */
  withdrawn_date: z.nullable(z.string()),
});
export type DeskReview = z.output<typeof deskReview>;

export const listDeskReviews = defineStaffCall({
  path: 'staff/reviews',
  summary: 'Reviews, the newest first, hidden ones too.',
  body: z.object({
    star: z.optional(z.int().check(z.gte(1), z.lte(5))),
    hidden: z.optional(z.boolean()),
    cursor: timeCursor,
  }),
  data: z.object({ reviews: z.array(deskReview), next: z.nullable(z.string()) }),
});

export type ReviewPage = z.output<typeof listDeskReviews.data>;

/** The rules of the form and of the call. */
export const hidingReason = singleLineText(reviewDeskError.code('hiding-reason-missing'), { min: 3 });
export const reply = multilineText(reviewDeskError.code('reply-missing')).check(
  z.refine((text) => Array.from(text).length <= MAX_MESSAGE_LENGTH, reviewDeskError.code('reply-too-long')),
);

export const moderateReview = defineStaffCall({
  path: 'staff/moderate',
  summary:
    'Hide a review with a reason or show it again, and reply in public. What is missing stays as it is; a null reply removes it. Not for a withdrawn review.',
  errors: reviewDeskError.texts,
  body: z.object({
    reviewid: resourceId,
    hidden: z.optional(z.boolean()),
    reason: z.optional(hidingReason),
    reply: z.optional(z.nullable(reply)),
  }),
  data: deskReview,
});
export type Moderation = z.output<typeof moderateReview.body>;
