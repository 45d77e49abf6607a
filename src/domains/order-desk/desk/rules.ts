/** Decisions about the work of the staff on orders. Pure functions. */
import { DAY_SECONDS, MAX_CLOCK_SKEW_SECONDS, addSeconds } from '../../../lib/clock.ts';
import { addDays, dayAfter, kolkataDateTime, kolkataDay, startOfKolkataDay } from '../../../lib/dates.ts';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { isStage, type Stage } from '../../orders/contract.ts';
import { isMove, ORDER_EVENTS, type OrderEvent } from '../../orders/events-contract.ts';
import { isAwaitingPickup, isCollected } from '../../orders/phase-rules.ts';
import { mayCancel, stageAfter } from '../../orders/rules.ts';
import { startOfSlot } from '../../orders/visit-rules.ts';
import { mayCall, OFFICE, type Role, type StaffPath } from '../../staff/desk/contract.ts';
import { deskError, RETURNED, type DeskOrder, type ListedOrder } from './contract.ts';

/** Where an order is for the staff: its stage, divided where the stage alone does not decide. */
type DeskState = Stage | 'collected' | 'failed-delivery' | 'to-return' | 'returned';

/** The actions of the staff on an order. */
export type DeskAction =
  | 'weigh'
  /** To the next stage. */
  | 'move'
  /** The next stage, or the return, at the door of the customer. */
  | 'hand-over'
  | 'hand-over-without-code'
  | 'renew-code'
  /** By one stage, or a return. The person of the last move can also undo it for a minute. */
  | 'move-back'
  /** To the pickup, where the customer can cancel without paying, of clothes that were washed. */
  | 'move-back-washed'
  /** Without a move. */
  | 'count-bags'
  | 'attempt'
  | 'reschedule'
  | 'cancel'
  | 'assign'
  | 'receive';

const AT_THE_DOOR = ['hand-over', 'hand-over-without-code', 'renew-code', 'attempt'] as const;

/**
 * The actions of each state: the server checks them, and the screens show them. `cancelledBy` of
 * the stages adds 'cancel'.
 */
const ACTIONS: Readonly<Record<DeskState, readonly DeskAction[]>> = {
  pickup: ['weigh', 'attempt', 'reschedule', 'assign'],
  collected: ['weigh', 'move', 'count-bags', 'assign'],
  queue: ['move', 'move-back', 'move-back-washed', 'count-bags', 'assign', 'receive'],
  washing: ['move', 'move-back', 'count-bags', 'assign', 'receive'],
  delivery: [...AT_THE_DOOR, 'move-back', 'count-bags', 'assign', 'receive'],
  'failed-delivery': [...AT_THE_DOOR, 'reschedule', 'move-back', 'count-bags', 'assign', 'receive'],
  delivered: ['move-back', 'receive'],
  cancelled: [],
  'to-return': [...AT_THE_DOOR, 'count-bags', 'assign', 'receive'],
  returned: ['move-back', 'receive'],
};

/** The roles of an action: those of its call, or fewer. */
const ROLES_OF: Readonly<Record<DeskAction, readonly Role[] | StaffPath>> = {
  weigh: 'staff/weigh',
  move: 'staff/move',
  'hand-over': 'staff/move',
  'hand-over-without-code': OFFICE,
  'renew-code': 'staff/renewcode',
  'move-back': OFFICE,
  'move-back-washed': ['owner'],
  'count-bags': 'staff/countbags',
  attempt: 'staff/attempt',
  reschedule: 'staff/reschedule',
  cancel: 'staff/cancel',
  assign: 'staff/assign',
  receive: 'staff/receive',
};

/** The properties of an order that determine its actions. */
export interface ActionState extends Pick<ListedOrder, 'stage' | 'to_return' | 'attempt' | 'delivery_date'> {
  weight: number | null;
  /** The clothes of a cancelled order are back. */
  isReturned: boolean;
}

function deskStateOf({
  stage,
  to_return: toReturn,
  attempt,
  delivery_date: deliveryDay,
  weight,
  isReturned,
}: ActionState): DeskState | undefined {
  if (!isStage(stage)) return undefined;
  if (toReturn) return 'to-return';
  if (stage === 'cancelled' && isReturned) return 'returned';
  if (isCollected(stage, weight)) return 'collected';
  return stage === 'delivery' && (attempt || deliveryDay !== null) ? 'failed-delivery' : stage;
}

export const actionStateOf = (order: DeskOrder): ActionState => ({
  ...order,
  stage: order.washing_stage,
  weight: order.total_weight,
  isReturned: order.returned_date !== null,
});

/** Returns true if the state of an order allows the action. False for an unknown stage. */
export function isAllowed(state: ActionState, action: DeskAction): boolean {
  if (action === 'cancel') return mayCancel({ stage: state.stage, weight_grams: state.weight }, 'laundry');
  const deskState = deskStateOf(state);
  return deskState !== undefined && ACTIONS[deskState].includes(action);
}

/** Returns true if a role may do the action with an order that allows it. */
export function mayDo(role: Role, action: DeskAction): boolean {
  const roles = ROLES_OF[action];
  return typeof roles === 'string' ? mayCall(role, roles) : roles.includes(role);
}

/** Returns the next stage of an order, or `RETURNED`. Undefined at the end. */
export const nextOf = ({ stage, to_return: toReturn }: Pick<ActionState, 'stage' | 'to_return'>): string | undefined =>
  toReturn ? RETURNED : stageAfter(stage);

/** Returns true if the customer gets the clothes with this move, and confirms it with the code. */
export const isHandOver = (to: string | undefined): boolean => to === ('delivered' satisfies Stage) || to === RETURNED;

/** The actions that a list offers, the most likely one first. */
const NEXT_ACTIONS = [
  'count-bags',
  'reschedule',
  'weigh',
  'hand-over',
  'move',
  'receive',
  'attempt',
] as const satisfies readonly DeskAction[];
export type NextAction = (typeof NEXT_ACTIONS)[number];

/**
 * Returns the actions that a list offers for an order to a person of this role, the most likely one
 * first. Empty if the person has nothing to do with it now.
 */
export function nextActions(order: ListedOrder, role: Role): NextAction[] {
  const { attempt, bags_differ: doBagsDiffer, evening, stage, weight, left_to_pay: left, to_return: toReturn } = order;
  const isAtLaundry = stage === ('queue' satisfies Stage) || stage === ('washing' satisfies Stage);
  const isProbable: Readonly<Record<NextAction, boolean>> = {
    'count-bags': doBagsDiffer,
    reschedule: attempt !== null || evening !== null,
    weigh: weight === null,
    'hand-over': true,
    move: true,
    receive: (left ?? 0) > 0 && !isAtLaundry && !toReturn,
    attempt: attempt === null,
  };
  // An order whose clothes are back is in no list.
  const state = { ...order, isReturned: false };
  return NEXT_ACTIONS.filter((action) => isProbable[action] && isAllowed(state, action) && mayDo(role, action));
}

/** An entry can wait for a network on a phone for this time. */
const MAX_ENTRY_AGE_SECONDS = DAY_SECONDS;
const CLOCKS_DIFFER_SECONDS = 15 * 60;

/** Returns false if the entry is too old, or if the clock of the device is more than a day off. */
export const isPlausibleDeviceTime = (deviceAt: Date, now: Date): boolean =>
  Math.abs(now.getTime() - deviceAt.getTime()) <= MAX_ENTRY_AGE_SECONDS * 1000;

/**
 * Returns true if the times differ by more than 15 minutes: the clock of the device was wrong, or
 * the entry waited for a connection. False for an event without the time of a device.
 */
export const doClocksDiffer = (deviceAt: Date | null, at: Date): boolean =>
  deviceAt !== null && Math.abs(at.getTime() - deviceAt.getTime()) > CLOCKS_DIFFER_SECONDS * 1000;

/**
 * Returns true if a rider may not see the mobiles of the customer any more: a day after the
 * delivery, and after a cancellation once the customer has the clothes. `deliveredAt` is null
 * before the delivery.
 */
export const areMobilesHidden = (
  { stage, to_return: toReturn, deliveredAt }: Pick<ActionState, 'stage' | 'to_return'> & { deliveredAt: Date | null },
  now: Date,
): boolean =>
  (stage === ('cancelled' satisfies Stage) && !toReturn) || (deliveredAt !== null && addSeconds(deliveredAt, DAY_SECONDS) < now);

/**
 * Limits of the entries about one order in a day. A failed visit and a weighing send a message to
 * the customer. A new code allows as many wrong codes again.
 */
const MAX_NOTED_PER_DAY = { attempted: 4, weighed: 10, 'code-renewed': 5 } as const;

/**
 * Returns when the rider was at the door: the time of the device (`at`), which can send the entry
 * later, but no time before the order was placed or in the future.
 */
export function visitTimeOf(at: string | undefined, placedAt: Date, now: Date): Date {
  const deviceAt = at === undefined ? now : new Date(at);
  return deviceAt > now ? now : deviceAt < placedAt ? placedAt : deviceAt;
}

/** Returns true if the limit of this day in Asia/Kolkata is reached. False for an owner. */
export function isNotedTooOften(
  kind: keyof typeof MAX_NOTED_PER_DAY,
  history: readonly Pick<LaterEvent, 'kind' | 'at'>[],
  { role }: { role: Role },
  now: Date,
): boolean {
  const [today, latest] = [startOfKolkataDay(now), addSeconds(now, MAX_CLOCK_SKEW_SECONDS)];
  const noted = history.filter((event) => event.kind === kind && event.at >= today && event.at <= latest);
  return role !== 'owner' && noted.length >= MAX_NOTED_PER_DAY[kind];
}

/** The accepted changes of an order by one person in a day: each adds to what every page loads. */
export const MAX_STAFF_CHANGES_PER_DAY: Readonly<Record<Role, number>> = { owner: 300, operator: 100, rider: 100 };

/**
 * The note of such an event is the reason of a change. Events of older versions have no `reason`.
 */
const REASON_KINDS: ReadonlySet<string> = new Set<OrderEvent['kind']>([
  'cancelled',
  'delivery-chosen',
  'moved-back',
  'payment-dismissed',
  'payment-reversed',
  'refund-reversed',
  'refunded',
  'rescheduled',
  'return-undone',
  'returned',
]);

/**
 * Returns the note that a person wrote for the next visits, without the reason of the change, which
 * `note` begins with. Null without one.
 */
export function visitNote(event: OrderEvent & { note: string | null }): string | null {
  const { kind, note } = event;
  if (note === null || REASON_KINDS.has(kind)) return null;
  const reason = 'reason' in event ? event.reason : undefined;
  if (reason === undefined) return note;
  if (note === reason) return null;
  return note.startsWith(`${reason}. `) ? note.slice(reason.length + 2) : note;
}

/** The notes of an order and of its row in a list, the newest ones. The history has all. */
export const MAX_NOTES = 20;

type PlannedVisit = Pick<ListedOrder, 'stage' | 'weight' | 'pickup_date' | 'delivery_date'>;

/** Returns the evening of a pickup, or the one that was chosen for another delivery, else null. */
function plannedDay({ stage, weight, pickup_date: pickupDay, delivery_date: deliveryDay }: PlannedVisit): string | null {
  if (isAwaitingPickup(stage, weight)) return pickupDay;
  return stage === ('delivery' satisfies Stage) ? deliveryDay : null;
}

/** Returns the day of a visit that is planned for a later day, or null if it is due or made. */
export function laterVisitDay(order: PlannedVisit, now: Date): string | null {
  const day = plannedDay(order);
  return day !== null && day > kolkataDay(now) ? day : null;
}

/**
 * Returns the start of the slot of a visit that is planned for today, a date-time in Asia/Kolkata.
 * Returns null from that time on, and for every other visit.
 */
export function upcomingSlotStart(order: PlannedVisit, now: Date): string | null {
  const day = plannedDay(order);
  if (day !== kolkataDay(now)) return null;
  const start = startOfSlot(day);
  return kolkataDateTime(now) < start ? start : null;
}

/** Returns true if the laundry has until the end of this evening to collect or to bring back. */
export const isDueTonight = ({ attempt, due_at: dueAt }: Pick<ListedOrder, 'attempt' | 'due_at'>, now: Date): boolean =>
  attempt === null && dueAt !== null && dueAt.slice(0, 10) === kolkataDay(now) && kolkataDateTime(now) <= dueAt;

/** Returns true if clothes that are due tonight are not on their way yet. */
export const isToFinishTonight = (order: Pick<ListedOrder, 'stage' | 'attempt' | 'due_at'>, now: Date): boolean =>
  (order.stage === ('queue' satisfies Stage) || order.stage === ('washing' satisfies Stage)) && isDueTonight(order, now);

/**
 * The days of pickups that a rider sees: an order is delivered on the day after its pickup, so that
 * those of yesterday are the deliveries of today.
 */
export function riderDays(now: Date): { yesterday: string; tomorrow: string } {
  const today = kolkataDay(now);
  return { yesterday: addDays(today, -1), tomorrow: dayAfter(today) };
}

/**
 * Returns the last event that changed where the order or its clothes are, if the staff can undo it:
 * a move, a cancellation or a return. Undefined otherwise.
 */
export function lastMove<Event extends OrderEvent>(history: readonly Event[]): Event | undefined {
  const last = history.findLast(isMove);
  return last && ORDER_EVENTS[last.kind].isUndoable ? last : undefined;
}

/** Returns true if the washing of the order has begun, also if it was moved back since. */
export const wasWashed = (history: readonly { stage: Stage | null }[]): boolean =>
  history.some(({ stage }) => stage === ('washing' satisfies Stage));

type LaterEvent = OrderEvent & { staff_id: string | null };

/**
 * Returns the error that explains a stale version: the order was cancelled, or its pickup was
 * moved. Undefined for other changes, also if the order was weighed after the move. `later` are the
 * events after that version.
 */
export function changeMeanwhile(
  { stage, pickup_day: day }: { stage: Stage; pickup_day: string },
  later: readonly LaterEvent[],
): ErrorMessage | undefined {
  const time = (event: LaterEvent) => kolkataDateTime(event.at).slice(11, 16);
  if (stage === 'cancelled') {
    const cancelled = later.findLast((event) => event.kind === 'cancelled');
    return cancelled && deskError(cancelled.by === 'customer' ? 'customer-cancelled' : 'laundry-cancelled', { time: time(cancelled) });
  }
  const moved = later.findLast(({ kind }) => kind === 'rescheduled');
  if (!moved || stage !== 'pickup' || later.some(({ kind }) => kind === 'weighed')) return undefined;
  return deskError(moved.staff_id === null ? 'customer-moved-pickup' : 'laundry-moved-pickup', { time: time(moved), day });
}

/**
 * Returns true if a pickup can be weighed despite later changes: its cancellation was undone, it
 * was moved to today, or it was moved and the customer agrees to hand the clothes over now
 * (`isAgreed`). Returns false without later changes, and if any other change is among them.
 */
export function canStillWeigh(stage: Stage, later: readonly OrderEvent[], isAgreed: boolean, now: Date): boolean {
  const isHarmless = (event: OrderEvent) =>
    event.kind === 'cancelled' ||
    event.kind === 'cancellation-undone' ||
    (event.kind === 'rescheduled' && (isAgreed || event.pickupDay === kolkataDay(now)));
  return stage === 'pickup' && later.length > 0 && later.every(isHarmless);
}
