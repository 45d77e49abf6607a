import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/clock.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Db } from '../../db/database.server.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import { writeOnce, type CreditLimit } from '../staff/service.server.ts';
import { DESK_PHOTO_PATH, answerDeskClaim, claimDeskMessages as messages, listDeskClaims, settleDeskClaim } from './desk/contract.ts';
import { answerAtDesk, readDeskClaims, settleAtDesk } from './desk-service.server.ts';
import { sendPhoto } from './routes.server.ts';
import { openPhoto, type ClaimDependencies } from './service.server.ts';

interface RouteDependencies extends CreditLimit {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

export function claimDeskRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, clock, staff: authentication } = dependencies;

  registerRoute(listDeskClaims, async (request) => {
    await authentication.requireStaff(request, listDeskClaims);
    return succeed(messages.listed, await readDeskClaims(db, request.body, clock.now()));
  });

  registerRoute(answerDeskClaim, async (request) => {
    const staff = await authentication.requireStaff(request, answerDeskClaim);
    return writeOnce(dependencies, staff, request, answerDeskClaim, (tx, now) => answerAtDesk({ tx, staff, now }, request.body));
  });

  registerRoute(settleDeskClaim, async (request) => {
    const staff = await authentication.requireStaff(request, settleDeskClaim);
    return writeOnce(dependencies, staff, request, settleDeskClaim, (tx, now) =>
      settleAtDesk(dependencies, { tx, staff, now }, request.body),
    );
  });
}

/** Serves the photos of all claims to the people who may list the claims. */
export function deskPhotoRoutes(
  app: FastifyInstance,
  { staff, db, storage, onFailure }: Pick<ClaimDependencies, 'db' | 'storage' | 'onFailure'> & { staff: StaffAuthentication },
) {
  app.get<{ Params: { id: string } }>(`${DESK_PHOTO_PATH}:id`, async (request, reply) => {
    await staff.requireStaff(request, listDeskClaims);
    return sendPhoto(reply, () => openPhoto({ db, storage }, null, request.params.id), onFailure);
  });
}
