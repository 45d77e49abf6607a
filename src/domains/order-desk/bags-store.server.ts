/** The orders whose bags differ and are not explained. */
import type { Db, Tx } from '../../db/database.server.ts';

/**
 * Records whether the bags of a locked order differ. This table finds the delivered orders with
 * such bags among those of all years.
 */
export async function setBagsUnexplained(tx: Tx, orderid: string, areUnexplained: boolean) {
  if (areUnexplained) {
    await tx
      .insertInto('unexplained_bags')
      .values({ order_id: orderid })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await tx.deleteFrom('unexplained_bags').where('order_id', '=', orderid).execute();
  }
}

/** Sets the counted bags of an order event to null. The audit keeps the number. */
export const resetCountedBags = (tx: Tx, eventId: number) =>
  tx.updateTable('order_event_authors').set({ bags: null }).where('event_id', '=', eventId).execute();

/**
 * Removes the orders of an erased customer, because no person can explain them after the erasure.
 * `orderIds` must not be empty.
 */
export const deleteUnexplainedBags = (tx: Tx, orderIds: readonly string[]) =>
  tx.deleteFrom('unexplained_bags').where('order_id', 'in', orderIds).execute();

/** Returns the ids of the orders whose bags are not explained. */
export async function listOrdersWithUnexplainedBags(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('unexplained_bags').select('order_id').execute();
  return rows.map(({ order_id: id }) => id);
}
