import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { ApiError, fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { concurrencyLimit, concurrencyLimitByKey, QueueFull } from '../../security/concurrency-limit.server.ts';
import { orderError } from '../orders/contract.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { addClaim, addPhoto, claimError, getClaims, MAX_PHOTO_BYTES, PHOTO_PATH } from './contract.ts';
import { StorageError } from './provider.server.ts';
import { countUpload, createClaim, openPhoto, readClaims, storePhoto, type ClaimDependencies, type OpenPhoto } from './service.server.ts';

/** The photos that are cleaned and stored at a time, which holds each in memory once more. */
const STORING = { concurrent: 4, queued: 60 } as const;
/** The total of all files that are being read or stored. A slow sender holds what it has sent. */
export const MAX_HELD_BYTES = 4 * MAX_PHOTO_BYTES;
/** A customer's uploads must not use all memory. */
const UPLOADS_PER_CUSTOMER = { concurrent: 1, queued: 3 } as const;

type RouteDependencies = ClaimDependencies & { clock: Clock; authentication: Authentication };

export function claimRoutes(registerRoute: RegisterRoute, { clock, authentication, ...dependencies }: RouteDependencies) {
  const { db } = dependencies;
  const runLimited = concurrencyLimit(STORING);
  const runLimitedByCustomer = concurrencyLimitByKey(UPLOADS_PER_CUSTOMER);

  let heldBytes = 0;
  // The file is read once the caller is known and the upload is counted.
  registerRoute(addPhoto, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      heldBytes += bytes;
      if (heldBytes > MAX_HELD_BYTES) throw new QueueFull();
    };
    const store = async () => {
      const now = clock.now();
      const error = await countUpload(db, caller, now);
      if (error) return { error };
      const file = await readFile(request, hold);
      return runLimited(() => storePhoto(dependencies, caller, file, now));
    };
    try {
      const result = await runLimitedByCustomer(caller.id, store);
      return 'error' in result ? fail(result.error) : succeed('Photo uploaded', result);
    } finally {
      heldBytes -= held;
    }
  });

  registerRoute(addClaim, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    const result = await createClaim(db, caller, request.body, idempotencyKey(request), clock.now());
    return 'error' in result ? fail(result.error) : succeed('Problem reported', result.claim);
  });

  registerRoute(getClaims, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const claims = await readClaims(db, caller, orderid);
    return claims ? succeed('Reports', claims) : fail(orderError('order-not-found', { orderid: orderid ?? '' }));
  });
}

/**
 * Reads the body of an upload and passes the bytes of each part to `hold`. Throws `ApiError` (413)
 * without reading the rest.
 */
async function readFile({ headers, raw }: FastifyRequest, hold: (bytes: number) => void): Promise<Buffer> {
  const tooLarge = () => new ApiError(413, claimError('photo-too-large'));
  if (Number(headers['content-length'] ?? 0) > MAX_PHOTO_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An iterator that destroyed the stream would close the connection before the response.
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_PHOTO_BYTES) throw tooLarge();
    hold(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A photo opened in a tab of its own has no access to the site. */
const PHOTO_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Serves photos to the customers who may read them. */
export function photoRoutes(
  app: FastifyInstance,
  { authentication, db, storage, onFailure }: Pick<RouteDependencies, 'authentication' | 'db' | 'storage' | 'onFailure'>,
) {
  app.get<{ Params: { id: string } }>(`${PHOTO_PATH}:id`, async (request, reply) => {
    const caller = await authentication.requireCustomerOrGuest(request, undefined);
    return sendPhoto(reply, () => openPhoto({ db, storage }, caller, request.params.id), onFailure);
  });
}

/** Sends a photo, or 404 without one. Throws `ApiError` (503) if the storage fails. */
export async function sendPhoto(
  reply: FastifyReply,
  open: () => Promise<OpenPhoto | undefined>,
  onFailure: RouteDependencies['onFailure'],
) {
  const photo = await open().catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error;
    onFailure(error, 'reading a photo');
    throw new ApiError(503, protocolError('service-busy'), RETRY_SECONDS);
  });
  if (!photo) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such photo');
  return reply
    .headers({ 'content-security-policy': PHOTO_POLICY, 'content-disposition': 'inline', 'content-length': String(photo.bytes) })
    .type(photo.type)
    .send(photo.content);
}

const RETRY_SECONDS = 5;
