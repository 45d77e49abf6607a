import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { eveningMessages as messages, listSlots, setSlots } from './desk/contract.ts';
import { changeSlots, readSlots, type OrdersOfEvenings } from './desk-service.server.ts';

export interface EveningDeskDependencies extends StaffCallDependencies {
  ordersOfEvenings: OrdersOfEvenings;
}

export function eveningDeskRoutes(registerRoute: RegisterRoute, dependencies: EveningDeskDependencies) {
  const { db, clock, ordersOfEvenings } = dependencies;
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(listSlots, async (_staff, { body }) =>
    succeed(messages.listed, await readSlots(db, ordersOfEvenings, body.from, clock.now())),
  );
  registerStaffChange(setSlots, messages.saved, (context, change) => changeSlots(context, ordersOfEvenings, change));
}
