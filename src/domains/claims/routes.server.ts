import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { fail, respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { orderError } from '../orders/contract.ts';
import { sendPhoto, uploadedFile } from '../photos/routes.server.ts';
import type { PhotoUploads } from '../photos/uploads-service.server.ts';
import { callerKey, type Authentication } from '../sessions/authentication.server.ts';
import { addClaim, addPhoto, addReply, getClaims, PHOTO_PATH } from './contract.ts';
import { countUpload, createClaim, openPhoto, readClaims, replyToClaim, storePhoto, type ClaimDependencies } from './service.server.ts';

export interface ClaimRouteDependencies extends ClaimDependencies {
  clock: Clock;
  authentication: Authentication;
  uploads: PhotoUploads;
}

export function claimRoutes(registerRoute: RegisterRoute, { clock, authentication, uploads, ...dependencies }: ClaimRouteDependencies) {
  const { db } = dependencies;
  // The file is read once the caller is known and the upload is counted.
  registerRoute(addPhoto, async (request) => {
    const authenticate = () => authentication.requireCustomerOrGuest(request, request.body.userid);
    const caller = await authenticate();
    const result = await uploads.receive(uploadedFile(request), callerKey(caller), async ({ read, runLimited }) => {
      const now = clock.now();
      const error = await countUpload(db, caller, now);
      if (error) return { error };
      const file = await read();
      // The session may have ended while the file was sent.
      await authenticate();
      return runLimited(() => storePhoto(dependencies, caller, file, now));
    });
    return respond('Photo uploaded', result);
  });

  registerRoute(addClaim, async (request) => {
    const caller = await authentication.requireCustomerOrGuest(request, request.body.userid);
    return respond('Problem reported', await createClaim(db, caller, request.body, idempotencyKey(request), clock.now()));
  });

  registerRoute(addReply, async (request) => {
    const { userid, ...reply } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    return respond('Message added', await replyToClaim(db, caller, reply, clock.now()));
  });

  registerRoute(getClaims, async (request) => {
    const { userid, orderid } = request.body;
    const caller = await authentication.requireCustomerOrGuest(request, userid);
    const claims = await readClaims(db, caller, orderid, clock.now());
    return claims ? succeed('Reports', claims) : fail(orderError('order-not-found', { orderid: orderid ?? '' }));
  });
}

/** Serves photos to the customers who may read them. */
export function photoRoutes(
  app: FastifyInstance,
  { authentication, db, storage, onFailure }: Pick<ClaimRouteDependencies, 'authentication' | 'db' | 'storage' | 'onFailure'>,
) {
  app.get<{ Params: { id: string } }>(`${PHOTO_PATH}:id`, async (request, reply) => {
    const caller = await authentication.requireCustomerOrGuest(request, undefined);
    return sendPhoto(reply, () => openPhoto({ db, storage }, caller, request.params.id), onFailure);
  });
}
