import type { FastifyInstance } from 'fastify';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { respond, type RegisterRoute } from '../../contract/route.server.ts';
import { newId } from '../../lib/ids.ts';
import { SCALE_PHOTO_PATH } from '../orders/history-contract.ts';
import { sendPhoto, uploadedFile } from '../photos/routes.server.ts';
import type { PhotoUploads } from '../photos/uploads-service.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import { auditRefusedChange } from '../staff/audit-store.server.ts';
import { staffCalls } from '../staff/call-routes.server.ts';
import { deskMessages as messages, getDeskOrder } from './desk/contract.ts';
import { addOrderPhoto, ORDER_PHOTO_PATH } from './desk/photos-contract.ts';
import { checkUpload, openOrderPhoto, openScalePhoto, storeOrderPhoto, type OrderPhotoDependencies } from './photos-service.server.ts';

type RouteDependencies = OrderPhotoDependencies & { staff: StaffAuthentication; uploads: PhotoUploads };

export function orderPhotoRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, clock, staff: authentication, uploads } = dependencies;
  const { registerStaffCall } = staffCalls(registerRoute, dependencies);

  registerStaffCall(addOrderPhoto, async (staff, request) => {
    const requestKey = idempotencyKey(request) ?? newId();
    const { body } = request;
    const result = await uploads.receive(uploadedFile(request), staff.id, async ({ read, runLimited }) => {
      const error = await checkUpload(db, staff, body.orderid, clock.now());
      if (error) return { error };
      const file = await read();
      // The session may have ended while the file was sent.
      await authentication.requireStaff(request, addOrderPhoto);
      return runLimited(() => storeOrderPhoto(dependencies, staff, { ...body, requestKey, file }));
    });
    if (result.error) {
      const refusal = { subject: ['order', body.orderid], call: addOrderPhoto.path, error: result.error.code } as const;
      await auditRefusedChange(db, staff, refusal, clock.now());
    }
    return respond(messages.photographed, result);
  });
}

interface FileDependencies extends Omit<RouteDependencies, 'uploads' | 'staff'> {
  staff: StaffAuthentication;
  authentication: Authentication;
}

/** Serves the photos of an order to the staff, and those of the scale to its customer. */
export function orderPhotoFiles(app: FastifyInstance, dependencies: FileDependencies) {
  const { staff: staffAuthentication, authentication, onFailure } = dependencies;
  app.get<{ Params: { id: string } }>(`${ORDER_PHOTO_PATH}:id`, async (request, reply) => {
    const staff = await staffAuthentication.requireStaff(request, getDeskOrder);
    return sendPhoto(reply, () => openOrderPhoto(dependencies, staff, request.params.id), onFailure);
  });
  app.get<{ Params: { id: string } }>(`${SCALE_PHOTO_PATH}:id`, async (request, reply) => {
    const caller = await authentication.requireCustomerOrGuest(request, undefined);
    return sendPhoto(reply, () => openScalePhoto(dependencies, caller, request.params.id), onFailure);
  });
}
