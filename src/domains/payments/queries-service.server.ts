/** Reads the payments of an order for the customer, the result page and the laundry. */
import { kolkataDateTime } from '../../lib/dates.ts';
import { invariant } from '../../lib/invariant.ts';
import { asPaise, excessPaise, type Paise } from '../../lib/money.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { Db } from '../../db/database.server.ts';
import type { CustomerOrGuest, SignedInCustomer } from '../sessions/authentication.server.ts';
import { orderError, type Stage } from '../orders/contract.ts';
import { calculateAmounts, isCancelledStage } from '../orders/rules.ts';
import type { OrderPayments, PaymentDetails, PaymentMethod, walletPayment, WalletPayment } from './contract.ts';
import { countsAsPaid, calculateWalletPart, overpaidPaise, paidPaise, unpaidPaise } from './rules.ts';
import {
  findOrderWithPayments,
  findPaid,
  findNewestOnline,
  readPayableOrder,
  readWalletPayment,
  type ReceivedPaymentRow,
} from './store.server.ts';
import { findBegunUpi, findDismissedUpi } from './upi-store.server.ts';

/** Returns the amount that the wallet can pay or has paid of an order, or the error. */
export async function readWalletDetails(
  db: Db,
  customer: SignedInCustomer,
  orderid: string,
): Promise<Outcome<WalletPayment, keyof typeof walletPayment.errors>> {
  const { order, balancePaise, paid } = await readWalletPayment(db, customer, orderid);
  if (!order) return { error: orderError('order-not-found', { orderid }) };
  const part = calculateWalletPart(order, paid);
  if ('error' in part) return part;
  const amounts = calculateAmounts(order);
  invariant(amounts && order.weightGrams !== null, 'an order that can be paid has been weighed');
  const isPaid = 'walletPaidPaise' in part;
  const unpaid = excessPaise(amounts.final, paidPaise(paid));
  return {
    data: {
      program_name: order.programName,
      order_rate: order.orderRatePaise,
      unit: order.unit,
      offer_rate: order.offerPercent,
      total_amount: amounts.final,
      total_weight: order.weightGrams,
      wallet: balancePaise,
      walletpayment: isPaid ? part.walletPaidPaise : part.partPaise,
      left: isPaid ? unpaid : asPaise(unpaid - part.partPaise),
      returned: overpaidPaise(order, paidPaise(paid)),
      already_paid: isPaid,
    },
  };
}

interface OrderPaymentOptions {
  /** The online methods that the settings offer. */
  methods: readonly ('gateway' | 'upi')[];
  /** Fetches the status of a pending payment from the gateway, for a short time. */
  checkBriefly(tid: string): Promise<void>;
}

/** Returns the payments of an order of the caller, after a check of a pending gateway payment. */
export async function readOrderPayments(
  db: Db,
  caller: CustomerOrGuest,
  orderid: string,
  { methods, checkBriefly }: OrderPaymentOptions,
): Promise<Outcome<OrderPayments, 'order-not-found'>> {
  const readPayable = () => (caller.kind === 'customer' ? readWalletPayment(db, caller, orderid) : readPayableOrder(db, caller, orderid));
  const read = async () => ({ balancePaise: asPaise(0), ...(await readPayable()), online: await findNewestOnline(db, orderid) });
  let payments = await read();
  if (payments.order && payments.online?.state === 'pending') {
    await checkBriefly(payments.online.tid);
    payments = await read();
  }
  const { order, paid, balancePaise, online } = payments;
  if (!order) return { error: orderError('order-not-found', { orderid }) };
  const unpaid = unpaidPaise(order, paidPaise(paid));
  const walletPart = calculateWalletPart(order, paid);
  const hasWalletPart = 'partPaise' in walletPart && balancePaise > 0;
  return {
    data: {
      rest: unpaid,
      paid: paid.map((row) => ({ method: row.method, amount: row.amountPaise, paid_on: kolkataDateTime(row.receivedAt) })),
      returned: overpaidPaise(order, paidPaise(paid)),
      ways: unpaid ? [...methods] : [],
      wallet: hasWalletPart ? { balance: balancePaise, pays: walletPart.partPaise, covered: balancePaise >= walletPart.partPaise } : null,
      online: unpaid ? toUnfinishedPayment(online) : null,
      upi: toBegunUpi(await findBegunUpi(db, orderid), unpaid),
      dismissed_upi: toDismissedUpi(await findDismissedUpi(db, orderid)),
    },
  };
}

/** Returns the online payment if it is pending or failed, otherwise null. */
function toUnfinishedPayment(online: Awaited<ReturnType<typeof findNewestOnline>>): OrderPayments['online'] {
  if (online?.state !== 'pending' && online?.state !== 'failed') return null;
  return { tid: online.tid, state: online.state, amount: online.amount_paise, begun_on: kolkataDateTime(online.created_at) };
}

/** Returns null for a code that was only opened, once no amount is left to pay. */
const toBegunUpi = (begun: Awaited<ReturnType<typeof findBegunUpi>>, unpaid: Paise | null): OrderPayments['upi'] =>
  begun && (unpaid || begun.reported_at)
    ? {
        tid: begun.tid,
        amount: begun.amount_paise,
        begun_on: kolkataDateTime(begun.created_at),
        reported_at: begun.reported_at && kolkataDateTime(begun.reported_at),
      }
    : null;

const toDismissedUpi = (row: Awaited<ReturnType<typeof findDismissedUpi>>): OrderPayments['dismissed_upi'] =>
  row?.reported_at && row.settled_at
    ? {
        tid: row.tid,
        amount: row.amount_paise,
        reported_at: kolkataDateTime(row.reported_at),
        dismissed_at: kolkataDateTime(row.settled_at),
        reason: row.note ?? '',
      }
    : null;

/** For the result page. Returns undefined if the payment is unknown, not received or reversed. */
export async function readPaymentDetails(db: Db, tid: string): Promise<PaymentDetails | undefined> {
  const row = await findPaid(db, tid);
  const order = row && (await findOrderWithPayments(db, row.order_id));
  if (!order) return undefined;
  const amounts = calculateAmounts(order);
  const paid = order.recorded.map(toRecordedPayment).filter(countsAsPaid);
  invariant(amounts && row.settled_at && row.transaction_id, 'a received payment has a weighed order, a time and a transaction');
  return {
    total_amount: amounts.final,
    name: row.ship_name,
    orderid: row.order_id,
    total_items: row.items,
    total_weight: row.weight_grams,
    pg_date: kolkataDateTime(row.settled_at),
    pg_transactionid: row.transaction_id,
    pg_amount: row.amount_paise,
    is_cancelled: isCancelledStage(order.stage),
    is_paid_in_cash: paid.some(({ method }) => method === 'cash'),
    returned: overpaidPaise(order, paidPaise(paid)),
    is_held: order.isUnassigned,
  };
}

/** A payment of an order that was received, also if it was reversed later. */
export interface RecordedPayment {
  reference: string;
  method: PaymentMethod;
  amountPaise: Paise;
  receivedAt: Date;
  note: string | null;
  reversal: { at: Date; reason: string } | null;
}

/** An order with its amounts and payments, as the laundry sees it. */
export interface OrderWithPayments {
  orderid: string;
  name: string;
  /** A guest has the order, and no account has claimed it. */
  isUnassigned: boolean;
  stage: Stage;
  /** Null until the order is weighed, as the next two. */
  weightGrams: number | null;
  items: number | null;
  finalPaise: Paise | null;
  /** Null in stage `pickup`: the weight can still change. */
  unpaidPaise: Paise | null;
  payments: RecordedPayment[];
}

/** For the laundry only: reads the order of any customer. Returns undefined if there is none. */
export async function readOrderWithPayments(db: Db, orderid: string): Promise<OrderWithPayments | undefined> {
  const row = await findOrderWithPayments(db, orderid);
  if (!row) return undefined;
  const payments = row.recorded.map(toRecordedPayment);
  return {
    orderid,
    name: row.name,
    isUnassigned: row.isUnassigned,
    stage: row.stage,
    weightGrams: row.weightGrams,
    items: row.items,
    finalPaise: calculateAmounts(row)?.final ?? null,
    unpaidPaise: unpaidPaise(row, paidPaise(payments.filter(countsAsPaid))),
    payments,
  };
}

function toRecordedPayment({
  reference,
  method,
  amount_paise,
  settled_at,
  note,
  reversed_at,
  reason,
}: ReceivedPaymentRow): RecordedPayment {
  invariant(settled_at, 'a received payment has a time');
  return {
    reference,
    method,
    amountPaise: amount_paise,
    receivedAt: settled_at,
    note,
    reversal: reversed_at && { at: reversed_at, reason: reason ?? '' },
  };
}
