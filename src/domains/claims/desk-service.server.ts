/**
 * The staff answers and settles claims with the functions of the terminal command. Each change runs
 * in the transaction of its call, with its audit row.
 */
import type { ErrorMessage } from '../../i18n/messages.ts';
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { transactionWithOutcome, type Db, type Tx } from '../../db/database.server.ts';
import { consumeLimit } from '../../db/limits.server.ts';
import { insertOrderEvent } from '../orders/events-store.server.ts';
import { calculateAmounts } from '../orders/rules.ts';
import { lockOrder, toPricedOrder } from '../orders/store.server.ts';
import { laundryOf, type StaffMember } from '../staff/authentication.server.ts';
import { mayCall, type Role } from '../staff/desk/contract.ts';
import { fromTimeCursor, toPage, toTimeCursor } from '../staff/desk/paging.ts';
import { checkCredit, creditsLeft, type CreditLimit } from '../staff/credits-service.server.ts';
import type { StaffOutcome, StaffTransaction } from '../staff/service.server.ts';
import { findMember, listMembers } from '../staff/store.server.ts';
import { CLAIM_KINDS, type ClaimStatus } from './contract.ts';
import { CLAIMS_PER_PAGE, REASON_DAYS, claimDeskError, type ClaimOfOrder, type ClaimPage, type DeskClaim } from './desk/contract.ts';
import {
  readClaimCounts,
  findDeskClaim,
  listClaimsOfOrder,
  listDeskClaims,
  setAssigned,
  listClaimTotals,
  type ClaimFilter,
  type DeskClaimRow,
} from './desk-store.server.ts';
import { CLAIM_CREDIT_LIMITS, MAX_ANSWERS_PER_DAY } from './rules.ts';
import { answerClaim, lockClaimForLaundry, settleClaim, toClaim, type ClaimSettlement } from './service.server.ts';

/** Returns true if a person may read and settle claims. */
const mayHandle = ({ role }: { role: Role }) => mayCall(role, 'staff/settleclaim');

const assignedOf = ({ assigned_to: personid, assigned_name: name }: DeskClaimRow): DeskClaim['assigned'] =>
  personid === null || name === null ? null : { personid, name };

const toDeskClaim = (row: DeskClaimRow, now: Date): DeskClaim => ({
  ...toClaim(row, now),
  assigned: assignedOf(row),
  settled_at: row.settled_at && kolkataDateTime(row.settled_at),
  is_overdue: row.status === 'open' && row.answer_by < now,
  has_wallet: !row.is_unassigned,
  order_amount: calculateAmounts(toPricedOrder(row))?.final ?? null,
  customer: { name: row.name, mobile: row.mobile, is_guest: row.is_guest },
});

type ClaimRequest = Omit<ClaimFilter, 'assignedTo'> & { mine?: true | undefined; cursor?: string | undefined };

/**
 * Returns a page of the claims, the number of claims of each status, the sums of each kind in the
 * last `REASON_DAYS`, and the people who can handle claims.
 */
export async function readDeskClaims(
  db: Db,
  staff: StaffMember,
  { cursor, mine, ...request }: ClaimRequest,
  limit: CreditLimit,
  now: Date,
): Promise<ClaimPage> {
  const filter: ClaimFilter = { ...request, ...(mine && { assignedTo: staff.id }) };
  const rows = await listDeskClaims(db, filter, { after: fromTimeCursor(cursor), limit: CLAIMS_PER_PAGE + 1 });
  const isSettled = filter.status === ('settled' satisfies ClaimStatus);
  const { page, next } = toPage(rows, CLAIMS_PER_PAGE, ({ id, settled_at: settledAt, answer_by: answerBy }) =>
    toTimeCursor({ at: (isSettled && settledAt) || answerBy, id }),
  );
  const people = (await listMembers(db)).filter(mayHandle);
  const sums = new Map((await listClaimTotals(db, addSeconds(now, -REASON_DAYS * DAY_SECONDS))).map((row) => [row.kind, row]));
  return {
    claims: page.map((row) => toDeskClaim(row, now)),
    next,
    counts: await readClaimCounts(db),
    reasons: CLAIM_KINDS.map((kind) => {
      const sum = sums.get(kind);
      return { kind, claims: sum?.claims ?? 0, credited: asPaise(sum?.credited_paise ?? 0) };
    }),
    people: people.map(({ id: personid, name }) => ({ personid, name, is_me: personid === staff.id })),
    credits_left: await creditsLeft(db, staff, limit, now),
  };
}

/** Returns the newest claims of an order, at most `CLAIMS_PER_PAGE`. */
export const readClaimsOfOrder = async (db: Db, orderid: string): Promise<ClaimOfOrder[]> =>
  (await listClaimsOfOrder(db, orderid, CLAIMS_PER_PAGE)).map((row) => ({
    claimid: row.id,
    kind: row.kind,
    status: row.status,
    answer_by: kolkataDateTime(row.answer_by),
    credited: row.settled_paise,
  }));

interface ClaimAnswerRequest {
  claimid: string;
  answer: string;
  /** The messages of the thread that the author has seen. Undefined: not checked. */
  messages_read?: number | undefined;
}

/**
 * Locks a claim. Returns an error for an unknown one. Throws `ApiError` (conflict) if the customer
 * is erased.
 */
async function lockDeskClaim(tx: Tx, claimid: string): Promise<Outcome<DeskClaimRow, 'claim-not-found'>> {
  await lockClaimForLaundry(tx, claimid);
  const claim = await findDeskClaim(tx, claimid);
  return claim ? { data: claim } : { error: claimDeskError('claim-not-found') };
}

/**
 * Locks a claim and its order. Returns an error if its customer has written what the author has not
 * seen. Throws `ApiError` (conflict) if the customer is erased.
 */
async function lockUnchangedClaim({ tx, staff }: StaffTransaction, { claimid, messages_read: messagesRead }: ClaimAnswerRequest) {
  const { data: claim, error } = await lockDeskClaim(tx, claimid);
  if (error) return { error };
  // The order before the person, as changes of the order do, so that the two cannot deadlock.
  await lockOrder(tx, laundryOf(staff), claim.order_id);
  const isRead = messagesRead === undefined || claim.messages.slice(messagesRead).every(({ author }) => author === 'staff');
  return isRead ? { claim } : { error: claimDeskError('claim-has-reply') };
}

/**
 * Counts an answer or an assignment of a locked claim. Returns an error beyond the limit of the
 * person and the day.
 */
async function countAnswer({ tx, staff, now }: StaffTransaction, claimid: string): Promise<ErrorMessage<'too-many-answers'> | null> {
  const max = MAX_ANSWERS_PER_DAY;
  const use = { name: 'answers to a report by a person', max, windowSeconds: DAY_SECONDS, subject: `${claimid} ${staff.id}`, now };
  return (await consumeLimit(tx, use)).allowed ? null : claimDeskError('too-many-answers', { max });
}

/**
 * Adds a message of the laundry to a claim, and sends the customer a message about it. The same
 * answer again adds nothing. Throws `ApiError` (conflict) if the customer is erased.
 */
export async function answerAtDesk(
  context: StaffTransaction,
  body: ClaimAnswerRequest,
): Promise<StaffOutcome<DeskClaim, 'claim-not-found' | 'claim-has-reply' | 'too-many-answers'>> {
  const { tx, now } = context;
  const { claimid, answer } = body;
  const { error } = await lockUnchangedClaim(context, body);
  if (error) return { error };
  const { data: result, error: tooMany } = await transactionWithOutcome(tx, async () => {
    const answered = await answerClaim(tx, claimid, answer, now);
    const refused = answered.status === 'done' ? await countAnswer(context, claimid) : null;
    return refused ? { error: refused } : { data: answered };
  });
  if (tooMany) return { error: tooMany };
  // A retry without a key.
  const isRepeated = result.status === 'already-answered';
  return {
    data: await readDeskClaim(tx, claimid, now),
    audit: isRepeated ? [] : [{ action: 'answer-claim', subject: ['claim', claimid] }],
  };
}

/**
 * Sets the person who handles a claim. Null removes the person. The same person again changes
 * nothing. Returns 'claim-assigned' if another person than `person_read` handles it now. Throws
 * `ApiError` (conflict) if the customer is erased.
 */
export async function assignAtDesk(
  context: StaffTransaction,
  { claimid, person, person_read: personRead }: { claimid: string; person: string | null; person_read?: string | null | undefined },
): Promise<StaffOutcome<DeskClaim, 'claim-not-found' | 'claim-assigned' | 'unknown-claim-person' | 'too-many-answers'>> {
  const { tx, now } = context;
  const { data: claim, error } = await lockDeskClaim(tx, claimid);
  if (error) return { error };
  const before = assignedOf(claim)?.personid ?? null;
  if (personRead !== undefined && personRead !== before && person !== before) return { error: claimDeskError('claim-assigned') };
  const member = person === null ? null : await findMember(tx, person);
  if (member === undefined || (member && !mayHandle(member))) return { error: claimDeskError('unknown-claim-person') };
  if (person === before) return { data: toDeskClaim(claim, now), audit: [] };
  const tooMany = await countAnswer(context, claimid);
  if (tooMany) return { error: tooMany };
  await setAssigned(tx, claimid, person);
  // Other consoles follow the events of orders.
  await insertOrderEvent(tx, claim.order_id, { kind: 'claim-assigned', claimId: claimid, personId: person, at: now });
  return {
    data: await readDeskClaim(tx, claimid, now),
    audit: [{ action: 'assign-claim', subject: ['claim', claimid], before: { assigned_to: before }, after: { assigned_to: person } }],
  };
}

type SettlementCode =
  | 'claim-not-found'
  | 'claim-has-reply'
  | 'claim-settled'
  | 'claim-without-wallet'
  | 'impossible-compensation'
  | 'own-mobile'
  | 'over-daily-credits';

interface Settlement extends ClaimAnswerRequest {
  /** Undefined or 0: without a credit. */
  amount?: Paise | undefined;
}

/**
 * Ends a claim with an answer, which the customer reads, and credits `amount` to the wallet, within
 * the daily limit of the person. Throws `ApiError` (conflict) if the customer is erased.
 */
export async function settleAtDesk(
  limit: CreditLimit,
  context: StaffTransaction,
  body: Settlement,
): Promise<StaffOutcome<DeskClaim, SettlementCode>> {
  const { tx, staff, now } = context;
  const { claimid, answer, amount: amountPaise = asPaise(0) } = body;
  const { claim: before, error: unreadError } = await lockUnchangedClaim(context, body);
  if (unreadError) return { error: unreadError };
  if (amountPaise < 0 || amountPaise > CLAIM_CREDIT_LIMITS.max) return { error: claimDeskError('impossible-compensation') };
  const refused = amountPaise > 0 ? await checkCredit(tx, staff, { mobile: before.mobile, amountPaise }, limit, now) : null;
  if (refused) return { error: refused };
  const error = settlementError(await settleClaim(tx, { id: claimid, amountPaise, message: answer }, now));
  if (error) return { error };
  const changes = {
    before: { status: before.status },
    after: { status: 'settled', amount_paise: amountPaise },
    limitedPaise: amountPaise,
  };
  return { data: await readDeskClaim(tx, claimid, now), audit: [{ action: 'settle-claim', subject: ['claim', claimid], ...changes }] };
}

function settlementError({ status }: ClaimSettlement): ErrorMessage<'claim-not-found' | 'claim-settled' | 'claim-without-wallet'> | null {
  switch (status) {
    case 'done':
      return null;
    case 'unknown-claim':
      return claimDeskError('claim-not-found');
    case 'already-settled':
      return claimDeskError('claim-settled');
    case 'no-wallet':
      return claimDeskError('claim-without-wallet');
  }
}

async function readDeskClaim(tx: Tx, claimid: string, now: Date): Promise<DeskClaim> {
  const row = await findDeskClaim(tx, claimid);
  invariant(row, 'a claim is never removed');
  return toDeskClaim(row, now);
}
