/** The notes of the staff about a customer's orders, for the export and the erasure. */
import type { Db, Tx } from '../../db/database.server.ts';

/** Returns the notes for the export of a customer's data. `orderIds` must not be empty. */
export const listNotesOnOrders = (db: Db, orderIds: readonly string[]) =>
  db.selectFrom('desk_events').select(['order_id', 'note', 'at']).where('order_id', 'in', orderIds).where('note', 'is not', null).execute();

/** Deletes the notes and keeps the authors. `orderIds` must not be empty. */
export const deleteNotesOnOrders = (tx: Tx, orderIds: readonly string[]) =>
  tx
    .updateTable('order_event_authors')
    .set({ note: null })
    .where('event_id', 'in', (eb) =>
      eb
        .selectFrom('desk_events')
        .select((event) => event.ref('id').$notNull().as('id'))
        .where('order_id', 'in', orderIds),
    )
    .execute();
