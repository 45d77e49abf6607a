/** An order as the staff sees it. */
import { DAY_SECONDS, addSeconds } from '../../lib/clock.ts';
import { fromKolkataDateTime, kolkataDateTime } from '../../lib/dates.ts';
import { asPaise, type Paise } from '../../lib/money.ts';
import type { Db } from '../../db/database.server.ts';
import { isErased } from '../accounts/store.server.ts';
import { readClaimsOfOrder } from '../claims/desk-service.server.ts';
import type { ClaimOfOrder } from '../claims/desk/contract.ts';
import { kindOfEvent } from '../notifications/rules.ts';
import { ORDER_EVENTS, type OrderEvent } from '../orders/events-contract.ts';
import { undoSecondsLeft } from '../orders/rules.ts';
import { toOrderFields } from '../orders/service.server.ts';
import { findReviewOfOrder } from '../reviews/store.server.ts';
import { unpaidPaise, upiAbandonedBefore } from '../payments/rules.ts';
import { toPayableOrder } from '../payments/store.server.ts';
import type { StaffMember } from '../staff/authentication.server.ts';
import { mayCall } from '../staff/desk/contract.ts';
import { listNames } from '../staff/store.server.ts';
import type { BegunOnline } from './desk/begun-online.ts';
import type { BegunUpi } from './desk/begun-upi.ts';
import { differingCount, hasCountedOwn, type BagsEvent } from './desk/bags-rules.ts';
import type { bagsShape } from './desk/bags-shape.ts';
import { MAX_WRONG_CODES, type DeskOrder, type DeskPayment, type HistoryEntry, type ListedOrder } from './desk/contract.ts';
import { areMobilesHidden, doClocksDiffer, lastMove, MAX_NOTES, riderDays, visitNote } from './desk/rules.ts';
import { listOrderPhotos } from './photos-store.server.ts';
import {
  findBegunOnline,
  findDismissedDeskUpi,
  findPayment,
  listBegunUpi,
  listPayments,
  type BegunUpiRow,
  type DismissedUpiRow,
  type PaymentRow,
  type BegunOnlineRow,
} from './payments-store.server.ts';
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
  return row && (await maySee(db, orderid, staff, now)) ? readDeskOrderDetails(db, row, staff, now) : undefined;
}

/** Returns the order of a change or of a payment, as `readDeskOrder`. */
export async function readChangedOrder(
  db: Db,
  { orderid, tid }: { orderid?: string; tid?: string },
  staff: StaffMember,
  now: Date,
): Promise<DeskOrder | undefined> {
  const id = orderid ?? (tid === undefined ? undefined : (await findPayment(db, tid))?.order_id);
  return id === undefined ? undefined : readDeskOrder(db, id, staff, now);
}

/** Returns an order with its history and payments. Does not check whether the caller may see it. */
export async function readDeskOrderDetails(db: Db, row: DeskOrderRow, staff: StaffMember, now: Date): Promise<DeskOrder> {
  const [history, payments] = [await store.listHistory(db, row.id), await listPayments(db, row.id)];
  const photos = await listOrderPhotos(db, row.id);
  const [begunUpi] = await listBegunUpi(db, { orderid: row.id, since: upiAbandonedBefore(now) }, 1);
  const begunOnline = await findBegunOnline(db, row.id);
  const dismissedUpi = await findDismissedDeskUpi(db, row.id);
  const isCustomerErased = await isErased(db, row.customer_id);
  const stars = (await findReviewOfOrder(db, row.id))?.star ?? null;
  const claims = mayCall(staff.role, 'staff/claims') ? await readClaimsOfOrder(db, row.id) : null;
  const riderIds = history.flatMap((event) => (event.kind === 'assigned' && event.riderId !== null ? event.riderId : []));
  const named = new Set([...riderIds, ...photos.map(({ staff_id }) => staff_id)]);
  const names = new Map((await listNames(db, [...named])).map(({ id, name }) => [id, name]));
  const parts = { history, payments, begunUpi, begunOnline, dismissedUpi, photos, stars, claims, names, isErased: isCustomerErased };
  return toDeskOrder(row, parts, staff, now);
}

export const addressOf = (row: DeskOrderRow): Pick<ListedOrder, 'name' | 'address1' | 'address2' | 'landmark'> => ({
  name: row.ship_name,
  address1: row.ship_address1,
  address2: row.ship_address2,
  landmark: row.ship_landmark,
});

/** Returns null until the amount is due. */
export const unpaidPaiseOf = (row: DeskOrderRow): Paise | null => unpaidPaise(toPayableOrder(row), row.received_paise);

export const riderOf = ({ rider_id: personid, rider_name: name }: DeskOrderRow): ListedOrder['rider'] =>
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
  /** The customer is erased. */
  isErased: boolean;
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
    customer: { name: row.customer_name, mobile: row.customer_mobile, is_guest: row.is_guest, is_erased: parts.isErased },
    payments: payments.map(toPayment),
    begun_upi: begunUpi ? toBegunUpi(begunUpi) : null,
    begun_online: toBegunOnline(row, begunOnline),
    dismissed_upi: dismissedUpi
      ? { ...toBegunUpi(dismissedUpi), dismissed_at: kolkataDateTime(dismissedUpi.dismissed_at), reason: dismissedUpi.reason }
      : null,
    history: entries,
    notes: distinctNotes(notesOf(history)).slice(-MAX_NOTES),
    ...describeBags(row, history, staff),
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
  return withoutHiddenMobiles(order, staff, now);
}

/** Replaces the mobiles by null for a rider if `areMobilesHidden` returns true. */
export function withoutHiddenMobiles(order: DeskOrder, { role }: StaffMember, now: Date): DeskOrder {
  const { washing_stage: stage, to_return, delivered_date: delivered, customer } = order;
  const deliveredAt = delivered === null ? null : fromKolkataDateTime(delivered);
  if (role !== 'rider' || !areMobilesHidden({ stage, to_return, deliveredAt }, now)) return order;
  return { ...order, mobile: null, customer: { ...customer, mobile: null } };
}

export const toPayment = (row: PaymentRow): DeskPayment => ({
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
  cash: row.kind === 'payment-reversed' ? (row.cash ?? null) : null,
  bags: row.counted_bags,
  rider: row.kind === 'assigned' && row.riderId !== null ? (names.get(row.riderId) ?? null) : null,
});

function amountOf(row: HistoryRow): Paise | null {
  if (row.payment_paise !== null) return row.payment_paise;
  if (row.kind === 'refunded' || row.kind === 'refund-reversed' || row.kind === 'payment-dismissed') return asPaise(row.amountPaise);
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

export const toBegunUpi = ({ order_id, amount_paise, reference, created_at, reported_at, uncovered_paise }: BegunUpiRow): BegunUpi => ({
  orderid: order_id,
  amount: amount_paise,
  reference,
  begun_at: kolkataDateTime(created_at),
  reported_at: reported_at && kolkataDateTime(reported_at),
  left_to_pay: uncovered_paise,
});

/** Leaves out the notes of further events of one change. */
const distinctNotes = <Note extends { note: string; at: string }>(notes: readonly Note[]): Note[] =>
  notes.filter((one, index) => notes.findIndex(({ note, at }) => note === one.note && at === one.at) === index);

/**
 * Returns the notes for the visits, the oldest first. The reasons of changes are in the history.
 */
const notesOf = (history: readonly HistoryRow[]): DeskOrder['notes'] =>
  history.flatMap((row) => {
    const note = visitNote(row);
    return note === null ? [] : { note, at: kolkataDateTime(row.at), by: authorOf(row) };
  });

/** Returns the bags of an order, for a person who reads it. */
export function describeBags(
  { bags }: Pick<DeskOrderRow, 'bags'>,
  events: readonly BagsEvent[],
  staff: StaffMember,
): Pick<DeskOrder, keyof typeof bagsShape> {
  const differing = differingCount(bags, events);
  return {
    bags,
    counted_bags: differing ?? events.findLast(({ counted_bags: counted }) => counted !== null)?.counted_bags ?? null,
    bags_differ: differing !== null,
    may_explain_bags: differing !== null && !hasCountedOwn(staff, events),
  };
}

/** With nothing left to pay it matters no more: what arrives goes to the wallet. */
export const toBegunOnline = (order: DeskOrderRow | ListedRow, begun: BegunOnlineRow | undefined): BegunOnline | null =>
  begun && unpaidPaiseOf(order) ? { amount: begun.amount_paise, begun_at: kolkataDateTime(begun.created_at) } : null;
