/** Orders as the staff sees them. */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { dayAfter, fromKolkataDateTime, kolkataDateTime, kolkataDay, startOfDay } from '../../lib/dates.ts';
import { normalizeMobile } from '../../lib/mobile.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Db } from '../../db/database.server.ts';
import type { Area } from '../catalogue/contract.ts';
import { readClaimsOfOrder } from '../claims/desk-service.server.ts';
import { countOpenClaims } from '../claims/desk-store.server.ts';
import type { ClaimOfOrder } from '../claims/desk/contract.ts';
import { capacityOn, isOverbooked, type EveningPlan } from '../evenings/rules.ts';
import { listChangedPlans } from '../evenings/store.server.ts';
import { kindOfEvent } from '../notifications/rules.ts';
import { STAGES } from '../orders/contract.ts';
import { ORDER_EVENTS, type OrderEvent } from '../orders/events-contract.ts';
import { isAwaitingPickup } from '../orders/phase-rules.ts';
import { deriveProgress } from '../orders/progress-rules.ts';
import { calculateAmounts, undoSecondsLeft } from '../orders/rules.ts';
import { toOrderFields } from '../orders/service.server.ts';
import { findReviewOfOrder } from '../reviews/store.server.ts';
import { unpaidPaise, upiAbandonedBefore } from '../payments/rules.ts';
import { toPayableOrder } from '../payments/store.server.ts';
import type { StaffMember } from '../staff/authentication.server.ts';
import { mayCall } from '../staff/desk/contract.ts';
import { fromDayCursor, toDayCursor, toPage } from '../staff/desk/paging.ts';
import { toAuditedDigits, auditSearch } from '../staff/audit-store.server.ts';
import { listNames } from '../staff/store.server.ts';
import type { BegunOnline } from './desk/begun-online.ts';
import type { BegunUpi } from './desk/begun-upi.ts';
import { COLUMN_FILTERS, COLUMNS, type Board, type Column } from './desk/board-contract.ts';
import {
  MAX_WRONG_CODES,
  ORDERS_PER_PAGE,
  type DeskOrder,
  type DeskPayment,
  type HistoryEntry,
  type ListedOrder,
  type OrderPage,
} from './desk/contract.ts';
import { MAX_UPI_PAYMENTS, type UpiPayments } from './desk/upi-contract.ts';
import { areNumbersHidden, doClocksDiffer, lastMove, riderDays } from './desk/rules.ts';
import { listOrderPhotos } from './photos-store.server.ts';
import {
  findBegunOnline,
  countReportedUpi,
  findDismissedUpi,
  listBegunUpi,
  listPayments,
  listReceivedUpi,
  type BegunUpiRow,
  type DismissedUpiRow,
  type PaymentRow,
  type BegunOnlineRow,
} from './payments-store.server.ts';
import { readFoundOrders } from './search-store.server.ts';
import * as store from './store.server.ts';
import type { DeskOrderRow, HistoryRow, ListedRow } from './store.server.ts';

/**
 * Returns true for an owner or operator, also for an unknown order. Returns true for a rider if the
 * order is a pickup or delivery of these days, is overdue, has to be returned, or was changed by
 * this rider in the last day: cash is noted after a late delivery.
 */
export const maySee = async (db: Db, orderid: string, { id, role }: StaffMember, now: Date): Promise<boolean> =>
  role !== 'rider' || store.isSeenBy(db, orderid, riderDays(now), { staffId: id, since: addSeconds(now, -DAY_SECONDS) });

/** Returns undefined for an unknown order, and for one that the caller may not see. */
export async function readDeskOrder(db: Db, orderid: string, staff: StaffMember, now: Date): Promise<DeskOrder | undefined> {
  const row = await store.findDeskOrder(db, orderid);
  return row && (await maySee(db, orderid, staff, now)) ? describeDeskOrder(db, row, staff, now) : undefined;
}

/** Returns an order with its history and payments. Does not check whether the caller may see it. */
export async function describeDeskOrder(db: Db, row: DeskOrderRow, staff: StaffMember, now: Date): Promise<DeskOrder> {
  const [history, payments] = [await store.listHistory(db, row.id), await listPayments(db, row.id)];
  const photos = await listOrderPhotos(db, row.id);
  const [begunUpi] = await listBegunUpi(db, { orderid: row.id, since: upiAbandonedBefore(now) }, 1);
  const begunOnline = await findBegunOnline(db, row.id);
  const dismissedUpi = await findDismissedUpi(db, row.id);
  const stars = (await findReviewOfOrder(db, row.id))?.star ?? null;
  const claims = mayCall(staff.role, 'staff/claims') ? await readClaimsOfOrder(db, row.id) : null;
  const riderIds = history.flatMap((event) => (event.kind === 'assigned' && event.riderId !== null ? event.riderId : []));
  const named = new Set([...riderIds, ...photos.map(({ staff_id }) => staff_id)]);
  const names = new Map((await listNames(db, [...named])).map(({ id, name }) => [id, name]));
  return toDeskOrder(row, { history, payments, begunUpi, begunOnline, dismissedUpi, photos, stars, claims, names }, staff, now);
}

const addressOf = (row: DeskOrderRow) => ({
  name: row.ship_name,
  address1: row.ship_address1,
  address2: row.ship_address2,
  landmark: row.ship_landmark,
});

/** Returns null until the amount is due. */
export const unpaidPaiseOf = (row: DeskOrderRow): Paise | null => unpaidPaise(toPayableOrder(row), row.received_paise);

const riderOf = ({ rider_id: personid, rider_name: name }: DeskOrderRow) =>
  personid === null || name === null ? null : { personid, name };

type OrderPhotoRow = Awaited<ReturnType<typeof listOrderPhotos>>[number];

interface Parts {
  history: HistoryRow[];
  payments: PaymentRow[];
  begunUpi: BegunUpiRow | undefined;
  begunOnline: BegunOnlineRow | undefined;
  dismissedUpi: DismissedUpiRow | undefined;
  photos: OrderPhotoRow[];
  stars: number | null;
  claims: ClaimOfOrder[] | null;
  /** The names of the people whom the order was given to, and of photographers. */
  names: ReadonlyMap<string, string>;
}

function toDeskOrder(row: DeskOrderRow, parts: Parts, staff: StaffMember, now: Date): DeskOrder {
  const { history, payments, begunUpi, begunOnline, dismissedUpi, photos, stars, claims, names } = parts;
  const move = lastMove(history);
  const entries = history.map((event) => toHistoryEntry(event, names));
  const order: DeskOrder = {
    ...toOrderFields(row, history),
    undo_seconds: move?.staff_id === staff.id ? undoSecondsLeft(move.at, now) : null,
    undo_message: move?.staff_id === staff.id ? kindOfEvent(move) : null,
    detergent: row.detergent,
    conditioner: row.conditioner,
    iron: row.iron,
    left_to_pay: unpaidPaiseOf(row),
    customer: { name: row.customer_name, mobile: row.customer_mobile, is_guest: row.is_guest },
    payments: payments.map(toPayment),
    begun_upi: begunUpi ? toBegunUpi(begunUpi) : null,
    begun_online: toBegunOnline(row, begunOnline),
    dismissed_upi: dismissedUpi
      ? { ...toBegunUpi(dismissedUpi), dismissed_at: kolkataDateTime(dismissedUpi.dismissed_at), reason: dismissedUpi.reason }
      : null,
    history: entries,
    notes: distinctNotes(entries.flatMap(({ note, at, by }) => (note === null ? [] : { note, at, by }))),
    bags: row.bags,
    counted_bags: bagsCountedLast(history),
    photos: photos.map(({ id: photoid, kind, created_at: at, device_at: deviceAt, staff_id: by }) => ({
      photoid,
      kind,
      at: kolkataDateTime(at),
      device_at: deviceAt && kolkataDateTime(deviceAt),
      clocks_differ: doClocksDiffer(deviceAt, at),
      by: names.get(by) ?? '',
    })),
    claims,
    stars,
    rider: riderOf(row),
    code_tries_left: Math.max(0, MAX_WRONG_CODES - row.wrong_codes),
  };
  return withoutHiddenNumbers(order, staff, now);
}

/** Replaces the mobiles by null for a rider if `areNumbersHidden` returns true. */
export function withoutHiddenNumbers(order: DeskOrder, { role }: StaffMember, now: Date): DeskOrder {
  const { washing_stage: stage, to_return, delivered_date: delivered, customer } = order;
  const deliveredAt = delivered === null ? null : fromKolkataDateTime(delivered);
  if (role !== 'rider' || !areNumbersHidden({ stage, to_return, deliveredAt }, now)) return order;
  return { ...order, mobile: null, customer: { ...customer, mobile: null } };
}

const toPayment = (row: PaymentRow): DeskPayment => ({
  tid: row.tid,
  method: row.method,
  amount: row.amount_paise,
  received_at: kolkataDateTime(row.settled_at),
  received_by: row.received_by,
  note: row.note,
  reversal: row.reversed_at && { at: kolkataDateTime(row.reversed_at), reason: row.reversal_reason ?? '' },
});

const toHistoryEntry = (row: HistoryRow, names: Parts['names']): HistoryEntry => ({
  version: row.id,
  kind: row.kind === 'unknown' ? row.name : row.kind,
  stage: row.stage,
  at: kolkataDateTime(row.at),
  device_at: row.device_at && kolkataDateTime(row.device_at),
  clocks_differ: doClocksDiffer(row.device_at, row.at),
  by: authorOf(row),
  note: row.note,
  weight: row.kind === 'weighed' ? row.weightGrams : null,
  items: row.kind === 'weighed' ? row.items : null,
  amount: amountOf(row),
  method: row.payment_method,
  pickup_date: dayOf(row),
  why: row.kind === 'attempted' ? row.why : null,
  bags: row.counted_bags,
  rider: row.kind === 'assigned' && row.riderId !== null ? (names.get(row.riderId) ?? null) : null,
});

function amountOf(row: HistoryRow): Paise | null {
  if (row.payment_paise !== null) return row.payment_paise;
  if (row.kind === 'refunded' || row.kind === 'payment-dismissed') return asPaise(row.amountPaise);
  return row.kind === 'cancelled' ? asPaise(row.refundPaise) : null;
}

function dayOf(event: OrderEvent): string | null {
  if (event.kind === 'rescheduled') return event.pickupDay;
  return event.kind === 'delivery-chosen' ? event.deliveryDay : null;
}

function authorOf(row: HistoryRow): HistoryEntry['by'] {
  if (row.staff_id !== null) return { kind: 'staff', name: row.staff_name };
  const isPaidOnline = row.payment_method === 'wallet' || row.payment_method === 'gateway';
  const isByCustomer = ORDER_EVENTS[row.kind].isByCustomer || ('by' in row && row.by === 'customer') || isPaidOnline;
  return { kind: isByCustomer ? 'customer' : 'laundry', name: null };
}

const toBegunUpi = ({ order_id, amount_paise, reference, created_at, reported_at, unpaid_paise }: BegunUpiRow): BegunUpi => ({
  orderid: order_id,
  amount: amount_paise,
  reference,
  begun_at: kolkataDateTime(created_at),
  reported_at: reported_at && kolkataDateTime(reported_at),
  left_to_pay: unpaid_paise,
});

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

const ALL_STAGES = STAGES.map(({ stage }) => stage);

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

/** Leaves out the notes of further events of one change, such as the refund of a correction. */
const distinctNotes = <Note extends { note: string; at: string }>(notes: readonly Note[]): Note[] =>
  notes.filter((one, index) => notes.findIndex(({ note, at }) => note === one.note && at === one.at) === index);

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
    ? await readFoundOrders(db, search, filter, page)
    : { rows: await store.listDeskOrders(db, filter, page), counts: await store.readOrderCounts(db, filter, ALL_STAGES) };
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
  const { page, next } = toPage(rows, ORDERS_PER_PAGE, ({ pickup_day: day, id }) => toDayCursor({ day, id }));
  return { orders: page.map((row) => toListedOrder(row, plans, staff, now)), next };
}

/**
 * Returns the first page and the number of orders of each column, and the counts of open claims and
 * reported UPI payments, which are null for a role that does not handle them.
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
    open_claims: mayCall(staff.role, 'staff/claims') ? await countOpenClaims(db) : null,
    reported_upi: mayCall(staff.role, 'staff/confirmupi') ? await countReportedUpi(db) : null,
  };
}

type BoardColumn = ReturnType<typeof toOrderPage> & { count: number };

/** Returns the bags that were counted last, at the pickup or later, or null. */
const bagsCountedLast = (events: readonly Pick<HistoryRow, 'counted_bags'>[]): number | null =>
  events.findLast(({ counted_bags: bags }) => bags !== null)?.counted_bags ?? null;

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

/** With nothing left to pay it matters no more: what arrives goes to the wallet. */
const toBegunOnline = (order: DeskOrderRow | ListedRow, begun: BegunOnlineRow | undefined): BegunOnline | null =>
  begun && unpaidPaiseOf(order) ? { amount: begun.amount_paise, begun_at: kolkataDateTime(begun.created_at) } : null;

function toListedOrder(row: ListedRow, plans: readonly EveningPlan[], staff: StaffMember, now: Date): ListedOrder {
  const { stages, delivered_date: delivered, to_return, attempt, delivery_date, back_by, due_at } = deriveProgress(row, row.events);
  const notes = row.events.flatMap(({ note }) => note ?? []);
  const numbers = { stage: row.stage, to_return, deliveredAt: delivered === null ? null : fromKolkataDateTime(delivered) };
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
    mobile: staff.role === 'rider' && areNumbersHidden(numbers, now) ? null : row.ship_mobile,
    area: row.area,
    program_name: row.program_name,
    program_rate: row.rate_paise,
    offer_rate: row.offer_percent,
    pickup_date: row.pickup_day,
    timeslot: row.timeslot,
    evening: eveningProblem(row, plans, now),
    weight: row.weight_grams,
    items: row.items,
    bags: row.bags,
    counted_bags: bagsCountedLast(row.events),
    total_amount: calculateAmounts(toPayableOrder(row))?.final ?? null,
    left_to_pay: unpaidPaiseOf(row),
    reported_upi: reportedUpi(row),
    begun_online: toBegunOnline(row, listedOnline(row)),
    rider: riderOf(row),
    note: notes.at(-1) ?? null,
    notes,
    wrong_codes: row.wrong_codes,
  };
}
