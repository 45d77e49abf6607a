import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';

interface PaymentCash {
  staffId: string;
  tid: string;
  amountPaise: number;
}

/** Records the cash of a payment once. */
export const insertReceivedCash = (tx: Tx, { staffId, tid, amountPaise }: PaymentCash, at: Date) =>
  tx
    .insertInto('cash_movements')
    .values({ staff_id: staffId, kind: 'received', amount_paise: amountPaise, payment_tid: tid, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Takes the cash of a reversed payment from the person who received it, if it was recorded. */
export const insertReversedCash = (tx: Tx, tid: string, at: Date) =>
  sql`
    insert into cash_movements (staff_id, kind, amount_paise, payment_tid, at)
    select staff_id, 'reversed', -amount_paise, payment_tid, ${at}
      from cash_movements where payment_tid = ${tid} and kind = 'received'
    on conflict do nothing`.execute(tx);

/** Returns the people who hold cash, or less than none after a reversal. */
export const listHeld = async (db: Db): Promise<{ staff_id: string; held_paise: number }[]> =>
  (
    await sql<{ staff_id: string; held_paise: number }>`
      select staff_id, sum(amount_paise)::bigint as held_paise from cash_movements group by staff_id having sum(amount_paise) <> 0`.execute(
      db,
    )
  ).rows;

export async function findHeld(tx: Tx, staffId: string): Promise<number> {
  const { rows } = await sql<{ held_paise: number }>`
    select coalesce(sum(amount_paise), 0)::bigint as held_paise from cash_movements where staff_id = ${staffId}`.execute(tx);
  return rows[0]?.held_paise ?? 0;
}

interface NewHandIn {
  id: string;
  holderId: string;
  counterId: string;
  expectedPaise: number;
  countedPaise: number;
}

/** Writes a hand-in and moves the cash from the holder to the counter, who are different people. */
export async function insertHandIn(tx: Tx, { id, holderId, counterId, expectedPaise, countedPaise }: NewHandIn, at: Date) {
  await tx
    .insertInto('cash_handins')
    .values({
      id,
      holder_id: holderId,
      counter_id: counterId,
      expected_paise: expectedPaise,
      counted_paise: countedPaise,
      handed_in_at: at,
    })
    .execute();
  await tx
    .insertInto('cash_movements')
    .values({ staff_id: holderId, kind: 'handed-in', amount_paise: -expectedPaise, handin_id: id, at })
    .execute();
  // Cash that an owner counts for themselves leaves the laundry.
  if (holderId === counterId || countedPaise === 0) return;
  await tx
    .insertInto('cash_movements')
    .values({ staff_id: counterId, kind: 'counted', amount_paise: countedPaise, handin_id: id, at })
    .execute();
}

export interface HandInRow {
  id: string;
  holder_id: string;
  counter_id: string;
  expected_paise: number;
  counted_paise: number;
  handed_in_at: Date;
  explanation: string | null;
}

const columns = ['id', 'holder_id', 'counter_id', 'expected_paise', 'counted_paise', 'handed_in_at', 'explanation'] as const;

/** `holderId`: only the hand-ins of this person. */
export const listHandIns = (db: Db, holderId: string | undefined, limit: number): Promise<HandInRow[]> =>
  db
    .selectFrom('cash_handins')
    .select(columns)
    .$if(holderId !== undefined, (query) => query.where('holder_id', '=', holderId!))
    .orderBy('handed_in_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

const isOpen = sql<boolean>`counted_paise <> expected_paise and explanation is null`;

export const listDifferences = (db: Db, holderId: string | undefined): Promise<HandInRow[]> =>
  db
    .selectFrom('cash_handins')
    .select(columns)
    .where(isOpen)
    .$if(holderId !== undefined, (query) => query.where('holder_id', '=', holderId!))
    .orderBy('handed_in_at')
    .orderBy('id')
    .execute();

/** Returns undefined if there is no open difference. */
export const setExplanation = (tx: Tx, id: string, explanation: string, staffId: string) =>
  tx
    .updateTable('cash_handins')
    .set({ explanation, explained_by: staffId })
    .where('id', '=', id)
    .where(isOpen)
    .returning(['expected_paise', 'counted_paise'])
    .executeTakeFirst();
