import type { FastifyInstance } from 'fastify';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { sendPhoto } from '../photos/routes.server.ts';
import { laundryOf, type StaffAuthentication } from '../staff/authentication.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import type { CreditLimit } from '../staff/credits-service.server.ts';
import {
  DESK_PHOTO_PATH,
  answerDeskClaim,
  assignDeskClaim,
  claimDeskMessages as messages,
  listDeskClaims,
  settleDeskClaim,
} from './desk/contract.ts';
import { answerAtDesk, assignAtDesk, readDeskClaims, settleAtDesk } from './desk-service.server.ts';
import { openPhoto, type ClaimDependencies } from './service.server.ts';

export function claimDeskRoutes(registerRoute: RegisterRoute, dependencies: StaffCallDependencies & CreditLimit) {
  const { db, clock } = dependencies;
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(listDeskClaims, async (staff, { body }) =>
    succeed(messages.listed, await readDeskClaims(db, staff, body, dependencies, clock.now())),
  );
  registerStaffChange(answerDeskClaim, messages.answered, answerAtDesk);
  registerStaffChange(assignDeskClaim, messages.assigned, assignAtDesk);
  registerStaffChange(settleDeskClaim, messages.settled, (context, body) => settleAtDesk(dependencies, context, body));
}

/** Serves the photos of all claims to the people who may list the claims. */
export function deskPhotoRoutes(
  app: FastifyInstance,
  { staff, db, storage, onFailure }: Pick<ClaimDependencies, 'db' | 'storage' | 'onFailure'> & { staff: StaffAuthentication },
) {
  app.get<{ Params: { id: string } }>(`${DESK_PHOTO_PATH}:id`, async (request, reply) => {
    const laundry = laundryOf(await staff.requireStaff(request, listDeskClaims));
    return sendPhoto(reply, () => openPhoto({ db, storage }, laundry, request.params.id), onFailure);
  });
}
