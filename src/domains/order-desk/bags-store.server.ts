/** The orders whose bags differ. */
import type { Db, Tx } from '../../db/database.server.ts';

/**
 * Records whether the bags of a locked order differ. This table finds the delivered ones among
 * those of all years.
 */
export async function setBagsDiffer(tx: Tx, orderid: string, doDiffer: boolean) {
  await (
    doDiffer
      ? tx
          .insertInto('unexplained_bags')
          .values({ order_id: orderid })
          .onConflict((conflict) => conflict.doNothing())
      : tx.deleteFrom('unexplained_bags').where('order_id', '=', orderid)
  ).execute();
}

/** Sets the counted bags of an order event to null. The audit keeps the number. */
export const resetCountedBags = (tx: Tx, eventId: number) =>
  tx.updateTable('order_event_authors').set({ bags: null }).where('event_id', '=', eventId).execute();

/**
 * Removes the orders of an erased customer, whom no explanation can concern any more. `orderIds`
 * must not be empty.
 */
export const deleteBagsThatDiffer = (tx: Tx, orderIds: readonly string[]) =>
  tx.deleteFrom('unexplained_bags').where('order_id', 'in', orderIds).execute();

/** Returns the orders whose bags differ. */
export async function listOrdersWithBagsThatDiffer(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('unexplained_bags').select('order_id').execute();
  return rows.map(({ order_id: id }) => id);
}
