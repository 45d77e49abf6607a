/** `npm run order -- …`: lists, weighs and moves orders, and records payments by hand. */
import { transaction, type Db } from '../src/db/database.server.ts';
import { STAGES, type Stage } from '../src/domains/orders/contract.ts';
import { moveOrder, weighOrder, type StageChange } from '../src/domains/orders/service.server.ts';
import { findStageAndWeight, listOpenOrders } from '../src/domains/orders/store.server.ts';
import { recordManualPayment } from '../src/domains/payments/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { formatKilograms, formatRupees } from '../src/lib/money.ts';
import { parseKilograms, parseRupees } from './amounts.ts';
import { UsageError, runCommand, type Commands } from './run-command.ts';

const NEXT_STAGES = STAGES.slice(1).map(({ stage }) => stage);

const USAGE = `npm run order -- list
npm run order -- weigh <order> <kilograms> <items>
npm run order -- move <order> <${NEXT_STAGES.join(' | ')}>
npm run order -- receive <order> <cash | upi> <rupees>`;

const commands: Commands = {
  async list(db) {
    const orders = await listOpenOrders(db);
    const lines = orders.map(({ id, stage, program_name, weight_grams, ship_name }) =>
      [id, stage, program_name, weight_grams === null ? 'not weighed' : `${formatKilograms(weight_grams)} kg`, ship_name].join('  '),
    );
    const hidden = (orders[0]?.total ?? 0) - orders.length;
    return lines.length > 0
      ? [...lines, ...(hidden > 0 ? [`and ${hidden} more, placed later`] : [])].join('\n')
      : 'There are no open orders.';
  },
  async weigh(db, orderid = '', kilograms = '', items = '') {
    return stateAfter(db, orderid, await weighOrder(db, orderid, parseKilograms(kilograms), Number(items)));
  },
  async move(db, orderid = '', to = '') {
    if (!isNextStage(to)) throw new UsageError(`'${to}' is not a stage that an order can move to: ${NEXT_STAGES.join(', ')}.`);
    return stateAfter(db, orderid, await moveOrder(db, orderid, to, systemClock.now()));
  },
  async receive(db, orderid = '', method = '', rupees = '') {
    if (method !== 'cash' && method !== 'upi') throw new UsageError(`'${method}' is not a payment method: cash, upi.`);
    const amountPaise = parseRupees(rupees, RECEIVED);
    const outcome = await transaction(db, (tx) => recordManualPayment(tx, { orderid, method, amountPaise }, systemClock.now()));
    if (outcome !== 'received') throw new UsageError(ERROR_MESSAGES[outcome]);
    return `${orderid}: ${formatRupees(amountPaise)} received (${method})`;
  },
};

/** In paise. */
const RECEIVED = { min: 1, max: 10_000_000 };

/** Every stage except the first one. */
const isNextStage = (text: string): text is Stage => (NEXT_STAGES as readonly string[]).includes(text);

const ERROR_MESSAGES: Readonly<Record<Exclude<StageChange, 'done'>, string>> = {
  'unknown-order': 'There is no such order.',
  'wrong-stage': 'The stage of the order does not allow this. Stages follow one another, and an order is weighed at pickup.',
  'not-weighed': 'The order must be weighed first.',
  'impossible-weight': 'The weight must be 0.01 to 1000 kg with at most two decimals, such as 7.53, and the items 1 to 10000.',
};

/**
 * Returns stage and weight of the order after the change. Throws `UsageError` if nothing was
 * changed.
 */
async function stateAfter(db: Db, orderid: string, change: StageChange): Promise<string> {
  const state = await findStageAndWeight(db, orderid);
  const summary =
    state && `${orderid}: ${state.stage}, ${state.weight_grams === null ? 'not weighed' : `${formatKilograms(state.weight_grams)} kg`}`;
  if (change !== 'done') throw new UsageError([ERROR_MESSAGES[change], summary].filter(Boolean).join(' '));
  return summary ?? '';
}

await runCommand(commands, USAGE);
