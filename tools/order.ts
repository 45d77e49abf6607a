/**
 * `npm run order -- …`: lists, weighs and moves orders, and records and reverses payments by hand.
 * Every change prints the order, weight, pieces and amounts as they were understood.
 */
import type { Db, Tx } from '../src/db/database.server.ts';
import { updateOrderByCommand, type CommandChange } from '../src/domains/order-desk/command-service.server.ts';
import { STAGES, type Stage } from '../src/domains/orders/contract.ts';
import {
  cancelOrder,
  returnClothes,
  undoCancellation,
  type CancellationResult,
  type UndoResult,
} from '../src/domains/orders/cancelling-service.server.ts';
import { MAX_ITEMS } from '../src/domains/orders/rules.ts';
import { moveOrder, type MoveResult, type WeighResult } from '../src/domains/orders/service.server.ts';
import { listOpenOrders, listOrdersChangedSince, type ChangedOrder } from '../src/domains/orders/store.server.ts';
import { isManual, MANUAL_PAYMENT_LIMITS, MANUAL_PAYMENT_METHODS } from '../src/domains/manual-payments/rules.ts';
import {
  recordManualPaymentOnce,
  reverseManualPayment,
  type ManualPaymentOnceResult,
  type PaymentReversal,
} from '../src/domains/manual-payments/service.server.ts';
import { readOrderWithPayments, type OrderWithPayments, type RecordedPayment } from '../src/domains/payments/queries-service.server.ts';
import { weighOrderAndAdjustCredit } from '../src/domains/payments/weighing-service.server.ts';
import { findPaymentByReference, readPaidPaise } from '../src/domains/payments/store.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { limitMarks } from '../src/lib/customer-text.ts';
import { fromKolkataDateTime, kolkataDateTime } from '../src/lib/dates.ts';
import { formatKilograms, formatRupeesAndPaise as rupees, type Paise } from '../src/lib/money.ts';
import { printableLine } from '../src/lib/printable-text.ts';
import { parseSettings } from '../src/settings.server.ts';
import { commandAuthor } from './command-author.ts';
import { count } from './count.ts';
import { parseKilograms, parseRupees, parseText, parseWholeNumber } from './amounts.ts';
import { UsageError, unknownWordsError, runCommand, type Commands } from './run-command.ts';
import { laundryCommand } from '../src/domains/staff/authentication.server.ts';

const NEXT_STAGES = STAGES.flatMap(({ next }) => next ?? []);

const USAGE = `npm run order -- list
npm run order -- since <YYYY-MM-DD> [HH:MM]
npm run order -- show <order>
npm run order -- weigh <order> <kilograms> <pieces> [reason <text>]
npm run order -- move <order> <${NEXT_STAGES.join(' | ')}> [reason <text>]
npm run order -- cancel <order>
npm run order -- undo-cancel <order>
npm run order -- return <order>
npm run order -- receive <order> <${MANUAL_PAYMENT_METHODS.join(' | ')}> <rupees> [overpaid] [note <text>]
npm run order -- reverse <payment> <reason>`;

const commands: Commands = {
  list: {
    parameters: [],
    async run(db) {
      const orders = await listOpenOrders(db);
      const lines = orders.map(({ id, stage, program_name, weight_grams, ship_name }) =>
        [
          id,
          stage,
          program_name,
          weight_grams === null ? 'not weighed' : `${formatKilograms(weight_grams)} kg`,
          printableLine(ship_name),
        ].join('  '),
      );
      const hidden = (orders[0]?.total ?? 0) - orders.length;
      return lines.length > 0
        ? [...lines, ...(hidden > 0 ? [`and ${hidden} more, placed later`] : [])].join('\n')
        : 'There are no open orders.';
    },
  },
  since: {
    parameters: ['day'],
    acceptsMore: true,
    async run(db, day: string, ...words: string[]) {
      const since = parseKolkataTime(day, words);
      const orders = await listOrdersChangedSince(db, since);
      for (const order of orders) console.log(await describeInFull(db, order, since));
      return orders.length === 0
        ? `No order was placed or changed since ${kolkataDateTime(since)}.`
        : `${count(orders.length, 'order', 'orders')}.`;
    },
  },
  show: {
    parameters: ['order'],
    async run(db, orderid: string) {
      const order = await readOrderWithPayments(db, orderid);
      if (!order) throw new UsageError(NO_SUCH_ORDER);
      return [`Order ${describeOrder(order)}; ${describeState(order)}`, ...order.payments.map(describePayment)].join('\n');
    },
  },
  weigh: {
    parameters: ['order', 'kilograms', 'pieces'],
    acceptsMore: true,
    async run(db, orderid: string, kilograms: string, pieces: string, ...words: string[]) {
      const items = parseWholeNumber(pieces, 'pieces', MAX_ITEMS);
      const weight = { orderid, weightGrams: parseKilograms(kilograms), items, reason: parseReason(words) };
      const change = { orderid, action: 'weigh-order', note: weight.reason } as const;
      const result = await updateOrder(db, change, (tx, now) => weighOrderAndAdjustCredit(tx, laundryCommand(), weight, now));
      if (result.status === 'change-spent') {
        throw new UsageError(
          `Nothing was changed: the new amount takes ${rupees(result.debitPaise)} of change back from the customer's wallet, which has ${rupees(result.balancePaise)} left.`,
        );
      }
      if (result.status === 'reason-required') {
        throw new UsageError(
          'Nothing was changed: this order was weighed before. Add the reason of the correction, which the customer reads: npm run order -- weigh <order> <kilograms> <pieces> reason <text>',
        );
      }
      return stateAfter(db, orderid, 'Weighed', result.status);
    },
  },
  move: {
    parameters: ['order', 'stage'],
    acceptsMore: true,
    async run(db, orderid: string, to: string, ...words: string[]) {
      if (words.length > 0 && to !== ('delivered' satisfies Stage)) throw unknownWordsError(words, USAGE);
      if (!isNextStage(to)) throw new UsageError(`'${to}' is not a stage that an order can move to: ${NEXT_STAGES.join(', ')}.`);
      const { referralBonusTime } = parseSettings(process.env);
      const reason = parseReason(words);
      const change = { orderid, action: 'move-order', note: reason } as const;
      const moved = await updateOrder(db, change, (tx, now) => moveOrder(tx, orderid, to, now, { bonusTime: referralBonusTime, reason }));
      return stateAfter(db, orderid, 'Moved', moved);
    },
  },
  cancel: {
    parameters: ['order'],
    async run(db, orderid: string) {
      const cancel = (tx: Tx, now: Date) => cancelOrder({ db: tx, readPaidPaise }, laundryCommand(), { orderid }, now);
      const result = await updateOrder(db, { orderid, action: 'cancel-order' }, cancel);
      return describeCancelled(result, await readOrderWithPayments(db, orderid));
    },
  },
  'undo-cancel': {
    parameters: ['order'],
    async run(db, orderid: string) {
      const undo = (tx: Tx, now: Date) => undoCancellation({ db: tx, readPaidPaise }, laundryCommand(), orderid, now);
      const result = await updateOrder(db, { orderid, action: 'move-order-back' }, undo);
      return describeUndone(result, await readOrderWithPayments(db, orderid));
    },
  },
  return: {
    parameters: ['order'],
    async run(db, orderid: string) {
      const giveBack = (tx: Tx, now: Date) => returnClothes(tx, laundryCommand(), orderid, now);
      return stateAfter(db, orderid, 'Returned', await updateOrder(db, { orderid, action: 'move-order' }, giveBack));
    },
  },
  receive: {
    parameters: ['order', 'method', 'rupees'],
    acceptsMore: true,
    async run(db, orderid: string, method: string, amount: string, ...words: string[]) {
      if (!isManual(method)) throw new UsageError(`'${method}' is not a payment method: ${MANUAL_PAYMENT_METHODS.join(', ')}.`);
      const payment = { orderid, method, amountPaise: parseRupees(amount, MANUAL_PAYMENT_LIMITS), ...parseReceiveOptions(words) };
      const change = { orderid, action: 'receive-payment', note: payment.note } as const;
      const result = await updateOrder(db, change, (tx, now) => recordManualPaymentOnce(tx, laundryCommand(), payment, now));
      return describeReceived(`${method} ${rupees(payment.amountPaise)}`, result);
    },
  },
  reverse: {
    parameters: ['payment'],
    acceptsMore: true,
    async run(db, reference: string, ...words: string[]) {
      const reversal = { reference, reason: parseText(words, 'reason') };
      const orderid = (await findPaymentByReference(db, reference))?.order_id ?? '';
      const change = { orderid, action: 'reverse-payment', note: reversal.reason } as const;
      return describeReversal(await updateOrder(db, change, (tx, now) => reverseManualPayment(tx, laundryCommand(), reversal, now)));
    },
  },
};

/** Returns the time of a day and, optionally, an hour in Asia/Kolkata. Throws `UsageError`. */
function parseKolkataTime(day: string, [hour = '00:00', ...more]: readonly string[]): Date {
  if (more.length > 0) throw unknownWordsError(more, USAGE);
  const time = /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d$/.test(hour) ? fromKolkataDateTime(`${day} ${hour}:00`) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) throw new UsageError(`'${[day, hour].join(' ')}' is not a time such as 2026-11-22 18:30.`);
  return time;
}

/** Returns all that is needed to serve the order, and to record its payments, by hand. */
async function describeInFull(db: Db, order: ChangedOrder, since: Date): Promise<string> {
  const withPayments = await readOrderWithPayments(db, order.id);
  const payments = (withPayments?.payments ?? []).filter(({ receivedAt }) => receivedAt >= since);
  const address = [order.ship_address1, order.ship_address2, order.ship_landmark, order.area].filter((part) => part !== '').join(', ');
  return [
    `Order ${withPayments ? `${describeOrder(withPayments)}; ${describeState(withPayments)}` : order.id}`,
    `  ${order.program_name}, placed ${kolkataDateTime(order.placed_at)}, pickup ${order.pickup_day}`,
    `  mobile ${withPayments?.name === '' ? 'erased' : order.ship_mobile}, ${printableLine(address)}`,
    ...payments.map((payment) => `  ${describePayment(payment)}`),
  ].join('\n');
}

/** Makes a change with the time of the clock, and records its author. */
function updateOrder<Result>(db: Db, change: CommandChange, work: (tx: Tx, now: Date) => Promise<Result>): Promise<Result> {
  const now = systemClock.now();
  const command = { laundry: laundryCommand(), author: commandAuthor() };
  return updateOrderByCommand(db, command, change, (tx) => work(tx, now), now);
}

/** Every stage except the first one. */
const isNextStage = (text: string): text is Stage => (NEXT_STAGES as readonly string[]).includes(text);

/** Parses the words `[reason <text>]`, which the customer reads. Otherwise throws `UsageError`. */
function parseReason([keyword, ...text]: readonly string[]): string | undefined {
  if (keyword === undefined) return undefined;
  if (keyword !== 'reason') throw unknownWordsError([keyword, ...text], USAGE);
  return limitMarks(parseText(text, 'reason'));
}

/** Parses the words after the amount: `[overpaid] [note <text>]`. Otherwise throws `UsageError`. */
function parseReceiveOptions(words: readonly string[]): { mayOverpay: boolean; note?: string } {
  const mayOverpay = words[0] === 'overpaid';
  const [keyword, ...note] = words.slice(mayOverpay ? 1 : 0);
  if (keyword === undefined) return { mayOverpay };
  if (keyword !== 'note') throw unknownWordsError(words, USAGE);
  return { mayOverpay, note: parseText(note, 'note') };
}

const NO_SUCH_ORDER = 'There is no such order.';

const ERROR_MESSAGES: Readonly<Record<Exclude<MoveResult | WeighResult, 'done'>, string>> = {
  'order-not-found': NO_SUCH_ORDER,
  'wrong-stage': 'The stage of the order does not allow this. Stages follow one another, and an order is weighed at pickup.',
  'not-weighed': 'The order must be weighed first.',
  'impossible-weight': 'The weight must be 0.01 to 1000 kg with at most two decimals, such as 7.53, and the pieces 1 to 10000.',
};

/** Returns the order after the change. Throws `UsageError` if nothing was changed. */
async function stateAfter(db: Db, orderid: string, action: string, change: MoveResult | WeighResult): Promise<string> {
  const order = await readOrderWithPayments(db, orderid);
  const state = order && `order ${describeOrder(order)}; ${describeState(order)}`;
  if (change === 'done') return `${action}: ${state}`;
  throw new UsageError([ERROR_MESSAGES[change], ...(state ? [`Nothing was changed: ${state}`] : [])].join(' '));
}

/** Returns the cancelled order. Throws `UsageError` if it was not cancelled. */
function describeCancelled(result: CancellationResult, order: OrderWithPayments | undefined): string {
  if (result.status === 'order-not-found' || !order) throw new UsageError(NO_SUCH_ORDER);
  if (result.status === 'already-picked-up') {
    throw new UsageError(
      `Nothing was changed: order ${describeOrder(order)}, is at ${result.stage}. An order is cancelled before its washing begins. To return money for a fault: ${order.isUnassigned ? 'by UPI or cash, because the guest has no wallet.' : 'npm run grant -- compensation'}`,
    );
  }
  return [
    `Cancelled: order ${describeOrder(order)}.`,
    ...(result.paidPaise > 0
      ? [
          `${rupees(result.paidPaise)} that was paid for it ${describeWallet(result)}. Money handed back in cash: npm run order -- show, then reverse.`,
        ]
      : []),
    ...(result.undoSeconds === null ? [] : [`To undo it within ${result.undoSeconds} s: npm run order -- undo-cancel ${order.orderid}`]),
  ].join('\n');
}

/** Returns the order after the undo. Throws `UsageError` if it stays cancelled. */
function describeUndone(result: UndoResult, order: OrderWithPayments | undefined): string {
  if (result.status === 'order-not-found' || !order) throw new UsageError(NO_SUCH_ORDER);
  switch (result.status) {
    case 'active':
      return `Active: order ${describeOrder(order)}; ${describeState(order)}`;
    case 'expired':
    case 'cancelled-by-laundry':
      throw new UsageError('Nothing was changed: the minute to undo the cancellation is over. Ask the customer to place a new order.');
    case 'evening-full':
      throw new UsageError('Nothing was changed: the evening of this order is full or closed meanwhile. The order stays cancelled.');
    case 'spent':
      throw new UsageError(
        `Nothing was changed: the wallet has ${rupees(result.balancePaise)} left of the ${rupees(result.debitPaise)} that came back. The order stays cancelled.`,
      );
  }
}

const describeOrder = ({ orderid, name, weightGrams, items }: OrderWithPayments): string =>
  `${orderid} of ${printableLine(name) || 'an erased customer'}, ${weightGrams === null ? 'not weighed' : `${formatKilograms(weightGrams)} kg, ${describePieces(items)}`}`;

const describePieces = (items: number | null) => (items === 1 ? '1 piece' : `${items} pieces`);

function describeState({ stage, unpaidPaise, finalPaise }: OrderWithPayments): string {
  if (unpaidPaise !== null) return `stage ${stage}, left to pay ${rupees(unpaidPaise)}`;
  return `stage ${stage}${finalPaise === null ? '' : `, amount ${rupees(finalPaise)}`}`;
}

const describePayment = ({ reference, method, amountPaise, receivedAt, note, reversal }: RecordedPayment): string =>
  [
    reference,
    kolkataDateTime(receivedAt),
    `${method} ${rupees(amountPaise)}`,
    ...(note === null ? [] : [`note '${printableLine(note)}'`]),
    ...(reversal ? [`reversed ${kolkataDateTime(reversal.at)} for '${printableLine(reversal.reason)}'`] : []),
  ].join('  ');

const leftToPay = ({ unpaidPaise }: OrderWithPayments) => `left to pay ${rupees(unpaidPaise ?? 0)}`;

const describeOverpayment = (result: { overpaidPaise: Paise; isCredited: boolean }): string =>
  `${rupees(result.overpaidPaise)} of it was too much and ${describeWallet(result)}.`;

const describeWallet = ({ isCredited }: { isCredited: boolean }): string =>
  isCredited
    ? "is in the customer's wallet"
    : 'goes to the wallet of the account with this number once the order of the guest is assigned to it';

/** Returns what was recorded. Throws `UsageError` if nothing was. */
function describeReceived(amount: string, result: ManualPaymentOnceResult): string {
  switch (result.status) {
    case 'recorded':
      return [
        `Recorded: ${amount} for order ${describeOrder(result.order)}; ${leftToPay(result.order)}`,
        ...(result.overpaidPaise > 0 ? [describeOverpayment(result)] : []),
        `The payment is ${result.reference}. To reverse it: npm run order -- reverse ${result.reference} <reason>`,
      ].join('\n');
    case 'order-not-found':
      throw new UsageError(NO_SUCH_ORDER);
    case 'not-payable-yet':
      throw new UsageError(
        `Nothing was recorded: order ${describeOrder(result.order)}, is at pickup. Weigh it and move it to queue first: until then its amount can change.`,
      );
    case 'already-recorded':
      throw new UsageError(
        `Nothing was recorded: ${amount} for order ${describeOrder(result.order)}, is recorded already, ${describePayment(result.payment)}. If this is another payment, add a note that tells them apart: note <text>`,
      );
    case 'exceeds-unpaid':
      throw new UsageError(
        result.unpaidPaise === 0
          ? `Nothing was recorded: nothing is left to pay for order ${describeOrder(result.order)}. To credit ${amount} to the customer's wallet, add the word: overpaid`
          : `Nothing was recorded: ${amount} is more than the ${rupees(result.unpaidPaise)} left to pay for order ${describeOrder(result.order)}. To credit the excess to the customer's wallet, add the word: overpaid`,
      );
  }
}

/** Returns what was reversed. Throws `UsageError` if nothing was. */
function describeReversal(result: PaymentReversal): string {
  switch (result.status) {
    case 'reversed': {
      const { payment, order, debitedPaise } = result;
      return [
        `Reversed: ${payment.method} ${rupees(payment.amountPaise)} for order ${describeOrder(order)}; ${leftToPay(order)}`,
        ...(debitedPaise > 0 ? [`${rupees(debitedPaise)} of change was taken back from the customer's wallet.`] : []),
      ].join('\n');
    }
    case 'unknown-payment':
      throw new UsageError('There is no such payment. To list the payments of an order: npm run order -- show <order>');
    case 'not-manual':
      throw new UsageError(
        result.method === 'wallet'
          ? 'Nothing was reversed: the payment came from the wallet. To return it: npm run grant -- compensation'
          : 'Nothing was reversed: the payment was made online. Refund it at the payment gateway.',
      );
    case 'already-reversed':
      throw new UsageError(`Nothing was reversed: the payment is reversed already, ${describePayment(result.payment)}`);
    case 'change-spent':
      throw new UsageError(
        `Nothing was reversed: the payment credited ${rupees(result.debitPaise)} of change to the customer's wallet, which has ${rupees(result.balancePaise)} left. To reverse it at the laundry's expense, grant the missing ${rupees(result.debitPaise - result.balancePaise)} first: npm run grant -- compensation`,
      );
  }
}

await runCommand(commands, USAGE);
