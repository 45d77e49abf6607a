import type { Db, Tx } from '../../db/database.server.ts';

/** Returns the kinds of message that the customer has switched off. */
export const listMuted = async (db: Db, customerId: string): Promise<string[]> =>
  (await db.selectFrom('notification_settings').select('muted').where('customer_id', '=', customerId).executeTakeFirst())?.muted ?? [];

export const setMuted = (db: Db, customerId: string, muted: string[]) =>
  db
    .insertInto('notification_settings')
    .values({ customer_id: customerId, muted })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet({ muted }))
    .execute();

export const deleteMuted = (tx: Tx, customerId: string) =>
  tx.deleteFrom('notification_settings').where('customer_id', '=', customerId).execute();
