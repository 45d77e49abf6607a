/** Deadlines and limits of claims. */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { CLAIM_KINDS, type ClaimKind } from './contract.ts';

const ANSWER_HOURS = 48;
const HOUR_MS = 60 * 60 * 1000;
/** Hours in Asia/Kolkata begin 30 minutes after those of UTC. */
const HALF_HOUR_MS = HOUR_MS / 2;

/**
 * Returns the last full hour in Asia/Kolkata within 48 hours after `now`. Not midnight, because 12
 * AM does not show to which day it belongs.
 */
export function answerBy(now: Date): Date {
  const latest = now.getTime() + ANSWER_HOURS * HOUR_MS;
  const fullHour = new Date(Math.floor((latest - HALF_HOUR_MS) / HOUR_MS) * HOUR_MS + HALF_HOUR_MS);
  return kolkataDateTime(fullHour).endsWith(' 00:00:00') ? new Date(fullHour.getTime() - HOUR_MS) : fullHour;
}

const REPLY_DAYS = 14;
/** Returns the time until which a reply of the customer opens a settled claim again. */
export const replyUntil = (settledAt: Date): Date => addSeconds(settledAt, REPLY_DAYS * DAY_SECONDS);

/**
 * Returns all kinds of claim. If the order is not weighed, 'late' and 'other' are first. Undefined:
 * the order is not known here, and the order of `CLAIM_KINDS` stays.
 */
export function kindsByLikelihood(order: { total_weight: number | null } | undefined): readonly ClaimKind[] {
  if (!order || order.total_weight !== null) return CLAIM_KINDS;
  const isLikely = (kind: ClaimKind) => kind === 'late' || kind === 'other';
  return [...CLAIM_KINDS.filter(isLikely), ...CLAIM_KINDS.filter((kind) => !isLikely(kind))];
}

/** For each customer, guest or not, in days of Asia/Kolkata. */
export const MAX_CLAIMS_PER_DAY = 5;
export const MAX_REPLIES_PER_DAY = 20;

/** The answers and assignments of one report by one person of the staff in a day. */
export const MAX_ANSWERS_PER_DAY = 50;

/**
 * Twice the photos of all claims of a day, so that customers can replace photos. Refused files and
 * uploads that break off count too, which limits the time that slow senders hold memory.
 */
export const MAX_PHOTOS_PER_DAY = 30;

/** For all photos of a customer: 40 of the largest size, hundreds as the page reduces them. */
export const MAX_STORED_BYTES = 200 * 1024 * 1024;

/** A photo that is not sent with a claim is deleted after this time. */
export const UNSENT_PHOTO_SECONDS = DAY_SECONDS;

/** In paise. The maximum limits the effect of a typing mistake. */
export const CLAIM_CREDIT_LIMITS = { min: 1, max: 1_000_000 };
