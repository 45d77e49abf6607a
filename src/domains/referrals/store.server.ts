import type { Tx } from '../../db/database.server.ts';

/** Bonuses of one referrer since then. Ask while the referrer is locked: two at once could both find room for the last one. */
export const countBonuses = async (tx: Tx, referrerId: string, since: Date): Promise<number> => {
  const { count } = await tx
    .selectFrom('referral_bonuses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('referrer_id', '=', referrerId)
    .where('granted_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
};

/** Answers false when the new customer brought a bonus before. */
export async function insertBonus(tx: Tx, bonus: { new_customer_id: string; referrer_id: string; granted_at: Date }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('referral_bonuses')
    .values(bonus)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
