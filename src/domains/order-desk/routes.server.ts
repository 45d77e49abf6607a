import type { Clock } from '../../lib/clock.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Envelope } from '../../contract/define-call.ts';
import { ConflictError, fail, succeed, type CallRequest, type RegisterRoute } from '../../contract/route.server.ts';
import { orderError } from '../orders/contract.ts';
import type { StaffAuthentication, StaffMember } from '../staff/authentication.server.ts';
import type { StaffCall } from '../staff/contract.ts';
import { writeOnce } from '../staff/service.server.ts';
import { audit, listMembers } from '../staff/store.server.ts';
import {
  assign,
  attempt,
  cancelDeskOrder,
  deskMessages as messages,
  getDeskOrder,
  listOrders,
  listRiders,
  move,
  moveBack,
  receive,
  rescheduleOrder,
  reversePayment,
  weigh,
  type DeskOrder,
} from './contract.ts';
import * as reading from './reading-service.server.ts';
import * as service from './service.server.ts';

interface RouteDependencies extends service.DeskDependencies {
  db: Db;
  clock: Clock;
  staff: StaffAuthentication;
}

interface Context {
  tx: Tx;
  staff: StaffMember;
  now: Date;
}

export function orderDeskRoutes(registerRoute: RegisterRoute, dependencies: RouteDependencies) {
  const { db, clock, staff: authentication } = dependencies;

  registerRoute(listOrders, async (request) => {
    const staff = await authentication.requireStaff(request, listOrders);
    return succeed(messages.listed, await reading.listOrders(db, request.body, staff, clock.now()));
  });

  registerRoute(getDeskOrder, async (request) => {
    const staff = await authentication.requireStaff(request, getDeskOrder);
    const { orderid } = request.body;
    const order = await reading.readDeskOrder(db, orderid, staff, clock.now());
    return order ? succeed(messages.found, order) : fail(orderError('order-not-found', { orderid }));
  });

  registerRoute(listRiders, async (request) => {
    await authentication.requireStaff(request, listRiders);
    const members = await listMembers(db);
    return succeed(
      messages.people,
      members.map(({ id: personid, name }) => ({ personid, name })),
    );
  });

  /** Registers a change of an order. Records a stale version in the audit. */
  const registerChange = <Body extends { orderid?: string; tid?: string }, Code extends string>(
    call: StaffCall<Body, DeskOrder, Code>,
    change: (context: Context, body: Body) => Promise<Envelope<DeskOrder, Code>>,
    options?: { requiresKey: boolean },
  ) =>
    registerRoute(call, async (request: CallRequest<Body>) => {
      const staff = await authentication.requireStaff(request, call);
      const { body } = request;
      try {
        const work = (tx: Tx, now: Date) => change({ tx, staff, now }, body);
        return hideNumbers(await writeOnce(dependencies, staff, request, call, work, options), staff);
      } catch (error) {
        if (error instanceof ConflictError) {
          const after = { call: call.path, error: error.code };
          await audit(db, staff, { action: 'refused', subject: ['order', body.orderid ?? ''], after }, clock.now());
        }
        throw error;
      }
    });

  /** The stored answer to an earlier request may contain numbers that are hidden now. */
  const hideNumbers = <Code extends string>(answer: Envelope<DeskOrder, Code>, staff: StaffMember): Envelope<DeskOrder, Code> =>
    answer.response === 'success' ? { ...answer, data: reading.withoutHiddenNumbers(answer.data, staff, clock.now()) } : answer;

  registerChange(weigh, service.weighOrderAtDesk);
  registerChange(move, (context, body) => service.moveOrderAtDesk(dependencies, context, body));
  registerChange(moveBack, service.moveOrderBackAtDesk);
  registerChange(attempt, service.recordAttempt);
  registerChange(rescheduleOrder, service.rescheduleOrderAtDesk);
  registerChange(cancelDeskOrder, service.cancelOrderAtDesk);
  registerChange(assign, service.assignOrder);
  registerChange(receive, service.receivePayment, { requiresKey: true });
  registerChange(reversePayment, service.reversePaymentAtDesk, { requiresKey: true });
}
