/** `npm run order -- …`: what the laundry does with an order, by the services and the table of stages that everything else uses. */
import { transaction, type Db } from '../src/db/database.server.ts';
import { STAGES, type Stage } from '../src/domains/orders/contract.ts';
import { moveOrder, weighOrder, type StageChange } from '../src/domains/orders/service.server.ts';
import { findOrderState, ordersUnderway } from '../src/domains/orders/store.server.ts';
import { receiveByHand } from '../src/domains/payments/service.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { formatKilograms, formatRupees } from '../src/lib/money.ts';
import { gramsOf, paiseOf } from './amounts.ts';
import { Misused, runOneOf, type Commands } from './on-database.ts';

const NEXT_STAGES = STAGES.slice(1).map(({ stage }) => stage);

const USAGE = `npm run order -- list
npm run order -- weigh <order> <kilograms> <items>
npm run order -- move <order> <${NEXT_STAGES.join(' | ')}>
npm run order -- receive <order> <cash | upi> <rupees>`;

const commands: Commands = {
  async list(db) {
    const orders = await ordersUnderway(db);
    const lines = orders.map(({ id, stage, program_name, weight_grams, ship_name }) =>
      [id, stage, program_name, weight_grams === null ? 'not weighed' : `${formatKilograms(weight_grams)} kg`, ship_name].join('  '),
    );
    const more = (orders[0]?.in_all ?? 0) - orders.length;
    return lines.length > 0 ? [...lines, ...(more > 0 ? [`and ${more} more, placed later`] : [])].join('\n') : 'No order is under way.';
  },
  async weigh(db, orderid = '', kilograms = '', items = '') {
    return stateAfter(db, orderid, await weighOrder(db, orderid, gramsOf(kilograms), Number(items)));
  },
  async move(db, orderid = '', to = '') {
    if (!isNextStage(to)) throw new Misused(`There is no stage '${to}' to move to: ${NEXT_STAGES.join(', ')}.`);
    return stateAfter(db, orderid, await moveOrder(db, orderid, to, systemClock.now()));
  },
  async receive(db, orderid = '', method = '', rupees = '') {
    if (method !== 'cash' && method !== 'upi') throw new Misused(`'${method}' is neither cash nor upi.`);
    const amountPaise = paiseOf(rupees, RECEIVED);
    const outcome = await transaction(db, (tx) => receiveByHand(tx, { orderid, method, amountPaise }, systemClock.now()));
    if (outcome !== 'received') throw new Misused(REFUSALS[outcome]);
    return `${orderid}: ${formatRupees(amountPaise)} received (${method})`;
  },
};

const RECEIVED = { least: 1, most: 10_000_000 };

const isNextStage = (text: string): text is Stage => (NEXT_STAGES as readonly string[]).includes(text);

const REFUSALS: Readonly<Record<Exclude<StageChange, 'done'>, string>> = {
  'unknown-order': 'There is no such order.',
  'wrong-stage':
    'The order is not where it would have to be for that: stages follow one another, and only what waits for its pickup is weighed.',
  'not-weighed': 'The order has to be weighed first.',
  'impossible-weight': 'A weight is 0.01 to 1000 kg with at most two decimals, such as 7.53, and items are 1 to 10000.',
};

/** Returns the order's new state. Throws `Misused` with the reason if nothing was changed. */
async function stateAfter(db: Db, orderid: string, change: StageChange): Promise<string> {
  const state = await findOrderState(db, orderid);
  const stands =
    state && `${orderid}: ${state.stage}, ${state.weight_grams === null ? 'not weighed' : `${formatKilograms(state.weight_grams)} kg`}`;
  if (change !== 'done') throw new Misused([REFUSALS[change], stands].filter(Boolean).join(' '));
  return stands ?? '';
}

await runOneOf(commands, USAGE);
