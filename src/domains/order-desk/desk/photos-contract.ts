/** The call and the path of the photos that the staff adds to an order. */
import * as z from 'zod/mini';
import { resourceId } from '../../../contract/define-call.ts';
import { photoError } from '../../photos/contract.ts';
import { orderError } from '../../orders/contract.ts';
import { defineStaffCall } from '../../staff/desk/contract.ts';
import { at, deskError } from './contract.ts';
import { ORDER_PHOTO_KINDS } from './order-photo.ts';

export const addOrderPhoto = defineStaffCall({
  path: 'staff/photo',
  summary:
    'Upload a photo of an order: the body is a JPEG, PNG or WebP file. Location and other metadata are removed. Send the header Idempotency-Key. ' +
    '`at`: when the device took it.',
  upload: true,
  errors: {
    ...orderError.pick('order-not-found'),
    ...deskError.pick('too-many-order-photos', 'wrong-device-time'),
    ...photoError.texts,
  },
  body: z.object({ orderid: resourceId, kind: z.enum(ORDER_PHOTO_KINDS), at }),
  data: z.object({ photoid: z.string() }),
});

export const ORDER_PHOTO_PATH = '/staff/orders/photo/';

/** The path of a photo, which only the staff can load. */
export const orderPhotoPath = (photoid: string) => `${ORDER_PHOTO_PATH}${encodeURIComponent(photoid)}`;
