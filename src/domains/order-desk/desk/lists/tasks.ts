/** The tasks of Today. Pure functions. */
import { kolkataDay } from '../../../../lib/dates.ts';
import { msg, type MessageKey } from '../../../../i18n/messages.ts';
import { isAwaitingPickup, isCollected } from '../../../orders/phase-rules.ts';
import { isLate } from '../../../orders/visit-rules.ts';
import { OFFICE, ROLES, type Role } from '../../../staff/desk/contract.ts';
import { COLUMNS, type Column } from '../board-contract.ts';
import type { ListedOrder } from '../contract.ts';
import type { BoardColumns } from './orders-data.ts';

/** Returns false for a delivery that waits for an evening, or has a later one. */
const isDeliveryOpenTonight = ({ attempt, delivery_date: day }: Pick<ListedOrder, 'attempt' | 'delivery_date'>, now: Date): boolean =>
  attempt === null && (day === null || day <= kolkataDay(now));

interface Task {
  name: string;
  label: MessageKey;
  /** The roles that see the task. */
  roles: readonly Role[];
  includes(order: ListedOrder, now: Date): boolean;
}

const BAGS: Task = {
  name: 'bags',
  label: msg('Bags do not match'),
  roles: OFFICE,
  includes: ({ bags_differ: doBagsDiffer }) => doBagsDiffer,
};

const CODES: Task = {
  name: 'codes',
  label: msg('Codes to confirm'),
  roles: ROLES,
  includes: ({ stage, to_return: toReturn, wrong_codes: wrongCodes }) => (stage === 'delivery' || toReturn) && wrongCodes > 0,
};

/**
 * The most urgent first. An order whose bags differ is in that task only, and so is one with a code
 * to confirm, which names its next action. Another one can be in
 * several tasks that warn, and in one at most of those that name its next action.
 */
const TASKS: readonly Task[] = [
  CODES,
  BAGS,
  { name: 'late', label: msg('Late orders'), roles: OFFICE, includes: isLate },
  { name: 'evenings', label: msg('Evening closed or over capacity'), roles: OFFICE, includes: ({ evening }) => evening !== null },
  { name: 'attempts', label: msg('Visits to repeat'), roles: ROLES, includes: ({ attempt }) => attempt !== null },
  {
    name: 'collect',
    label: msg('To collect today'),
    roles: ROLES,
    includes: ({ stage, weight, attempt, pickup_date: day }, now) =>
      isAwaitingPickup(stage, weight) && attempt === null && day <= kolkataDay(now),
  },
  {
    name: 'weighed',
    label: msg('Weighed, to bring in'),
    roles: ROLES,
    includes: ({ stage, weight }) => isCollected(stage, weight),
  },
  { name: 'queue', label: msg('To wash'), roles: OFFICE, includes: ({ stage }) => stage === 'queue' },
  { name: 'washing', label: msg('In the machines'), roles: OFFICE, includes: ({ stage }) => stage === 'washing' },
  { name: 'return', label: msg('To return'), roles: ROLES, includes: ({ to_return: toReturn, attempt }) => toReturn && attempt === null },
  {
    name: 'deliver',
    label: msg('To deliver'),
    roles: ROLES,
    includes: (order, now) => order.stage === 'delivery' && isDeliveryOpenTonight(order, now),
  },
  { name: 'unpaid', label: msg('Delivered and not paid'), roles: ROLES, includes: ({ stage }) => stage === 'delivered' },
];

export interface TaskList {
  name: string;
  label: MessageKey;
  orders: ListedOrder[];
}

/**
 * Returns the tasks of a role that have orders. `others` are the orders whose bags differ, also if
 * the board does not contain them.
 */
export function tasksOf(board: BoardColumns, others: readonly ListedOrder[], role: Role, now: Date): TaskList[] {
  const listed = COLUMNS.flatMap((column) => board[column].orders);
  const known = new Set(listed.map(({ orderid }) => orderid));
  const orders = [...listed, ...others.filter(({ orderid }) => !known.has(orderid))];
  const exclusive = [BAGS, CODES].filter(({ roles }) => roles.includes(role));
  const onlyTaskOf = (order: ListedOrder) => exclusive.find(({ includes }) => includes(order, now));
  const isIn = (task: Task) => (order: ListedOrder) => task.includes(order, now) && (onlyTaskOf(order) ?? task) === task;
  return TASKS.filter(({ roles }) => roles.includes(role))
    .map((task) => ({ name: task.name, label: task.label, orders: orders.filter(isIn(task)) }))
    .filter((task) => task.orders.length > 0);
}

/** Returns the number of the pickups of later days, of those that the board contains. */
export const countLaterPickups = (board: BoardColumns, now: Date): number =>
  board.pickup.orders.filter(
    ({ stage, weight, attempt, pickup_date: day }) => isAwaitingPickup(stage, weight) && attempt === null && day > kolkataDay(now),
  ).length;

/** Returns the columns that have more orders than the board contains, with the number of them. */
export const hiddenOrders = (board: BoardColumns): { column: Column; count: number }[] =>
  COLUMNS.map((column) => ({ column, count: board[column].count - board[column].orders.length })).filter(({ count }) => count > 0);
