/** Lists of orders and payments, and the board, as the staff sees them. */
import { addSeconds } from '../../lib/clock.ts';
import { dayAfter, fromKolkataDateTime, kolkataDateTime, kolkataDay, startOfDay } from '../../lib/dates.ts';
import { normalizeMobile } from '../../lib/mobile.ts';
import { asPaise } from '../../lib/money.ts';
import type { Db } from '../../db/database.server.ts';
import { countDifferences } from '../cash/store.server.ts';
import type { Area } from '../catalogue/contract.ts';
import { countOpenClaims } from '../claims/desk-store.server.ts';
import { capacityOn, isOverbooked, type EveningPlan } from '../evenings/rules.ts';
import { listChangedPlans } from '../evenings/store.server.ts';
import type { Stage } from '../orders/contract.ts';
import type { OrderEvent } from '../orders/events-contract.ts';
import { isAwaitingPickup } from '../orders/phase-rules.ts';
import { deriveProgress } from '../orders/progress-rules.ts';
import { calculateAmounts } from '../orders/rules.ts';
import { upiAbandonedBefore } from '../payments/rules.ts';
import { toPayableOrder } from '../payments/store.server.ts';
import type { StaffMember } from '../staff/authentication.server.ts';
import { mayCall } from '../staff/desk/contract.ts';
import { fromDayCursor, toDayCursor, toPage } from '../staff/desk/paging.ts';
import { toAuditedDigits, auditSearch } from '../staff/audit-store.server.ts';
import { listOrdersWithUnexplainedBags } from './bags-store.server.ts';
import type { BegunUpi } from './desk/begun-upi.ts';
import { COLUMN_FILTERS, COLUMNS, type Board, type Column } from './desk/board-contract.ts';
import { MAX_COUNTED, ORDERS_PER_PAGE, STAGE_NAMES, type ListedOrder, type OrderPage } from './desk/contract.ts';
import { MAX_UPI_PAYMENTS, type UpiPayments } from './desk/upi-contract.ts';
import { areMobilesHidden, MAX_NOTES, riderDays, visitNote } from './desk/rules.ts';
import { countReportedUpi, listBegunUpi, listReceivedUpi, type BegunOnlineRow } from './payments-store.server.ts';
import { readFoundOrders } from './search-store.server.ts';
import * as store from './store.server.ts';
import type { ListedRow } from './store.server.ts';
import { addressOf, describeBags, riderOf, toBegunOnline, toBegunUpi, toPayment, unpaidPaiseOf } from './queries-service.server.ts';

/**
 * Returns the UPI payments that were noted on a day in Asia/Kolkata, and those of any day that wait
 * for a decision of the owner, at most `MAX_UPI_PAYMENTS` each. `total` omits reversed payments.
 */
export async function listUpiPayments(db: Db, day: string, now: Date): Promise<UpiPayments> {
  const rows = await listReceivedUpi(db, { from: startOfDay(day), until: startOfDay(dayAfter(day)) }, MAX_UPI_PAYMENTS);
  const begun = await listBegunUpi(db, { since: upiAbandonedBefore(now) }, MAX_UPI_PAYMENTS);
  const paid = rows.filter((row) => row.reversed_at === null);
  return {
    payments: rows.map((row) => Object.assign(toPayment(row), { orderid: row.order_id })),
    total: asPaise(paid.reduce((sum, { amount_paise }) => sum + amount_paise, 0)),
    begun: begun.map(toBegunUpi),
  };
}

interface ListRequest extends Omit<store.OrderFilter, 'ids' | 'isUnpaid' | 'isToReturn' | 'rider'> {
  search?: string | undefined;
  unpaid?: true | undefined;
  to_return?: true | undefined;
  cursor?: string | undefined;
}

const toStoreFilter = ({ unpaid, to_return }: Pick<ListRequest, 'unpaid' | 'to_return'>) => ({
  isUnpaid: unpaid === true,
  isToReturn: to_return === true,
});

/** The filters of the columns of the board. */
const COLUMN_STORE_FILTERS: store.StageFilters = Object.fromEntries(
  COLUMNS.map((column) => [column, toStoreFilter(COLUMN_FILTERS[column] ?? {})]),
);

/** Removes spaces and the country code from a search for a mobile number. */
const normalizeSearch = (text: string): string => (/^[\s+-]*\d[\d\s+-]*$/.test(text) ? normalizeMobile(text) : text);

/** A screen that repeats its search is in the audit once in this time. */
const SEARCH_AUDIT_SECONDS = 60 * 60;

/**
 * Returns a page of orders, and the number of orders of each stage with the other filters. Writes
 * a search for a mobile number to the audit, as a look-up of the customer, once in an hour.
 */
export async function listOrders(
  db: Db,
  { cursor, unpaid, to_return, search: typed, ...rest }: ListRequest,
  staff: StaffMember,
  now: Date,
): Promise<OrderPage> {
  const rider = staff.role === 'rider' ? riderDays(now) : undefined;
  const filter = { ...rest, ...toStoreFilter({ unpaid, to_return }), rider };
  const page = { after: fromDayCursor(cursor), limit: ORDERS_PER_PAGE + 1 };
  const search = typed === undefined ? undefined : normalizeSearch(typed);
  const { rows, counts } = search
    ? await readFoundOrders(db, { search, today: kolkataDay(now) }, filter, page)
    : { rows: await store.listDeskOrders(db, filter, page), counts: await store.readOrderCounts(db, filter, STAGE_NAMES) };
  const digits = search === undefined ? undefined : toAuditedDigits(search);
  if (digits !== undefined) {
    await auditSearch(db, staff, { digits, isKnown: rows.length > 0, since: addSeconds(now, -SEARCH_AUDIT_SECONDS) }, now);
  }
  return {
    ...toOrderPage(rows, await listChangedPlans(db, kolkataDay(now)), staff, now),
    counts,
  };
}

function toOrderPage(rows: readonly ListedRow[], plans: readonly EveningPlan[], staff: StaffMember, now: Date) {
  const { page, next } = toPage(rows, ORDERS_PER_PAGE, ({ pickup_day: day, placed_at: at, id }) => toDayCursor({ day, at, id }));
  return { orders: page.map((row) => toListedOrder(row, plans, staff, now)), next };
}

/**
 * Returns the first page and the number of orders of each column, and the counts of open claims,
 * reported UPI payments and differences of cash, which are null for a role that does not handle
 * them.
 */
export async function readBoard(
  db: Db,
  request: { day?: string | undefined; area?: Area | undefined },
  staff: StaffMember,
  now: Date,
): Promise<Board> {
  const rider = staff.role === 'rider' ? riderDays(now) : undefined;
  const filter = { ...request, rider, isUnpaid: false, isToReturn: false };
  const limit = ORDERS_PER_PAGE + 1;
  const counts = await store.readOrderCounts(db, filter, COLUMNS, COLUMN_STORE_FILTERS);
  const plans = await listChangedPlans(db, kolkataDay(now));
  const pages: [Column, BoardColumn][] = [];
  for (const stage of COLUMNS) {
    const rows = await store.listDeskOrders(db, { ...filter, ...COLUMN_STORE_FILTERS[stage], stage }, { limit });
    pages.push([stage, { ...toOrderPage(rows, plans, staff, now), count: counts[stage] ?? 0 }]);
  }
  return {
    columns: Object.fromEntries(pages) as Record<Column, BoardColumn>,
    bags_differ: rider ? [] : await listWithUnexplainedBags(db, filter, plans, staff, now),
    open_claims: mayCall(staff.role, 'staff/claims') ? await countOpenClaims(db) : null,
    reported_upi: mayCall(staff.role, 'staff/confirmupi') ? await countReportedUpi(db) : null,
    cash_differences: mayCall(staff.role, 'staff/explaincash') ? await countDifferences(db, MAX_COUNTED) : null,
  };
}

/** Returns the orders whose bags differ, of every stage. */
async function listWithUnexplainedBags(
  db: Db,
  filter: store.OrderFilter,
  plans: readonly EveningPlan[],
  staff: StaffMember,
  now: Date,
): Promise<ListedOrder[]> {
  const ids = await listOrdersWithUnexplainedBags(db);
  if (ids.length === 0) return [];
  const rows = await store.listDeskOrders(db, { ...filter, ids }, { limit: ORDERS_PER_PAGE });
  return rows.map((row) => toListedOrder(row, plans, staff, now));
}

type BoardColumn = ReturnType<typeof toOrderPage> & { count: number };

/**
 * Returns why the evening of a pickup does not accept the order any more: the plan has changed
 * since the order was placed. Null without a problem, for a past day, and after the weighing.
 */
function eveningProblem(
  { stage, weight_grams: weight, area, pickup_day: day }: ListedRow,
  plans: readonly EveningPlan[],
  now: Date,
): ListedOrder['evening'] {
  const plan = plans.find((row) => row.area === area);
  if (!isAwaitingPickup(stage, weight) || !plan || day < kolkataDay(now)) return null;
  if (capacityOn(plan, day) === 0) return 'closed';
  return isOverbooked(plan, day) ? 'overbooked' : null;
}

function reportedUpi(row: ListedRow): BegunUpi | null {
  const { id: orderid, upi_reference: reference, upi_paise: paise, upi_begun_at: begunAt, upi_reported_at: reportedAt } = row;
  if (reference === null || paise === null || begunAt === null) return null;
  return {
    orderid,
    reference,
    amount: asPaise(paise),
    begun_at: kolkataDateTime(begunAt),
    reported_at: reportedAt && kolkataDateTime(reportedAt),
    left_to_pay: unpaidPaiseOf(row) ?? asPaise(0),
  };
}

const listedOnline = ({ online_paise: paise, online_begun_at: begunAt }: ListedRow): BegunOnlineRow | undefined =>
  paise === null || begunAt === null ? undefined : { amount_paise: paise, created_at: begunAt };

/** The note of a delivery is of no use at the next visit. */
const isDelivery = ({ kind, stage }: Pick<OrderEvent, 'kind' | 'stage'>): boolean =>
  kind === 'moved' && stage === ('delivered' satisfies Stage);

function toListedOrder(row: ListedRow, plans: readonly EveningPlan[], staff: StaffMember, now: Date): ListedOrder {
  const { stages, delivered_date: delivered, to_return, attempt, delivery_date, back_by, due_at } = deriveProgress(row, row.events);
  const notes = row.events.flatMap((event) => (isDelivery(event) ? [] : (visitNote(event) ?? [])));
  const delivery = { stage: row.stage, to_return, deliveredAt: delivered === null ? null : fromKolkataDateTime(delivered) };
  return {
    orderid: row.id,
    version: row.version,
    stage: row.stage,
    entered_at: stages.at(-1)?.entered_at ?? kolkataDateTime(row.placed_at),
    to_return,
    attempt,
    delivery_date,
    back_by,
    due_at,
    ...addressOf(row),
    mobile: staff.role === 'rider' && areMobilesHidden(delivery, now) ? null : row.ship_mobile,
    area: row.area,
    program_name: row.program_name,
    program_rate: row.rate_paise,
    offer_rate: row.offer_percent,
    pickup_date: row.pickup_day,
    timeslot: row.timeslot,
    evening: eveningProblem(row, plans, now),
    weight: row.weight_grams,
    items: row.items,
    ...describeBags(row, row.events, staff),
    total_amount: calculateAmounts(toPayableOrder(row))?.final ?? null,
    left_to_pay: unpaidPaiseOf(row),
    reported_upi: reportedUpi(row),
    begun_online: toBegunOnline(row, listedOnline(row)),
    rider: riderOf(row),
    note: notes.at(-1) ?? null,
    notes: notes.slice(-MAX_NOTES),
    wrong_codes: row.wrong_codes,
  };
}
