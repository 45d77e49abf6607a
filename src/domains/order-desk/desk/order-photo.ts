/** A photo of an order by the staff. */
import * as z from 'zod/mini';

/** The subject of a photo of the staff. */
export const ORDER_PHOTO_KINDS = ['weigh', 'damage', 'hand-over'] as const;
export type OrderPhotoKind = (typeof ORDER_PHOTO_KINDS)[number];
export const MAX_ORDER_PHOTOS = 20;

export const orderPhoto = z.object({
  photoid: z.string(),
  kind: z.enum(ORDER_PHOTO_KINDS),
  /** As in the history: when the server got it, and when the device took it. */
  at: z.string(),
  device_at: z.nullable(z.string()),
  clocks_differ: z.boolean(),
  by: z.string(),
});
