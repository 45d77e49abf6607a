/** The open orders of a person, and what happens to them when the person is removed. */
import type { Db, Tx } from '../../db/database.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { lockOrder } from '../orders/store.server.ts';
import type { Laundry } from '../staff/authentication.server.ts';
import { audit, type AuditAuthor } from '../staff/audit-store.server.ts';
import { countOpenOrdersByRider, listOpenOrdersOfRider } from './riders-store.server.ts';
import { findDeskOrder, insertAuthors, setHandling } from './store.server.ts';
import { changedValues } from './update-order-service.server.ts';

/** Returns the number of open orders by the id of their rider. */
export const readOpenOrders = async (db: Db): Promise<ReadonlyMap<string, number>> =>
  new Map((await countOpenOrdersByRider(db)).map(({ rider_id: id, count }) => [id, count]));

/**
 * Removes the rider of all open orders of a person, with an event and an audit row for each order.
 * Locks the orders.
 */
export async function unassignOrdersOf(
  tx: Tx,
  { laundry, author }: { laundry: Laundry; author: AuditAuthor },
  personid: string,
  now: Date,
): Promise<void> {
  for (const id of await listOpenOrdersOfRider(tx, personid)) {
    await lockOrder(tx, laundry, id);
    const before = await findDeskOrder(tx, id);
    if (before?.rider_id !== personid) continue;
    await setHandling(tx, id, { riderId: null });
    await insertOrderEvent(tx, id, { kind: 'assigned', riderId: null, at: now });
    if (author && 'id' in author) {
      await insertAuthors(tx, id, before.version, { staffId: author.id, deviceAt: null, note: null, bags: null });
    }
    const values = changedValues(before, { ...before, rider_id: null });
    await audit(tx, author, { action: 'assign-order', subject: ['order', id], ...values }, now);
  }
}
