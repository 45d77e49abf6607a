/**
 * One order of a sample person from its placement to its review. Nothing happens after the present,
 * so that the newest orders are open.
 */
import { addSeconds, DAY_SECONDS } from '../../src/lib/clock.ts';
import { fromKolkataDateTime, kolkataDateTime } from '../../src/lib/dates.ts';
import { invariant } from '../../src/lib/invariant.ts';
import { asPaise, type Paise } from '../../src/lib/money.ts';
import { ledgerReference } from '../../src/domains/wallet/reference-rules.ts';
import { CLAIM_KINDS } from '../../src/domains/claims/contract.ts';
import { answerBy } from '../../src/domains/claims/rules.ts';
import { WITHOUT_LIMITS, offeredEvenings } from '../../src/domains/evenings/rules.ts';
import { activeOffer, type ActiveOffer } from '../../src/domains/offers/rules.ts';
import { TIMESLOT, type OrderParty, type Stage } from '../../src/domains/orders/contract.ts';
import { choicesOf } from '../../src/domains/orders/choices-contract.ts';
import type { NewOrderEvent } from '../../src/domains/orders/events-contract.ts';
import { toEventRow } from '../../src/domains/orders/events-store.server.ts';
import { backBy } from '../../src/domains/orders/visit-rules.ts';
import { calculateAmounts, canBeWeighed, mayCancel } from '../../src/domains/orders/rules.ts';
import { checkOrderRequest, type OfferedProgram, type OrderQuote } from '../../src/domains/orders/placing-rules.ts';
import type { PaymentMethod } from '../../src/domains/payments/contract.ts';
import { calculateWalletPart, overpaidPaise, paidPaise, unpaidPaise, type PaidAmount } from '../../src/domains/payments/rules.ts';
import type { AddRow } from './copy-rows.ts';
import type { Draws } from './draws.ts';
import { sampleReview } from './people.ts';
import { post, type Person } from './sample-person.ts';

export interface SampleProgram extends OfferedProgram {
  id: string;
  name: string;
  unit: string;
}

export interface Living {
  draws: Draws;
  add: AddRow;
  programs: readonly SampleProgram[];
  /** The present. */
  until: Date;
}

interface Order extends Living {
  id: string;
  person: Person;
  program: SampleProgram;
  quote: OrderQuote;
  offer: ActiveOffer | null;
  placedAt: Date;
  pickupDay: string;
  stage: Stage;
  weighed: { grams: number; items: number } | null;
  cancelled: { at: Date; by: OrderParty; from: 'pickup' | 'queue' } | null;
  returnedAt: Date | null;
  /** Without reversed payments. */
  paid: PaidAmount[];
  /** The time of the latest change. */
  changedAt: Date;
}

const HOUR = 60 * 60;

/** Adds the rows of an order. Returns the time of the last thing that happened. */
export function liveOrder(living: Living, person: Person, placedAt: Date): Date {
  const order = placeOrder(living, person, placedAt);
  followOrder(order);
  addOrder(order);
  return order.changedAt;
}

function placeOrder(living: Living, person: Person, placedAt: Date): Order {
  const { draws, programs } = living;
  const program = draws.pick(programs);
  const offer = activeOffer(person.offers, placedAt);
  const rate = program.surcharges.find(({ area }) => area === person.area);
  invariant(rate, 'every program has a rate in every area');
  const programrate = asPaise(program.baseRatePaise + rate.surchargePaise);
  const amounts = calculateAmounts({ ratePaise: programrate, offerPercent: offer?.percent ?? 0, weightGrams: 1000 });
  invariant(amounts, 'a kilogram has an amount');
  const check = checkOrderRequest(
    {
      program: program.id,
      timeslot: TIMESLOT,
      area: person.area,
      programrate,
      orderrate: amounts.final,
      offerid: offer?.id ?? null,
      offerrate: offer?.percent ?? 0,
      ...choicesOf(program.id),
    },
    { program, offer, addressArea: person.area, evenings: { manesar: WITHOUT_LIMITS, vatika: WITHOUT_LIMITS } },
    placedAt,
  );
  invariant('quote' in check, 'the sample order was accepted');
  const order: Order = {
    ...living,
    id: draws.id(12),
    person,
    program,
    quote: check.quote,
    offer,
    placedAt,
    pickupDay: check.quote.pickupDay,
    stage: 'pickup',
    weighed: null,
    cancelled: null,
    returnedAt: null,
    paid: [],
    changedAt: placedAt,
  };
  addEvent(order, { kind: 'placed', at: placedAt });
  const key = { customer_id: person.id, key: draws.id(20), body_hash: draws.bytes() };
  living.add('idempotency_keys', { ...key, order_id: order.id, created_at: placedAt });
  return order;
}

function followOrder(order: Order) {
  const { draws } = order;
  const fate = draws.below(1000);
  if (draws.perMille(30)) {
    const at = draws.after(order.placedAt, 5 * 60, 40 * 60);
    const day = draws.pick(offeredEvenings(WITHOUT_LIMITS, at)).day;
    if (day > order.pickupDay && happens(order, { kind: 'rescheduled', pickupDay: day, at })) order.pickupDay = day;
  }
  const collectedAt = timeOn(order.pickupDay, 17 * HOUR, draws.between(0, 4 * HOUR - 60));
  if (fate < 25) {
    const before = Math.max(60, Math.min(6 * HOUR, secondsBetween(order.changedAt, collectedAt) - 60));
    return cancel(order, 'customer', draws.after(order.changedAt, 30, before));
  }
  if (fate < 60 && !happens(order, { kind: 'attempted', why: 'nobody-home', at: addSeconds(collectedAt, -15 * 60) })) return;
  if (fate < 33) return cancel(order, 'laundry', addSeconds(collectedAt, 15 * 60));
  if (!weigh(order, collectedAt)) return;
  if (!move(order, 'queue', draws.after(collectedAt, 60, 20 * 60))) return;
  if (fate >= 995) {
    if (!pay(order, 'upi', due(order), draws.after(order.changedAt, 10 * 60, HOUR))) return;
    cancel(order, 'laundry', draws.after(order.changedAt, 60, HOUR));
    return giveBack(order, addSeconds(order.changedAt, 20 * HOUR));
  }
  const nextDay = new Date(timeOn(order.pickupDay, 0, 0).getTime() + DAY_SECONDS * 1000);
  if (!move(order, 'washing', draws.after(nextDay, 8 * HOUR, 11 * HOUR))) return;
  if (!payFromWallet(order, draws.after(order.changedAt, 10 * 60, 2 * HOUR))) return;
  if (!move(order, 'delivery', draws.after(nextDay, 15 * HOUR, 17 * HOUR))) return;
  const promised = fromKolkataDateTime(backBy(order.pickupDay));
  const deliveredAt = draws.perMille(70) ? draws.after(promised, 5 * 60, 16 * HOUR) : draws.after(promised, -3 * HOUR, 0);
  if (!payRest(order, addSeconds(deliveredAt, -120))) return;
  if (!move(order, 'delivered', deliveredAt)) return;
  if (!order.person.isGuest && draws.perMille(80)) review(order, draws.after(deliveredAt, HOUR, 40 * HOUR));
  if (!order.person.isGuest && draws.perMille(15)) claim(order, draws.after(deliveredAt, HOUR, 30 * HOUR));
  if (!order.person.isGuest && draws.perMille(15)) cashback(order, draws.after(deliveredAt, HOUR, 20 * HOUR));
}

const secondsBetween = (from: Date, to: Date) => Math.floor((to.getTime() - from.getTime()) / 1000);

/** A moment of a day in Asia/Kolkata. */
const timeOn = (day: string, seconds: number, more: number) => addSeconds(fromKolkataDateTime(`${day} 00:00:00`), seconds + more);

const addEvent = ({ add, id }: Order, event: NewOrderEvent) => add('order_events', { order_id: id, ...toEventRow(event), xid: null });

/** Adds an event. Returns false, and adds nothing, if it is in the future. */
function happens(order: Order, event: NewOrderEvent): boolean {
  if (event.at > order.until) return false;
  invariant(event.at >= order.changedAt, `an order changes forwards in time: ${event.kind} at ${kolkataDateTime(event.at)}`);
  addEvent(order, event);
  order.changedAt = event.at;
  return true;
}

function weigh(order: Order, at: Date): boolean {
  const grams = 10 * (order.draws.between(100, 500) + order.draws.between(50, 450));
  const items = Math.max(1, Math.round(grams / order.draws.between(180, 320)));
  invariant(canBeWeighed(grams, items), 'the scale shows such weights');
  if (!happens(order, { kind: 'weighed', weightGrams: grams, items, isAtDoor: false, at })) return false;
  order.weighed = { grams, items };
  return true;
}

function move(order: Order, stage: Stage, at: Date): boolean {
  if (!happens(order, { kind: 'moved', stage, at })) return false;
  order.stage = stage;
  return true;
}

const payable = ({ stage, quote, offer, weighed }: Order) => ({
  stage,
  ratePaise: quote.ratePaise,
  offerPercent: offer?.percent ?? 0,
  weightGrams: weighed?.grams ?? null,
});

function due(order: Order): Paise {
  const amounts = calculateAmounts(payable(order));
  invariant(amounts, 'the order was weighed');
  return amounts.final;
}

/** Returns false if the payment is in the future. An overpayment goes to the wallet. */
function pay(order: Order, method: PaymentMethod, amountPaise: Paise, at: Date): boolean {
  const { draws, add, person } = order;
  const reference = draws.id(20);
  if (!happens(order, { kind: 'paid', reference, at })) return false;
  const debit = { kind: 'paid', paise: -amountPaise, reason: 'Paid from the wallet' } as const;
  const debitReference = ledgerReference('wallet-payment', { order: order.id });
  add('payments', {
    tid: draws.id(22),
    order_id: order.id,
    method,
    state: 'received',
    amount_paise: amountPaise,
    due_paise: due(order),
    reference,
    gateway: method === 'gateway' ? 'sandbox' : null,
    transaction_id: method === 'wallet' ? post(order, person, { ...debit, reference: debitReference, orderId: order.id, at }) : reference,
    created_at: at,
    settled_at: at,
  });
  const before = overpaidPaise(payable(order), paidPaise(order.paid));
  order.paid.push({ method, amountPaise });
  const change = overpaidPaise(payable(order), paidPaise(order.paid)) - before;
  if (change > 0) {
    addEvent(order, { kind: 'refunded', amountPaise: change, at });
    const reason = `Paid too much for order ${order.id}`;
    const credit = { kind: 'change', paise: change, reason, orderId: order.id, at } as const;
    post(order, person, { ...credit, reference: ledgerReference('overpayment', { payment: reference }) });
  }
  return true;
}

/** Pays half of the order if the wallet covers it. Returns false if that is in the future. */
function payFromWallet(order: Order, at: Date): boolean {
  const part = calculateWalletPart(payable(order), order.paid);
  if (!('partPaise' in part) || order.person.balancePaise < part.partPaise || !order.draws.perMille(750)) return true;
  return pay(order, 'wallet', part.partPaise, at);
}

const METHODS = ['cash', 'upi', 'gateway'] as const;

/** Pays the unpaid amount at the door, or nothing. Returns false if that is in the future. */
function payRest(order: Order, at: Date): boolean {
  const { draws, add } = order;
  const unpaid = unpaidPaise(payable(order), paidPaise(order.paid));
  invariant(unpaid !== null, 'the order can be paid');
  if (unpaid === 0 || draws.perMille(20)) return true;
  const method = METHODS[draws.weighted([48, 46, 6])] ?? 'cash';
  if (method === 'upi' && draws.perMille(10)) {
    // Recorded for the wrong order, and reversed.
    const reference = draws.id(20);
    const tid = draws.id(22);
    if (!happens(order, { kind: 'paid', reference, at: addSeconds(at, -300) })) return false;
    const row = { order_id: order.id, method, state: 'received', amount_paise: unpaid, due_paise: due(order), gateway: null } as const;
    add('payments', { tid, ...row, reference, transaction_id: reference, created_at: order.changedAt, settled_at: order.changedAt });
    if (!happens(order, { kind: 'payment-reversed', reference, at: addSeconds(at, -60) })) {
      order.paid.push({ method, amountPaise: unpaid });
      return false;
    }
    add('payment_reversals', { tid, reason: 'Sample: recorded for the wrong order', reversed_at: order.changedAt });
  }
  const ROUND = 10_00;
  const isRounded = method === 'cash' && !order.person.isGuest && draws.perMille(300);
  return pay(order, method, isRounded ? asPaise(Math.ceil(unpaid / ROUND) * ROUND) : unpaid, at);
}

function cancel(order: Order, by: OrderParty, at: Date) {
  const from = order.stage;
  const isAllowed = mayCancel({ stage: from, weight_grams: order.weighed?.grams ?? null }, by);
  // `STAGES` allows no other stage, and neither does the table.
  invariant(isAllowed && (from === 'pickup' || from === 'queue'), 'the order can be cancelled');
  const refund = order.paid.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  if (!happens(order, { kind: 'cancelled', by, refundPaise: refund, at })) return;
  order.stage = 'cancelled';
  order.cancelled = { at, by, from };
  if (refund === 0) return;
  const reason = `Order ${order.id} was cancelled`;
  const reference = ledgerReference('cancellation', { order: order.id, number: 1 });
  post(order, order.person, { kind: 'change', paise: refund, reason, reference, orderId: order.id, at });
}

/** The clothes of a cancelled order are back with the customer, unless that is in the future. */
function giveBack(order: Order, at: Date) {
  if (order.cancelled && happens(order, { kind: 'returned', at })) order.returnedAt = at;
}

const STARS = [1, 2, 3, 4, 5] as const;

function review(order: Order, at: Date) {
  const { draws, add, person, until } = order;
  if (at > until) return;
  const star = STARS[draws.weighted([3, 4, 10, 33, 50])] ?? 5;
  const message = sampleReview(draws, star);
  add('reviews', { id: draws.id(20), customer_id: person.id, star, message, sample: true, created_at: at, order_id: order.id });
}

function claim(order: Order, at: Date) {
  const { draws, add, person } = order;
  const id = draws.id(10);
  const message = (author: 'customer' | 'staff', text: string, written_at: Date) => {
    const by = author === 'staff' ? 'laundry' : 'customer';
    if (!happens(order, { kind: 'claim-message', claimId: id, by, at: written_at })) return false;
    add('claim_messages', { claim_id: id, author, message: text, written_at });
    return true;
  };
  if (!message('customer', 'This is a sample report: something is missing.', at)) return;
  const settledAt = draws.after(at, HOUR, 40 * HOUR);
  const isSettled = draws.perMille(900) && message('staff', 'This is a sample answer: we are sorry.', settledAt);
  const paise = isSettled && draws.perMille(600) ? 100 * draws.between(50, 400) : null;
  add('claims', {
    id,
    customer_id: person.id,
    order_id: order.id,
    kind: draws.pick(CLAIM_KINDS),
    status: isSettled ? 'settled' : 'open',
    request_key: draws.id(20),
    body_hash: draws.bytes(),
    created_at: at,
    answer_by: answerBy(at),
    settled_at: isSettled ? settledAt : null,
    settled_paise: paise,
  });
  if (paise === null) return;
  post(order, person, {
    kind: 'compensation',
    paise,
    reason: `Report ${id}`,
    reference: ledgerReference('claim', { claim: id }),
    orderId: order.id,
    at: settledAt,
  });
}

function cashback(order: Order, after: Date) {
  const at = new Date(Math.max(after.getTime(), order.changedAt.getTime()));
  if (at > order.until) return;
  order.changedAt = at;
  const paise = 100 * order.draws.between(20, 100);
  const reference = ledgerReference('grant', { grant: order.draws.id(20) });
  post(order, order.person, { kind: 'cashback', paise, reason: 'Sample cashback', reference, at });
}

function addOrder(order: Order) {
  const { add, draws, id, person, program, quote, offer, weighed, cancelled, placedAt } = order;
  const { name, mobile, address } = person;
  add('orders', {
    id,
    customer_id: person.id,
    guest_session_hash: person.isGuest ? draws.bytes() : null,
    program_id: program.id,
    program_name: program.name,
    unit: program.unit,
    area: quote.area,
    base_rate_paise: program.baseRatePaise,
    surcharge_paise: quote.surchargePaise,
    rate_paise: quote.ratePaise,
    offer_id: offer?.id ?? null,
    offer_percent: offer?.percent ?? 0,
    order_rate_paise: quote.orderRatePaise,
    timeslot: TIMESLOT,
    pickup_day: order.pickupDay,
    ...choicesOf(program.id),
    stage: order.stage,
    weight_grams: weighed?.grams ?? null,
    items: weighed?.items ?? null,
    ship_name: name,
    ship_mobile: mobile,
    ship_address1: address.address1,
    ship_address2: address.address2,
    ship_landmark: address.landmark,
    ship_pincode: address.pincode,
    ship_city: address.city,
    ship_state: address.state,
    placed_at: placedAt,
    cancelled_at: cancelled?.at ?? null,
    cancelled_by: cancelled?.by ?? null,
    cancelled_from: cancelled?.from ?? null,
    cancellations: cancelled ? 1 : 0,
    returned_at: order.returnedAt,
    is_unpaid: order.stage === 'delivered' && (unpaidPaise(payable(order), paidPaise(order.paid)) ?? 0) > 0,
  });
}
