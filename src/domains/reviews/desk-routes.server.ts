import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { listDeskReviews, moderateReview, reviewDeskMessages as messages } from './desk/contract.ts';
import { moderateAtDesk, readDeskReviews } from './desk-service.server.ts';

export function reviewDeskRoutes(registerRoute: RegisterRoute, dependencies: StaffCallDependencies) {
  const { db } = dependencies;
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(listDeskReviews, async (_staff, { body }) => succeed(messages.listed, await readDeskReviews(db, body)));
  registerStaffChange(moderateReview, messages.moderated, moderateAtDesk);
}
