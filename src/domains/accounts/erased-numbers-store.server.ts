import type { Db, Tx } from '../../db/database.server.ts';

/** Records that the customer of a number was erased. docs/decisions/0084. */
export const insertErasedNumber = (tx: Tx, numberHash: Buffer, now: Date) =>
  tx
    .insertInto('erased_numbers')
    .values({ number_hash: numberHash, erased_at: now })
    .onConflict((conflict) => conflict.column('number_hash').doUpdateSet({ erased_at: now }))
    .execute();

/** Returns whether a customer of this number was erased. */
export const isErasedNumber = async (db: Db, numberHash: Buffer): Promise<boolean> =>
  (await db.selectFrom('erased_numbers').select('erased_at').where('number_hash', '=', numberHash).executeTakeFirst()) !== undefined;
