import { respond, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { customerMessages as messages, endOffer, getDeskCustomer, grant, payOut, reverse } from './desk/contract.ts';
import { endOfferAtDesk, grantAtDesk, lookUpCustomer, payOutAtDesk, reverseAtDesk, type GrantLimits } from './service.server.ts';

export function customerRoutes(registerRoute: RegisterRoute, dependencies: StaffCallDependencies & GrantLimits) {
  const { db, clock } = dependencies;
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(getDeskCustomer, async (staff, { body }) =>
    respond(messages.found, await lookUpCustomer(db, dependencies, staff, body.mobile, clock.now())),
  );
  registerStaffChange(
    grant,
    ({ offer }) => (offer ? messages.offered : messages.credited),
    (context, body) => grantAtDesk(dependencies, context, body),
    { requiresKey: true },
  );
  registerStaffChange(endOffer, messages.offerEnded, endOfferAtDesk);
  registerStaffChange(reverse, messages.reversed, reverseAtDesk, { requiresKey: true });
  registerStaffChange(payOut, messages.paidBack, payOutAtDesk, { requiresKey: true });
}
