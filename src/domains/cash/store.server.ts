import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { ReversedCash } from '../orders/events-contract.ts';
import { correctHandIns, traceCash, type PossibleHolder, type TracedHandIn } from './rules.ts';

interface PaymentCash {
  staffId: string;
  tid: string;
  amountPaise: number;
}

/**
 * Locks the cash that these people hold until the end of the transaction, and returns the amount of
 * each, 0 for a person without cash. `staffIds` must not be empty. Every movement of a person is
 * written under this lock, which is the last that its transaction takes: movements and hand-ins of
 * a person happen one after another.
 */
export async function lockHeldCash(tx: Tx, staffIds: readonly string[]): Promise<Map<string, number>> {
  const ids = [...new Set(staffIds)].toSorted();
  const rows = ids.map((id) => ({ staff_id: id, held_paise: 0 }));
  await tx
    .insertInto('cash_balances')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const locked = await tx
    .selectFrom('cash_balances')
    .select(['staff_id', 'held_paise'])
    .where('staff_id', 'in', ids)
    .orderBy('staff_id')
    .forNoKeyUpdate()
    .execute();
  return new Map(locked.map((row) => [row.staff_id, row.held_paise]));
}

/**
 * Locks all hand-ins until the end of the transaction: which person has the cash of a payment
 * depends on them. Call it before `lockHeldCash`.
 */
export const lockHandIns = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('hand-ins of cash', 0))`.execute(tx);

/** Records the cash of a payment once. Locks the cash of the person. */
export async function insertReceivedCash(tx: Tx, { staffId, tid, amountPaise }: PaymentCash, at: Date) {
  await lockHeldCash(tx, [staffId]);
  await tx
    .insertInto('cash_movements')
    .values({ staff_id: staffId, kind: 'received', amount_paise: amountPaise, payment_tid: tid, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Corrects the cash of a reversed payment, if it was recorded. Cash that was given back leaves the
 * people who can have it (`traceCash`), up to the amount that each holds. No person holds cash that
 * left the laundry. If the cash was never received, the difference of its hand-in changes, whose
 * explanation is removed, and what was not handed in leaves the person. Call it once for a payment.
 */
export async function reverseReceivedCash(tx: Tx, tid: string, cash: ReversedCash, at: Date) {
  const received = await tx
    .selectFrom('cash_movements')
    .select(['id', 'staff_id', 'amount_paise'])
    .where('payment_tid', '=', tid)
    .where('kind', '=', 'received')
    .executeTakeFirst();
  if (!received) return;
  await lockHandIns(tx);
  const handIns = await listHandInsAfter(tx, received.id);
  const paid = { staffId: received.staff_id, amountPaise: received.amount_paise };
  if (cash === 'given-back') return takeCash(tx, tid, traceCash(paid, handIns), paid.amountPaise, at);
  const { corrections, leftPaise } = correctHandIns(paid, handIns);
  for (const { id, paise } of corrections) {
    await tx
      .updateTable('cash_handins')
      .set({ reversed_paise: sql`reversed_paise + ${paise}`, explanation: null, explained_by: null })
      .where('id', '=', id)
      .execute();
  }
  await takeCash(tx, tid, [{ staffId: paid.staffId, maxPaise: leftPaise }], leftPaise, at);
}

/** Takes the amount from the people in this order, at most what each holds. Locks their cash. */
async function takeCash(tx: Tx, tid: string, holders: readonly PossibleHolder[], amountPaise: number, at: Date) {
  if (holders.length === 0 || amountPaise === 0) return;
  const held = await lockHeldCash(
    tx,
    holders.map(({ staffId }) => staffId),
  );
  let leftPaise = amountPaise;
  for (const { staffId, maxPaise } of holders) {
    const paise = Math.min(leftPaise, maxPaise, held.get(staffId) ?? 0);
    if (paise <= 0) continue;
    leftPaise -= paise;
    await tx
      .insertInto('cash_movements')
      .values({ staff_id: staffId, kind: 'reversed', amount_paise: -paise, payment_tid: tid, at })
      .execute();
  }
}

/** Returns the hand-ins since a movement, the first one first. */
const listHandInsAfter = (tx: Tx, movementId: number): Promise<TracedHandIn[]> =>
  tx
    .selectFrom('cash_movements')
    .innerJoin('cash_handins', 'cash_handins.id', 'cash_movements.handin_id')
    .select(['cash_handins.id', 'cash_handins.holder_id', 'cash_handins.counter_id', 'cash_handins.kept_paise'])
    .where('cash_movements.kind', '=', 'handed-in')
    .where('cash_movements.id', '>', movementId)
    .orderBy('cash_movements.id')
    .execute();

/** Returns the people whose held cash is not 0, with the amount. */
export const listHeldCash = (db: Db) =>
  db.selectFrom('cash_balances').select(['staff_id', 'held_paise']).where('held_paise', '<>', asPaise(0)).execute();

/** SQL condition: the counted amount is another one, and no person has explained it. */
const isOpenSql = sql<boolean>`counted_paise <> expected_paise - reversed_paise and explanation is null`;

/**
 * Returns a text that differs after each change of the held cash, and after each hand-in and
 * explanation. Hand-ins are committed in the order of the ids of their movements (`lockHandIns`).
 */
export async function readCashState(db: Db): Promise<string> {
  const { rows } = await sql<{ held: string | null; last: string | null; open: string | null }>`
    select (select string_agg(staff_id || ' ' || held_paise, ',' order by staff_id) from cash_balances where held_paise <> 0) as held,
           (select max(id)::text from cash_movements where kind = 'handed-in') as last,
           (select string_agg(id, ',' order by id) from cash_handins where ${isOpenSql}) as open`.execute(db);
  return JSON.stringify(rows[0]);
}

export interface MovementRow {
  staff_id: string;
  amount_paise: Paise;
  payment_tid: string | null;
  /** The person whose cash was counted. Null for a payment. */
  from_id: string | null;
  at: Date;
}

/**
 * Returns the movements of each person since their last hand-in, at most `limit`, the newest
 * first.
 */
export async function listMovements(db: Db, staffIds: readonly string[], limit: number): Promise<MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    select movement.staff_id, movement.amount_paise, movement.payment_tid, handin.holder_id as from_id, movement.at
      from unnest(${staffIds}::text[]) as holder (id)
      cross join lateral (
        select coalesce(max(id), 0) as id from cash_movements where staff_id = holder.id and kind = 'handed-in') last
      cross join lateral (
        select id, staff_id, amount_paise, payment_tid, handin_id, at from cash_movements
         where staff_id = holder.id and cash_movements.id > last.id order by cash_movements.id desc limit ${limit}) movement
      left join cash_handins handin on handin.id = movement.handin_id
     order by movement.id desc`.execute(db);
  return rows;
}

/** Returns what people kept at their last hand-in. Without those who kept nothing. */
export async function listKeptCash(db: Db, staffIds: readonly string[]) {
  const { rows } = await sql<{ staff_id: string; kept_paise: Paise }>`
    select holder.id as staff_id, handin.kept_paise
      from unnest(${staffIds}::text[]) as holder (id)
      cross join lateral (
        select handin_id from cash_movements
         where staff_id = holder.id and kind = 'handed-in' order by cash_movements.id desc limit 1) last
      join cash_handins handin on handin.id = last.handin_id
     where handin.kept_paise > 0`.execute(db);
  return rows;
}

interface NewHandIn {
  id: string;
  holderId: string;
  counterId: string;
  /** The cash of the holder, without `keptPaise`. */
  expectedPaise: number;
  countedPaise: number;
  /** The rest, which the holder keeps. */
  keptPaise: number;
}

/**
 * Writes a hand-in and moves the cash from the holder to the counter. If they are one person, an
 * owner, the cash leaves the laundry. The caller has locked the cash of both (`lockHeldCash`).
 */
export async function insertHandIn(tx: Tx, { id, holderId, counterId, expectedPaise, countedPaise, keptPaise }: NewHandIn, at: Date) {
  await tx
    .insertInto('cash_handins')
    .values({
      id,
      holder_id: holderId,
      counter_id: counterId,
      expected_paise: expectedPaise,
      counted_paise: countedPaise,
      kept_paise: keptPaise,
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
  expected_paise: Paise;
  reversed_paise: Paise;
  counted_paise: Paise;
  kept_paise: Paise;
  handed_in_at: Date;
  explanation: string | null;
}

const columns = [
  'id',
  'holder_id',
  'counter_id',
  'expected_paise',
  'reversed_paise',
  'counted_paise',
  'kept_paise',
  'handed_in_at',
  'explanation',
] as const;

/** Returns the newest hand-ins, of one person if `holderId` is given. */
export const listHandIns = (db: Db, holderId: string | undefined, limit: number): Promise<HandInRow[]> =>
  db
    .selectFrom('cash_handins')
    .select(columns)
    .$if(holderId !== undefined, (query) => query.where('holder_id', '=', holderId!))
    .orderBy('handed_in_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Returns the hand-ins with an open difference, of one person if `holderId` is given. */
export const listDifferences = (db: Db, holderId: string | undefined): Promise<HandInRow[]> =>
  db
    .selectFrom('cash_handins')
    .select(columns)
    .where(isOpenSql)
    .$if(holderId !== undefined, (query) => query.where('holder_id', '=', holderId!))
    .orderBy('handed_in_at')
    .orderBy('id')
    .execute();

/** Counts the hand-ins with an open difference, at most `max`. */
export async function countDifferences(db: Db, max: number): Promise<number> {
  const { rows } = await sql<{ differences: number }>`
    select count(*) as differences from (select from cash_handins where ${isOpenSql} limit ${max}) open`.execute(db);
  return rows[0]?.differences ?? 0;
}

/** Returns undefined and writes nothing if the hand-in has no open difference. */
export const setExplanation = (tx: Tx, id: string, explanation: string, staffId: string) =>
  tx
    .updateTable('cash_handins')
    .set({ explanation, explained_by: staffId })
    .where('id', '=', id)
    .where(isOpenSql)
    .returning(['expected_paise', 'reversed_paise', 'counted_paise'])
    .executeTakeFirst();
