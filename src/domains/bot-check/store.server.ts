import type { Db } from '../../db/database.server.ts';

/** Returns false if the proof was used before. */
export async function insertProof(db: Db, proofHash: Buffer, expiresAt: Date): Promise<boolean> {
  const inserted = await db
    .insertInto('bot_proofs')
    .values({ proof_hash: proofHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('proof_hash')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const deleteExpiredProofs = (db: Db, now: Date) => db.deleteFrom('bot_proofs').where('expires_at', '<', now).execute();
