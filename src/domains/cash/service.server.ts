/**
 * Cash always has a holder: the person who received it, and after a hand-in the person who counted
 * it, or kept the rest. docs/decisions/0053 and 0151.
 */
import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { listOrdersOfPayments } from '../payments/overview-store.server.ts';
import type { StaffMember } from '../staff/authentication.server.ts';
import type { StaffOutcome, StaffTransaction } from '../staff/service.server.ts';
import { listNames } from '../staff/store.server.ts';
import { cashError, MAX_COUNTED_PAISE, MAX_HAND_INS, MAX_MOVEMENTS, type Cash, type HandIn, type Rest } from './desk/contract.ts';
import * as store from './store.server.ts';

/**
 * Returns the cash that each person holds, with the open differences and the newest hand-ins. A
 * rider gets only their own.
 */
export async function readCash(db: Db, staff: StaffMember): Promise<Cash> {
  const ownId = staff.role === 'rider' ? staff.id : undefined;
  const held = (await store.listHeldCash(db)).filter(({ staff_id: id }) => ownId === undefined || id === ownId);
  const holderIds = held.map(({ staff_id: id }) => id);
  const rows = await store.listMovements(db, holderIds, MAX_MOVEMENTS);
  const keptRows = await store.listKeptCash(db, holderIds);
  const kept = new Map(keptRows.map(({ staff_id: id, kept_paise: paise }) => [id, paise]));
  const [differences, handins] = [await store.listDifferences(db, ownId), await store.listHandIns(db, ownId, MAX_HAND_INS)];
  const ids = [
    ...holderIds,
    ...[...differences, ...handins].flatMap((row) => [row.holder_id, row.counter_id]),
    ...rows.flatMap(({ from_id: id }) => id ?? []),
  ];
  const names = new Map((await listNames(db, [...new Set(ids)])).map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? '';
  const movements = await toMovements(db, rows, nameOf);
  const personOf = (personid: string) => ({ personid, name: nameOf(personid) });
  const toHandIn = (row: store.HandInRow): HandIn => ({
    handinid: row.id,
    holder: personOf(row.holder_id),
    counter: personOf(row.counter_id),
    expected: row.expected_paise,
    counted: row.counted_paise,
    reversed: row.reversed_paise,
    kept: row.kept_paise,
    difference: asPaise(differenceOf(row)),
    at: kolkataDateTime(row.handed_in_at),
    explanation: row.explanation,
  });
  return {
    holders: held
      .map(({ staff_id: id, held_paise: paise }) => ({
        personid: id,
        name: nameOf(id),
        held: paise,
        is_me: id === staff.id,
        kept: kept.get(id) ?? asPaise(0),
        movements: movements.get(id) ?? [],
      }))
      .toSorted((a, b) => b.held - a.held),
    differences: differences.map(toHandIn),
    handins: handins.map(toHandIn),
  };
}

/** Returns the cash of the people who hold some, by their ids. */
export const readHeldCash = async (db: Db): Promise<ReadonlyMap<string, Paise>> =>
  new Map((await store.listHeldCash(db)).map(({ staff_id: id, held_paise: paise }) => [id, paise]));

/** Returns the movements of each person, with the order of a payment or the colleague. */
async function toMovements(db: Db, rows: readonly store.MovementRow[], nameOf: (id: string) => string) {
  const tids = rows.flatMap(({ payment_tid: tid }) => tid ?? []);
  const orders = new Map((await listOrdersOfPayments(db, tids)).map((row) => [row.tid, row.order_id]));
  const toMovement = ({ payment_tid: tid, from_id: fromId, amount_paise: paise, at }: store.MovementRow) => ({
    orderid: (tid !== null && orders.get(tid)) || null,
    colleague: fromId === null ? null : nameOf(fromId),
    amount: asPaise(paise),
    at: kolkataDateTime(at),
  });
  return new Map([...Map.groupBy(rows, ({ staff_id: id }) => id)].map(([id, ofPerson]) => [id, ofPerson.map(toMovement)] as const));
}

/**
 * Returns the counted amount less the expected one, from which the payments are
 * subtracted that were reversed later as never received. Negative if cash is missing.
 */
const differenceOf = (row: Pick<store.HandInRow, 'expected_paise' | 'reversed_paise' | 'counted_paise'>) =>
  row.counted_paise - (row.expected_paise - row.reversed_paise);

interface HandInRequest {
  /** The holder. Undefined: the only other person who holds cash. */
  personid?: string | undefined;
  counted: Paise;
  /** The balance of the holder that the caller saw. */
  expected?: Paise | undefined;
  /** Where the rest is, if less was counted. By default 'kept' for the bank, and else 'missing'. */
  rest?: Rest | undefined;
}

/**
 * Records that `counter` counted the holder's cash, and returns the cash that the counter may see.
 * The counter holds the counted amount more. The holder holds the rest if it is kept, and else
 * nothing. Cash that an owner counts as the holder leaves the laundry. Locks the cash of both.
 * Throws `ApiError` (conflict) if the holder's amount differs from `expected`.
 */
export async function handInCash(
  { tx, staff: counter, now }: StaffTransaction,
  { personid, counted: countedPaise, expected: seenPaise, rest }: HandInRequest,
): Promise<StaffOutcome<Cash, 'impossible-count' | 'nothing-counted' | 'unknown-holder' | 'own-cash' | 'nothing-held'>> {
  if (countedPaise < 0 || countedPaise > MAX_COUNTED_PAISE) return { error: cashError('impossible-count') };
  const holderId = personid ?? (await findOnlyOtherHolder(tx, counter));
  if (holderId === undefined || (await listNames(tx, [holderId])).length === 0) return { error: cashError('unknown-holder') };
  if (holderId === counter.id && counter.role !== 'owner') return { error: cashError('own-cash') };
  await store.lockHandIns(tx);
  const heldPaise = (await store.lockHeldCash(tx, [holderId, counter.id])).get(holderId) ?? 0;
  if (seenPaise !== undefined && seenPaise !== heldPaise) throw new ApiError('conflict', cashError('cash-changed'));
  if (heldPaise === 0) return { error: cashError('nothing-held') };
  const isKept = (rest ?? (holderId === counter.id ? 'kept' : 'missing')) === 'kept';
  const keptPaise = isKept ? Math.max(heldPaise - countedPaise, 0) : 0;
  if (keptPaise === heldPaise) return { error: cashError('nothing-counted') };
  const id = newId();
  const expectedPaise = heldPaise - keptPaise;
  await store.insertHandIn(tx, { id, holderId, counterId: counter.id, expectedPaise, countedPaise, keptPaise }, now);
  const amounts = { expected_paise: expectedPaise, counted_paise: countedPaise, ...(keptPaise > 0 && { kept_paise: keptPaise }) };
  const after = { holder: holderId, ...amounts };
  return { data: await readCash(tx, counter), audit: [{ action: 'hand-in-cash', subject: ['cash', id], after }] };
}

async function findOnlyOtherHolder(tx: Tx, { id }: StaffMember): Promise<string | undefined> {
  const others = (await store.listHeldCash(tx)).filter((row) => row.staff_id !== id);
  return others.length === 1 ? others[0]?.staff_id : undefined;
}

/**
 * Closes an open difference with an explanation, and returns the cash. Returns an error if the
 * hand-in has no open difference. No cash moves.
 */
export async function explainDifference(
  { tx, staff: owner }: StaffTransaction,
  { handinid, explanation }: { handinid: string; explanation: string },
): Promise<StaffOutcome<Cash, 'handin-not-found'>> {
  const explained = await store.setExplanation(tx, handinid, explanation, owner.id);
  if (!explained) return { error: cashError('handin-not-found') };
  const after = { difference_paise: differenceOf(explained), explanation };
  return { data: await readCash(tx, owner), audit: [{ action: 'explain-cash', subject: ['cash', handinid], after }] };
}
