import type { FastifyReply, FastifyRequest } from 'fastify';
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/api-error.ts';
import { StorageError } from './provider.server.ts';
import type { OpenPhoto } from './service.server.ts';
import type { UploadedFile } from './uploads-service.server.ts';

/** Returns the body of an upload. */
export const uploadedFile = ({ headers, raw }: FastifyRequest): UploadedFile => ({
  statedBytes: Number(headers['content-length'] ?? 0),
  content: raw,
});

/** A photo opened in a tab of its own has no access to the site. */
const PHOTO_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const RETRY_SECONDS = 5;

/** Sends a photo, or 404 without one. Throws `ApiError` (unavailable) if the storage fails. */
export async function sendPhoto(
  reply: FastifyReply,
  open: () => Promise<OpenPhoto | undefined>,
  onFailure: (error: unknown, operation: string) => void,
) {
  const photo = await open().catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error;
    onFailure(error, 'reading a photo');
    throw new ApiError('unavailable', protocolError('service-busy'), RETRY_SECONDS);
  });
  if (!photo) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such photo');
  return reply
    .headers({ 'content-security-policy': PHOTO_POLICY, 'content-disposition': 'inline', 'content-length': String(photo.bytes) })
    .type(photo.type)
    .send(photo.content);
}
