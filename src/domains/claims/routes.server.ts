import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { ApiError, fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import { orderError } from '../orders/contract.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { addClaim, addPhoto, addReply, getClaims, PHOTO_PATH } from './contract.ts';
import { StorageError } from './provider.server.ts';
import {
  countUpload,
  createClaim,
  openPhoto,
  readClaims,
  replyToClaim,
  storePhoto,
  type ClaimDependencies,
  type OpenPhoto,
} from './service.server.ts';
import type { PhotoUploads } from './uploads-service.server.ts';

type RouteDependencies = ClaimDependencies & { clock: Clock; authentication: Authentication; uploads: PhotoUploads };

export function claimRoutes(registerRoute: RegisterRoute, { clock, authentication, uploads, ...dependencies }: RouteDependencies) {
  const { db } = dependencies;
  // The file is read once the caller is known and the upload is counted.
  registerRoute(addPhoto, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    const result = await uploads.receive(request, caller.id, async ({ read, runLimited }) => {
      const now = clock.now();
      const error = await countUpload(db, caller, now);
      if (error) return { error };
      const file = await read();
      return runLimited(() => storePhoto(dependencies, caller, file, now));
    });
    return 'error' in result ? fail(result.error) : succeed('Photo uploaded', result);
  });

  registerRoute(addClaim, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    const result = await createClaim(db, caller, request.body, idempotencyKey(request), clock.now());
    return 'error' in result ? fail(result.error) : succeed('Problem reported', result.claim);
  });

  registerRoute(addReply, async (request) => {
    const { userid, ...reply } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const result = await replyToClaim(db, caller, reply, clock.now());
    return 'error' in result ? fail(result.error) : succeed('Message added', result.claim);
  });

  registerRoute(getClaims, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const claims = await readClaims(db, caller, orderid, clock.now());
    return claims ? succeed('Reports', claims) : fail(orderError('order-not-found', { orderid: orderid ?? '' }));
  });
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
