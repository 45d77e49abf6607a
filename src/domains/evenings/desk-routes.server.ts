import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import { staffCalls, type StaffCallDependencies } from '../staff/call-routes.server.ts';
import { eveningMessages as messages, listDeskEvenings, setEvenings } from './desk/contract.ts';
import { changeEvenings, readDeskEvenings, type OrdersOfEvenings } from './desk-service.server.ts';

export interface EveningDeskDependencies extends StaffCallDependencies {
  ordersOfEvenings: OrdersOfEvenings;
}

export function eveningDeskRoutes(registerRoute: RegisterRoute, dependencies: EveningDeskDependencies) {
  const { db, clock, ordersOfEvenings } = dependencies;
  const { registerStaffCall, registerStaffChange } = staffCalls(registerRoute, dependencies);

  registerStaffCall(listDeskEvenings, async (_staff, { body }) =>
    succeed(messages.listed, await readDeskEvenings(db, ordersOfEvenings, body.from, clock.now())),
  );
  registerStaffChange(setEvenings, messages.saved, (context, change) => changeEvenings(context, ordersOfEvenings, change));
}
