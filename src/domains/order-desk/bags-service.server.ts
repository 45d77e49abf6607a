/** Counts of bags without a move, and the explanation of a difference. docs/decisions/0117. */
import { insertOrderEvent } from '../orders/events-store.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { bagsError, type countBags, type explainBags } from './desk/bags-contract.ts';
import { deskError } from './desk/contract.ts';
import { differingCount, hasCountedOwn } from './desk/bags-rules.ts';
import { isAllowed } from './desk/rules.ts';
import { setBagsUnexplained } from './bags-store.server.ts';
import { actionStateOfRow } from './service.server.ts';
import { listHistory } from './store.server.ts';
import { updateOrder, type UpdateOutcome, type UpdateRequest } from './update-order-service.server.ts';

/**
 * Records a count of the bags without a move. Returns an error if it would end a difference for a
 * rider who counted bags of the order. Throws like `updateOrder`.
 */
export const countBagsOfOrder = (
  context: StaffTransaction,
  request: UpdateRequest & { bags: number },
): Promise<UpdateOutcome<typeof countBags>> =>
  updateOrder(context, request, {
    action: 'count-bags',
    apply: async (order) => {
      const { tx, staff, now } = context;
      const history = await listHistory(tx, order.id);
      if (!isAllowed(actionStateOfRow(order, history), 'count-bags')) return deskError('wrong-stage');
      const doDiffer = differingCount(order.bags, history) !== null;
      if (doDiffer && request.bags === order.bags && hasCountedOwn(staff, history)) return bagsError('counted-by-you');
      await insertOrderEvent(tx, order.id, { kind: 'bags-counted', at: now });
      return null;
    },
  });

/**
 * Records why the bags differ: the note is the explanation. Returns an error for a rider who
 * counted bags of the order. Throws like `updateOrder`.
 */
export const explainBagsOfOrder = (
  context: StaffTransaction,
  request: UpdateRequest & { note: string },
): Promise<UpdateOutcome<typeof explainBags>> =>
  updateOrder(context, request, {
    action: 'explain-bags',
    apply: async (order) => {
      const { tx, staff, now } = context;
      const history = await listHistory(tx, order.id);
      if (differingCount(order.bags, history) === null) return bagsError('bags-match');
      if (hasCountedOwn(staff, history)) return bagsError('counted-by-you');
      await insertOrderEvent(tx, order.id, { kind: 'bags-explained', at: now });
      await setBagsUnexplained(tx, order.id, false);
      return null;
    },
  });
