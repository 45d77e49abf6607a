import type { Db, Tx } from '../../db/database.server.ts';

/**
 * Counts the bonuses of a referrer after `since`, until `until`. Lock the referrer first, because
 * concurrent grants could exceed the limit.
 */
export const countBonuses = async (tx: Tx, referrerId: string, { since, until }: { since: Date; until: Date }): Promise<number> => {
  const { count } = await tx
    .selectFrom('referral_bonuses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('referrer_id', '=', referrerId)
    .where('granted_at', '>', since)
    .where('granted_at', '<=', until)
    .executeTakeFirstOrThrow();
  return count;
};

/** Returns false if a bonus for this new customer already exists. */
export async function insertBonus(tx: Tx, bonus: { new_customer_id: string; referrer_id: string; granted_at: Date }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('referral_bonuses')
    .values(bonus)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export const deleteBonus = (tx: Tx, newCustomerId: string) =>
  tx.deleteFrom('referral_bonuses').where('new_customer_id', '=', newCustomerId).execute();

/** For the export of a customer's data: the bonuses that friends brought. */
export const listBonuses = (db: Db, customerId: string) =>
  db.selectFrom('referral_bonuses').select('granted_at').where('referrer_id', '=', customerId).execute();
