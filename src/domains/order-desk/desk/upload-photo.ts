import { callTimeoutMs, readResponse } from '../../../browser/client.ts';
import { ConnectionLost } from '../../../contract/call-failures.ts';
import type { Envelope } from '../../../contract/define-call.ts';
import { callPath } from '../../../contract/send.ts';
import { staffHeaders } from '../../staff/desk/session.ts';
import type { OrderPhotoKind } from './order-photo.ts';
import { addOrderPhoto } from './photos-contract.ts';

interface UploadedPhoto {
  orderid: string;
  kind: OrderPhotoKind;
  at?: string;
}

interface UploadOptions {
  idempotencyKey: string;
  /** The mobile of the person who took it. Undefined: the person who is logged in. */
  owner?: string;
}

/**
 * Uploads a photo of an order and returns the envelope, also that of an error of the call. Rejects
 * like the typed client, with `ConnectionLost` without a response.
 */
export async function uploadOrderPhoto(
  photo: Blob,
  body: UploadedPhoto,
  { idempotencyKey, owner }: UploadOptions,
): Promise<Envelope<{ photoid: string }>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(callPath(addOrderPhoto, body), {
      method: 'POST',
      headers: { 'content-type': photo.type, 'idempotency-key': idempotencyKey, ...staffHeaders(owner) },
      body: photo,
      signal: AbortSignal.timeout(callTimeoutMs(navigator.userAgent)),
    });
    text = await response.text();
  } catch (cause) {
    throw new ConnectionLost('Failed to upload', { cause });
  }
  return readResponse(addOrderPhoto, response.status, text, (name) => response.headers.get(name));
}
