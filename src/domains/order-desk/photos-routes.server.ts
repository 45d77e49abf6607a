import type { FastifyInstance } from 'fastify';
import { idempotencyKey } from '../../contract/idempotency-key.server.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { newId } from '../../lib/ids.ts';
import { sendPhoto } from '../claims/routes.server.ts';
import type { PhotoUploads } from '../claims/uploads-service.server.ts';
import type { StaffAuthentication } from '../staff/authentication.server.ts';
import { staffCalls } from '../staff/call-routes.server.ts';
import { deskMessages as messages, getDeskOrder } from './desk/contract.ts';
import { addOrderPhoto, ORDER_PHOTO_PATH } from './desk/photos-contract.ts';
import { admitUpload, openOrderPhoto, storeOrderPhoto, type OrderPhotoDependencies } from './photos-service.server.ts';

type RouteDependencies = OrderPhotoDependencies & { staff: StaffAuthentication; uploads: PhotoUploads };

export function orderPhotoRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, clock, uploads } = dependencies;
  const { registerStaffCall } = staffCalls(registerRoute, dependencies);

  registerStaffCall(addOrderPhoto, async (staff, request) => {
    const requestKey = idempotencyKey(request) ?? newId();
    const { body } = request;
    const result = await uploads.receive(request, staff.id, async ({ read, runLimited }) => {
      const error = await admitUpload(db, staff, body.orderid, clock.now());
      if (error) return { error };
      const file = await read();
      return runLimited(() => storeOrderPhoto(dependencies, staff, { ...body, requestKey, file }));
    });
    return 'error' in result ? fail(result.error) : succeed(messages.photographed, result);
  });
}

/** Serves the photos of orders to the people who may see the order. */
export function orderPhotoFiles(app: FastifyInstance, dependencies: Omit<RouteDependencies, 'uploads'>) {
  const { staff: authentication, onFailure } = dependencies;
  app.get<{ Params: { id: string } }>(`${ORDER_PHOTO_PATH}:id`, async (request, reply) => {
    const staff = await authentication.requireStaff(request, getDeskOrder);
    return sendPhoto(reply, () => openOrderPhoto(dependencies, staff, request.params.id), onFailure);
  });
}
