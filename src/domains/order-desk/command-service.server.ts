/** Changes of orders by commands in the terminal, with their audit rows. docs/decisions/0078. */
import { transaction, type Db, type Tx } from '../../db/database.server.ts';
import { lockOrder } from '../orders/store.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { audit, type AuditAuthor } from '../staff/audit-store.server.ts';
import type { AuditAction } from '../staff/desk/audit-contract.ts';
import { findDeskOrder } from './store.server.ts';
import { changedValues, overpaymentOf } from './update-order-service.server.ts';

export interface CommandChange {
  orderid: string;
  action: AuditAction;
  note?: string | undefined;
}

/**
 * Runs `change` in a transaction that locks the order, and returns its result. Writes an audit row
 * if `change` wrote an event of the order. Also runs `change` for an unknown order. Throws
 * `ApiError` (conflict) if the customer is erased.
 */
export const updateOrderByCommand = <Result>(
  db: Db,
  { laundry, author }: { laundry: Laundry; author: AuditAuthor },
  { orderid, action, note }: CommandChange,
  change: (tx: Tx) => Promise<Result>,
  now: Date,
): Promise<Result> =>
  transaction(db, async (tx) => {
    await lockOrder(tx, laundry, orderid);
    const before = await findDeskOrder(tx, orderid);
    const result = await change(tx);
    const after = await findDeskOrder(tx, orderid);
    if (!before || !after || before.version === after.version) return result;
    const values = changedValues(before, after);
    const creditedPaise = overpaymentOf(after) - overpaymentOf(before);
    const more = { ...(creditedPaise > 0 && { credited_paise: creditedPaise }), ...(note && { note }) };
    await audit(tx, author, { action, subject: ['order', orderid], before: values.before, after: { ...values.after, ...more } }, now);
    return result;
  });
