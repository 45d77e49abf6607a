/** The table of allowed actions, and what the server refuses. docs/decisions/0085. */
import { describe, expect, test } from 'vitest';
import { readDeskOrder, targetOf } from '../../../test/support/desk-order.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { newId } from '../../lib/ids.ts';
import { STAGES, type Stage } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { mayCall, ROLES } from '../staff/desk/contract.ts';
import { attempt, cancelDeskOrder, move } from './desk/contract.ts';
import { isAllowed, isHandOver, mayDo, nextOf, actionStateOf, type DeskAction, type ActionState } from './desk/rules.ts';

const program = useProgram();

interface Scene {
  owner: TestStaff;
  orderid: string;
}

const read = ({ owner, orderid }: Scene) => readDeskOrder(owner, orderid);
const target = ({ owner, orderid }: Scene) => targetOf(owner, orderid);

const weigh = ({ orderid }: Scene) => weighOrder(program.db, orderid, 7530, 12, program.clock.now());
async function advance(scene: Scene, ...stages: ('queue' | 'washing' | 'delivery' | 'delivered')[]) {
  await weigh(scene);
  for (const stage of stages) await moveOrder(program.db, scene.orderid, stage, program.clock.now(), { bonusTime: 'sign-up' });
}
const cancel = async (scene: Scene) => scene.owner.caller.send(cancelDeskOrder, { ...(await target(scene)), reason: 'No water' });

/** Each stage, and the states within a stage that allow other actions. */
type State = Stage | 'collected' | 'failed delivery' | 'to return' | 'returned';

/** The states, how an order gets there, and the actions that it then allows. */
const STATES: Record<State, { reach(scene: Scene): Promise<unknown>; allows: DeskAction[] }> = {
  pickup: { reach: async () => {}, allows: ['weigh', 'attempt', 'reschedule', 'cancel', 'assign'] },
  collected: { reach: weigh, allows: ['weigh', 'move', 'count-bags', 'cancel', 'assign'] },
  queue: {
    reach: (scene) => advance(scene, 'queue'),
    allows: ['move', 'move-back', 'move-back-washed', 'count-bags', 'cancel', 'assign', 'receive'],
  },
  washing: { reach: (scene) => advance(scene, 'queue', 'washing'), allows: ['move', 'move-back', 'count-bags', 'assign', 'receive'] },
  delivery: {
    reach: (scene) => advance(scene, 'queue', 'washing', 'delivery'),
    allows: ['hand-over', 'hand-over-without-code', 'renew-code', 'move-back', 'count-bags', 'attempt', 'assign', 'receive'],
  },
  'failed delivery': {
    async reach(scene) {
      await advance(scene, 'queue', 'washing', 'delivery');
      await scene.owner.caller.send(attempt, { ...(await target(scene)), why: 'other' });
    },
    allows: ['hand-over', 'hand-over-without-code', 'renew-code', 'move-back', 'count-bags', 'attempt', 'reschedule', 'assign', 'receive'],
  },
  delivered: { reach: (scene) => advance(scene, 'queue', 'washing', 'delivery', 'delivered'), allows: ['move-back', 'receive'] },
  cancelled: { reach: cancel, allows: [] },
  'to return': {
    async reach(scene) {
      await advance(scene, 'queue');
      await cancel(scene);
    },
    allows: ['hand-over', 'hand-over-without-code', 'renew-code', 'count-bags', 'attempt', 'assign', 'receive'],
  },
  returned: {
    async reach(scene) {
      await advance(scene, 'queue');
      await cancel(scene);
      await scene.owner.caller.send(move, { ...(await target(scene)), stage: 'returned', reason: 'Came to the shop' });
    },
    allows: ['move-back', 'receive'],
  },
};

/** The stage that a request names. It is the next one where the next move is of this action. */
const stageOf = (state: ActionState, action: 'move' | 'hand-over') => {
  const next = nextOf(state);
  if (next !== undefined && isHandOver(next) === (action === 'hand-over')) return next;
  return action === 'move' ? 'washing' : 'delivered';
};

/** A request of each action. */
const requestsOf = (state: ActionState): Record<DeskAction, { path: string; body: object }> => ({
  weigh: { path: 'staff/weigh', body: { weight: 8, items: 12, reason: 'The scale was wrong' } },
  move: { path: 'staff/move', body: { stage: stageOf(state, 'move') } },
  'hand-over': { path: 'staff/move', body: { stage: stageOf(state, 'hand-over'), code: '1234' } },
  'hand-over-without-code': { path: 'staff/move', body: { stage: stageOf(state, 'hand-over'), reason: 'The guard took it' } },
  'renew-code': { path: 'staff/renewcode', body: {} },
  'count-bags': { path: 'staff/countbags', body: { bags: 2 } },
  'move-back': { path: 'staff/moveback', body: { reason: 'A mistake' } },
  'move-back-washed': { path: 'staff/moveback', body: { reason: 'A mistake' } },
  attempt: { path: 'staff/attempt', body: { why: 'other' } },
  reschedule: { path: 'staff/reschedule', body: { pickup_date: '2026-11-23', reason: 'The van is broken' } },
  cancel: { path: 'staff/cancel', body: { reason: 'The dryer is broken' } },
  assign: { path: 'staff/assign', body: { rider: null } },
  receive: { path: 'staff/receive', body: { method: 'cash', amount: 1, overpaid: true } },
});
const PATHS = requestsOf({ stage: 'pickup', to_return: false } as ActionState);
const ACTIONS = Object.keys(PATHS) as DeskAction[];

const REFUSALS = ['wrong-stage', 'not-weighed', 'first-stage', 'amount-unknown'];

describe.each(Object.entries(STATES))('%s', (_state, { reach, allows }) => {
  const newScene = async () => {
    const owner = await newStaff(program, 'owner');
    const { orderid } = await place(await newOrderingCustomer(program));
    const scene = { owner, orderid };
    await reach(scene);
    // A move by this person can be undone for a minute.
    program.clock.advance(61);
    return scene;
  };
  const send = async (scene: Scene, action: DeskAction) => {
    const { path, body } = requestsOf(actionStateOf(await read(scene)))[action];
    const at = path === 'staff/receive' ? { orderid: scene.orderid } : await target(scene);
    return scene.owner.caller.post(path, { ...at, ...body }, { 'idempotency-key': newId() });
  };

  test('allows the actions of the table, and the server refuses all others', async () => {
    const scene = await newScene();
    const state = actionStateOf(await read(scene));
    expect(ACTIONS.filter((action) => isAllowed(state, action)).toSorted()).toEqual(allows.toSorted());
    // The server checks 'move-back-washed' if 'move-back' is allowed.
    for (const action of ACTIONS.filter((other) => !allows.includes(other) && other !== 'move-back-washed')) {
      const response = await send(scene, action);
      expect(REFUSALS, `${action}: ${response.body}`).toContain(response.json().code);
    }
  });

  test.each(allows)('accepts %s at the server', async (action) => {
    const { code, ...envelope } = (await send(await newScene(), action)).json();
    if (action === 'hand-over') expect(code).toBe('wrong-hand-over-code');
    else expect({ code, ...envelope }).toMatchObject({ response: 'success' });
  });
});

test('the laundry cancels in the stages that permit it', async () => {
  for (const { stage, cancelledBy } of STAGES) {
    const state = { stage, to_return: false, attempt: null, delivery_date: null, weight: 7530, isReturned: false };
    expect(isAllowed(state, 'cancel'), stage).toBe((cancelledBy as readonly string[]).includes('laundry'));
  }
});

test.each(ROLES)('a button of a %s is for a call of that role', (role) => {
  const paths = { ...PATHS } as Record<DeskAction, { path: Parameters<typeof mayCall>[1] }>;
  for (const action of ACTIONS) if (mayDo(role, action)) expect(mayCall(role, paths[action].path), action).toBe(true);
  expect(ACTIONS.filter((action) => !mayDo(role, action))).toEqual(
    {
      owner: [],
      operator: ['move-back-washed'],
      rider: ['hand-over-without-code', 'renew-code', 'move-back', 'move-back-washed', 'reschedule', 'cancel', 'assign'],
    }[role],
  );
});
