/** UPI payments that customers began. docs/decisions/0073. */
import { transaction, type Db } from '../../db/database.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { lockOrder } from '../orders/store.server.ts';
import { setReported } from './upi-store.server.ts';

/**
 * Records that the customer reports a begun UPI payment as paid. Returns false if the order is not
 * the caller's, otherwise true. A payment that is settled, unknown or reported before stays as it
 * is. Throws `ApiError` (unauthenticated) if the caller was erased.
 */
export const reportUpiPayment = (db: Db, caller: CustomerOrGuest, payment: { orderid: string; tid: string }, now: Date): Promise<boolean> =>
  transaction(db, async (tx) => {
    const { orderid } = payment;
    if (!(await lockOrder(tx, caller, orderid))) return false;
    const reported = await setReported(tx, payment, now);
    if (reported) await insertOrderEvent(tx, orderid, { kind: 'payment-reported', reference: reported.reference, at: now });
    return true;
  });
