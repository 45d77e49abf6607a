import * as z from 'zod/mini';
import type { Tx } from '../../db/database.server.ts';
import type { Envelope } from '../../contract/define-call.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { ConflictError } from '../../contract/api-error.ts';
import { fail, respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { TextGateway } from '../messages/provider.server.ts';
import { isKindSent } from '../notifications/rules.ts';
import { orderError } from '../orders/contract.ts';
import type { StaffMember } from '../staff/authentication.server.ts';
import type { StaffCall } from '../staff/desk/contract.ts';
import { staffCalls, writeOnce, type StaffCallDependencies, type WriteOptions } from '../staff/call-routes.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { listMembers } from '../staff/store.server.ts';
import { bagsMessages, countBags, explainBags } from './desk/bags-contract.ts';
import { getBoard } from './desk/board-contract.ts';
import {
  attempt,
  cancelDeskOrder,
  deskMessages as messages,
  getDeskOrder,
  listOrders,
  move,
  moveBack,
  receive,
  rescheduleOrder,
  reversePayment,
  weigh,
  type DeskOrder,
} from './desk/contract.ts';
import { assign, listRiders } from './desk/riders-contract.ts';
import { codeMessages, renewCode } from './desk/code-contract.ts';
import { confirmUpi, dismissUpi, listUpiPayments, upiMessages } from './desk/upi-contract.ts';
import { countBagsOfOrder, explainBagsOfOrder } from './bags-service.server.ts';
import * as lists from './lists-service.server.ts';
import * as queries from './queries-service.server.ts';
import * as payments from './payments-service.server.ts';
import * as service from './service.server.ts';

export function orderDeskRoutes(
  registerRoute: RegisterRoute,
  dependencies: StaffCallDependencies & service.DeskDependencies & payments.CreditLimits & Pick<TextGateway, 'hasTemplate'>,
) {
  const { db, clock } = dependencies;
  const { registerStaffCall } = staffCalls(registerRoute, dependencies);

  /** Only the settings know which kinds are sent. */
  const withoutUnsentMessage = (order: DeskOrder): DeskOrder => {
    const { undo_message: message } = order;
    return { ...order, undo_message: message && isKindSent(message, dependencies.hasTemplate) ? message : null };
  };

  registerStaffCall(listOrders, async (staff, { body }) => succeed(messages.listed, await lists.listOrders(db, body, staff, clock.now())));

  registerStaffCall(getBoard, async (staff, { body }) => succeed(messages.listed, await lists.readBoard(db, body, staff, clock.now())));

  registerStaffCall(getDeskOrder, async (staff, { body: { orderid } }) => {
    const order = await queries.readDeskOrder(db, orderid, staff, clock.now());
    return order ? succeed(messages.found, withoutUnsentMessage(order)) : fail(orderError('order-not-found', { orderid }));
  });

  registerStaffCall(listRiders, async () => {
    const members = await listMembers(db);
    return succeed(
      messages.people,
      members.map(({ id: personid, name }) => ({ personid, name })),
    );
  });

  registerStaffCall(listUpiPayments, async (_, { body: { day } }) =>
    succeed(messages.found, await lists.listUpiPayments(db, day, clock.now())),
  );

  /** Registers a change of an order. A repeated request gets the order as it is now. */
  const registerChange = <Body extends { orderid?: string; tid?: string }, Code extends string>(
    call: StaffCall<Body, DeskOrder, Code>,
    message: string,
    change: (context: StaffTransaction, body: Body) => Promise<Outcome<DeskOrder, Code>>,
    options?: WriteOptions,
  ) =>
    registerStaffCall(call, async (staff, request) => {
      const { body } = request;
      try {
        const work = async (tx: Tx, now: Date) => respond(message, await change({ tx, staff, now }, body));
        const respondAgain = async (tx: Tx, now: Date) => {
          const order = await queries.readChangedOrder(tx, body, staff, now);
          return order && succeed(message, order);
        };
        return toResponse(await writeOnce(dependencies, staff, request, call, work, { ...options, respondAgain }), staff);
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        const current = error.data as DeskOrder | null;
        throw new ConflictError(error, current && z.encode(call.data, withoutUnsentMessage(current)));
      }
    });

  /** A response that an older version stored may contain numbers that are hidden now. */
  const toResponse = <Code extends string>(result: Envelope<DeskOrder, Code>, staff: StaffMember): Envelope<DeskOrder, Code> =>
    result.response === 'success'
      ? { ...result, data: withoutUnsentMessage(queries.withoutHiddenMobiles(result.data, staff, clock.now())) }
      : result;

  registerChange(weigh, messages.weighed, (context, body) => service.weighOrderAtDesk(dependencies, context, body));
  registerChange(move, messages.moved, (context, body) => service.moveOrderAtDesk(dependencies, context, body));
  registerChange(moveBack, messages.movedBack, (context, body) => service.moveOrderBackAtDesk(dependencies, context, body));
  registerChange(renewCode, codeMessages.renewed, service.renewHandOverCode);
  registerChange(countBags, bagsMessages.counted, countBagsOfOrder);
  registerChange(explainBags, bagsMessages.explained, explainBagsOfOrder);
  registerChange(attempt, messages.attempted, service.recordAttempt);
  registerChange(rescheduleOrder, messages.rescheduled, service.rescheduleOrderAtDesk);
  registerChange(cancelDeskOrder, messages.cancelled, (context, body) => service.cancelOrderAtDesk(dependencies, context, body));
  registerChange(assign, messages.assigned, service.setRider);
  registerChange(receive, messages.received, (context, body) => payments.receivePayment(dependencies, context, body), {
    requiresKey: true,
  });
  registerChange(confirmUpi, messages.received, (context, body) => payments.confirmUpiAtDesk(dependencies, context, body), {
    requiresKey: true,
  });
  registerChange(dismissUpi, upiMessages.dismissed, payments.dismissUpiAtDesk, { requiresKey: true });
  registerChange(reversePayment, messages.reversed, payments.reversePaymentAtDesk, { requiresKey: true });
}
