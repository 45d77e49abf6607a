/** The staff hides reviews and replies to them, in the transaction of the call. */
import { isDeepStrictEqual } from 'node:util';
import { kolkataDateTime } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Db } from '../../db/database.server.ts';
import { fromTimeCursor, toPage, toTimeCursor } from '../staff/desk/paging.ts';
import type { StaffOutcome, StaffTransaction } from '../staff/service.server.ts';
import { DESK_REVIEWS_PER_PAGE, reviewDeskError, type DeskReview, type ReviewPage } from './desk/contract.ts';
import {
  findDeskReview,
  listDeskReviews,
  lockReview,
  setModeration,
  type DeskReviewRow,
  type Moderation,
  type ReviewFilter,
} from './desk-store.server.ts';

const toDeskReview = (row: DeskReviewRow): DeskReview => ({
  reviewid: row.id,
  star_rating: row.star,
  message: row.message,
  review_added: kolkataDateTime(row.created_at),
  orderid: row.order_id,
  customer: { name: row.name, mobile: row.mobile },
  // A withdrawal hides a review at the same time.
  hidden:
    row.hidden_at && row.hidden_at.getTime() !== row.withdrawn_at?.getTime()
      ? { at: kolkataDateTime(row.hidden_at), reason: row.hidden_reason ?? '' }
      : null,
  reply: row.replied_at && { at: kolkataDateTime(row.replied_at), message: row.reply ?? '' },
  withdrawn_date: row.withdrawn_at && kolkataDateTime(row.withdrawn_at),
});

export async function readDeskReviews(db: Db, { cursor, ...filter }: ReviewFilter & { cursor?: string | undefined }): Promise<ReviewPage> {
  const rows = await listDeskReviews(db, filter, { after: fromTimeCursor(cursor), limit: DESK_REVIEWS_PER_PAGE + 1 });
  const { page, next } = toPage(rows, DESK_REVIEWS_PER_PAGE, ({ created_at: at, id }) => toTimeCursor({ at, id }));
  return { reviews: page.map(toDeskReview), next };
}

interface ModerationRequest {
  reviewid: string;
  /** Undefined: unchanged. */
  hidden?: boolean | undefined;
  /** Required to hide a review. Only the staff reads it. */
  reason?: string | undefined;
  /** Undefined: unchanged. Null: none. */
  reply?: string | null | undefined;
}

/** Hides a review or shows it again, and changes the reply, which is public. */
export async function moderateAtDesk(
  { tx, now }: StaffTransaction,
  { reviewid, reason, reply, ...change }: ModerationRequest,
): Promise<StaffOutcome<DeskReview, 'review-not-found' | 'review-withdrawn' | 'hiding-reason-missing'>> {
  const before = await lockReview(tx, reviewid);
  if (!before) return { error: reviewDeskError('review-not-found') };
  if (before.withdrawn_at !== null) return { error: reviewDeskError('review-withdrawn') };
  const hidden = change.hidden ?? before.hidden_at !== null;
  const hiddenReason = hidden ? (reason ?? before.hidden_reason) : null;
  if (hidden && hiddenReason === null) return { error: reviewDeskError('hiding-reason-missing') };
  const isReplyChanged = reply !== undefined && reply !== before.reply;
  const after: Moderation = {
    hidden_at: hidden ? (before.hidden_at ?? now) : null,
    hidden_reason: hiddenReason,
    reply: isReplyChanged ? reply : before.reply,
    replied_at: isReplyChanged ? (reply === null ? null : now) : before.replied_at,
  };
  await setModeration(tx, reviewid, after);
  const row = await findDeskReview(tx, reviewid);
  invariant(row, 'a locked review exists');
  const changes = { before: auditedValues(before), after: auditedValues(after) };
  const isChanged = !isDeepStrictEqual(changes.before, changes.after);
  return { data: toDeskReview(row), audit: isChanged ? [{ action: 'moderate-review', subject: ['review', reviewid], ...changes }] : [] };
}

const auditedValues = ({ hidden_at: hiddenAt, hidden_reason: reason, reply }: Moderation) => ({ hidden: hiddenAt !== null, reason, reply });
