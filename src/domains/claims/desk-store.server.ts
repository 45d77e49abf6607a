/** Reads the claims of all customers. Callers are authenticated by `requireStaff`. */
import { sql } from 'kysely';
import type { Paise } from '../../lib/money.ts';
import type { Db, Tx } from '../../db/database.server.ts';
import { selectCustomerContacts } from '../accounts/store.server.ts';
import { selectOrdersForPayments } from '../orders/store.server.ts';
import { memberNameSql } from '../staff/store.server.ts';
import type { TimePosition } from '../staff/desk/paging.ts';
import type { ClaimKind, ClaimStatus } from './contract.ts';
import { MAX_COUNTED_CLAIMS } from './desk/contract.ts';
import { selectClaims, type ClaimRow } from './store.server.ts';

/**
 * The query of `selectClaims` with the assigned person, the price of the order, and the customer of
 * the order, who may not be the reporter.
 */
const selectDeskClaims = (db: Db) =>
  selectClaims(db)
    .innerJoin(selectOrdersForPayments(db).as('placed'), 'placed.id', 'claims.order_id')
    // The customer whom a settlement credits. A guest may have reported with another number.
    .innerJoin(selectCustomerContacts(db).as('customer'), 'customer.id', 'placed.customer_id')
    .select(['claims.assigned_to', memberNameSql(sql.ref('claims.assigned_to')).as('assigned_name')])
    .select(['customer.name', 'customer.mobile', 'customer.is_guest', 'placed.is_unassigned'])
    .select(['placed.rate_paise', 'placed.offer_percent', 'placed.weight_grams']);

export interface DeskClaimRow extends ClaimRow {
  assigned_to: string | null;
  /** Null if no person is assigned, or if the person was removed. */
  assigned_name: string | null;
  name: string | null;
  mobile: string;
  is_guest: boolean;
  is_unassigned: boolean;
  rate_paise: Paise;
  offer_percent: number;
  weight_grams: number | null;
}

/** Returns undefined for an unknown claim. */
export const findDeskClaim = (db: Db, claimId: string): Promise<DeskClaimRow | undefined> =>
  selectDeskClaims(db).where('claims.id', '=', claimId).executeTakeFirst();

export interface ClaimFilter {
  claimid?: string | undefined;
  orderid?: string | undefined;
  /** Undefined: any status of the named claim or order, otherwise those that are not settled. */
  status?: ClaimStatus | undefined;
  kind?: ClaimKind | undefined;
  /** The id of the person who handles them. */
  assignedTo?: string | undefined;
}

const SETTLED = 'settled' satisfies ClaimStatus;

/**
 * Returns the claims that match the filter. With the status 'settled' they are sorted by the time
 * of their settlement, latest first, otherwise by their deadline, earliest first. `after` is the
 * position of the previous claim in that order. Statuses are literals in the SQL text, so that
 * partial indexes match.
 */
export function listDeskClaims(
  db: Db,
  filter: ClaimFilter,
  { after, limit }: { after?: TimePosition | undefined; limit: number },
): Promise<DeskClaimRow[]> {
  const { claimid, orderid, status, kind, assignedTo } = filter;
  const isSettled = status === SETTLED;
  const isAnyStatus = status === undefined && (claimid ?? orderid) !== undefined;
  const [time, direction] = isSettled ? (['claims.settled_at', 'desc'] as const) : (['claims.answer_by', 'asc'] as const);
  const comparison = isSettled ? sql`<` : sql`>`;
  return selectDeskClaims(db)
    .$if(status !== undefined, (query) => query.where(sql<boolean>`claims.status = ${sql.lit(status!)}`))
    .$if(!isSettled && !isAnyStatus, (query) => query.where(sql<boolean>`claims.status <> ${sql.lit(SETTLED)}`))
    .$if(claimid !== undefined, (query) => query.where('claims.id', '=', claimid!))
    .$if(orderid !== undefined, (query) => query.where('claims.order_id', '=', orderid!))
    .$if(kind !== undefined, (query) => query.where('claims.kind', '=', kind!))
    .$if(assignedTo !== undefined, (query) => query.where('claims.assigned_to', '=', assignedTo!))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${sql.ref(time)}, claims.id) ${comparison} (${after!.at}, ${after!.id})`),
    )
    .orderBy(time, direction)
    .orderBy('claims.id', direction)
    .limit(limit)
    .execute();
}

/** Returns the newest claims of an order, without their threads. */
export const listClaimsOfOrder = (db: Db, orderid: string, limit: number) =>
  db
    .selectFrom('claims')
    .select(['id', 'kind', 'status', 'answer_by', 'settled_paise'])
    .where('order_id', '=', orderid)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export const setAssigned = (tx: Tx, claimId: string, assignedTo: string | null) =>
  tx.updateTable('claims').set({ assigned_to: assignedTo }).where('id', '=', claimId).execute();

const countSql = (status: ClaimStatus) => sql`(select count(*) from (
  select from claims where status = ${sql.lit(status)} limit ${sql.lit(MAX_COUNTED_CLAIMS)}) counted)::integer`;

/** Returns the number of claims of each status, each at most `MAX_COUNTED_CLAIMS`. */
export async function readClaimCounts(db: Db): Promise<Record<ClaimStatus, number>> {
  const { rows } = await sql<Record<ClaimStatus, number>>`
    select ${countSql('open')} as open, ${countSql('answered')} as answered, ${countSql('settled')} as settled`.execute(db);
  return rows[0]!;
}

/** Returns the number of claims without an answer, at most `MAX_COUNTED_CLAIMS`. */
export async function countOpenClaims(db: Db): Promise<number> {
  const { rows } = await sql<{ open: number }>`select ${countSql('open')} as open`.execute(db);
  return rows[0]!.open;
}

/**
 * Returns the number of claims of each kind that were created since a time, and the sum of their
 * credits. A kind without a claim has no row.
 */
export const listClaimTotals = (db: Db, since: Date) =>
  db
    .selectFrom('claims')
    .select([
      'kind',
      sql<number>`count(*)::integer`.as('claims'),
      sql<number>`coalesce(sum(settled_paise), 0)::bigint`.as('credited_paise'),
    ])
    .where('created_at', '>=', since)
    .groupBy('kind')
    .execute();
