/**
 * Claims: the complaints of customers about an order, with a text and photos. Customers read
 * "report". The laundry answers within 48 hours and may credit the wallet. docs/decisions/0046.
 */
import * as z from 'zod/mini';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, multilineText, resourceId, rupees } from '../../contract/define-call.ts';
import { orderError } from '../orders/contract.ts';
import { photoError } from '../photos/contract.ts';

export const CLAIM_KINDS = ['damaged', 'missing', 'late', 'amount', 'other'] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

export const CLAIM_STATUSES = ['open', 'answered', 'settled'] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

export const MAX_MESSAGE_LENGTH = 1000;
/** The maximum for one message. */
export const MAX_PHOTOS = 3;
/** The maximum for all messages of a claim. */
export const MAX_CLAIM_PHOTOS = 99;

export const claimError = defineErrors({
  'claim-kind-missing': 'Please choose what went wrong',
  'claim-message-missing': 'Please tell us what happened',
  'claim-message-too-long': 'Please keep it within 1,000 characters',
  'too-many-photos': 'A message has at most three photos',
  'unknown-photo': 'A photo of this report is no longer stored, please add it again',
  'claim-key-reused': 'This report was already sent with other words',
  'too-many-claims': 'These are more reports than we can take from you in a day, please call us',
  'photos-full': 'We cannot keep more photos from you, please call us',
  'unknown-claim': 'There is no such report of yours',
  'claim-is-settled': 'This report is settled. If something is still wrong, please send a new one',
  'too-many-replies': 'These are more messages than we can take from you in a day, please call us',
});

/** The rules of the form, used by the form and by the call. Lengths count code points. */
export const claimFields = {
  kind: z.enum(CLAIM_KINDS, claimError.code('claim-kind-missing')),
  message: multilineText(claimError.code('claim-message-missing')).check(
    z.refine((text) => Array.from(text).length <= MAX_MESSAGE_LENGTH, claimError.code('claim-message-too-long')),
  ),
};

const photos = z.optional(z.array(resourceId).check(z.maxLength(MAX_PHOTOS, claimError.code('too-many-photos'))));

/** Dates are date-times in Asia/Kolkata. */
export const claimShape = {
  claimid: z.string(),
  orderid: z.string(),
  kind: z.enum(CLAIM_KINDS),
  status: z.enum(CLAIM_STATUSES),
  claim_date: z.string(),
  /** The laundry answers by then. */
  answer_by: z.string(),
  /**
   * The customer can reply to this settled claim until then. Null if it is not settled, or if the
   * time is over.
   */
  reply_until: z.nullable(z.string()),
  /** The amount that the wallet received; null if there was none. */
  credited: z.nullable(rupees),
  /**
   * The part of `credited` that the laundry took back from the wallet, with the time of the last
   * reversal. Null if nothing was.
   */
  reversed: z.nullable(rupees),
  reversed_at: z.nullable(z.string()),
  /** Oldest first. The first one is the customer's. */
  messages: z.array(z.object({ author: z.enum(['customer', 'staff']), message: z.string(), message_date: z.string() })),
  /** Ids of photos: see `photoPath`. */
  photos: z.array(z.string()),
};
const claim = z.object(claimShape);
export type Claim = z.output<typeof claim>;

export const addPhoto = defineCall({
  method: 'POST',
  path: 'claims/addphoto',
  summary: 'Upload a photo for a claim: the body is a JPEG, PNG or WebP file. Location and other metadata are removed.',
  caller: 'customer-or-guest',
  upload: true,
  errors: { ...photoError.texts, ...claimError.pick('photos-full') },
  body: z.object({ userid: expectedUserid }),
  data: z.object({ photoid: z.string() }),
});

export const addClaim = defineCall({
  method: 'POST',
  path: 'claims/addclaim',
  summary: 'Send a claim about an order. Send the header Idempotency-Key.',
  caller: 'customer-or-guest',
  errors: {
    ...claimError.pick(
      'claim-kind-missing',
      'claim-message-missing',
      'claim-message-too-long',
      'too-many-photos',
      'unknown-photo',
      'claim-key-reused',
      'too-many-claims',
    ),
    ...orderError.pick('order-not-found'),
  },
  body: z.object({
    userid: expectedUserid,
    orderid: resourceId,
    ...claimFields,
    photos,
  }),
  data: claim,
});

/** The validated body of addClaim. */
export type ClaimRequest = z.output<typeof addClaim.body>;
export type AddClaimErrorCode = keyof typeof addClaim.errors;

export const getClaims = defineCall({
  method: 'POST',
  path: 'claims/getclaims',
  summary: 'The newest twenty claims, of one order if `orderid` is given. A guest sees those of this browser.',
  caller: 'customer-or-guest',
  errors: orderError.pick('order-not-found'),
  body: z.object({ userid: expectedUserid, orderid: z.optional(resourceId) }),
  data: z.array(claim),
});

export const addReply = defineCall({
  method: 'POST',
  path: 'claims/addreply',
  summary:
    'Add a message of the customer to a claim, which then waits for an answer. A settled claim takes messages until `reply_until`. The last message is not repeated.',
  caller: 'customer-or-guest',
  errors: claimError.pick(
    'claim-message-missing',
    'claim-message-too-long',
    'too-many-photos',
    'photos-full',
    'unknown-photo',
    'unknown-claim',
    'claim-is-settled',
    'too-many-replies',
  ),
  body: z.object({ userid: expectedUserid, claimid: resourceId, message: claimFields.message, photos }),
  data: claim,
});

/** The path of a photo, which only its customer can load. */
export const photoPath = (photoid: string) => `${PHOTO_PATH}${encodeURIComponent(photoid)}`;

export const PHOTO_PATH = '/claims/photo/';
