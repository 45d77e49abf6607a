/** UPI payments that customers began. docs/decisions/0073. */
import { transaction, type Db } from '../../db/database.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { ownsOrder } from '../orders/store.server.ts';
import { lockOrder } from './store.server.ts';
import { setReported } from './upi-store.server.ts';

/**
 * Notes once that the customer says to have paid a begun UPI payment. Does nothing if it is settled
 * meanwhile. Returns false if the order is not the caller's.
 */
export const reportUpiPayment = (db: Db, caller: CustomerOrGuest, payment: { orderid: string; tid: string }, now: Date): Promise<boolean> =>
  transaction(db, async (tx) => {
    const { orderid } = payment;
    if (!(await ownsOrder(tx, caller, orderid))) return false;
    await lockOrder(tx, orderid);
    const reported = await setReported(tx, payment, now);
    if (reported) await insertOrderEvent(tx, orderid, { kind: 'payment-reported', data: { reference: reported.reference }, at: now });
    return true;
  });
