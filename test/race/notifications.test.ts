/** Messages about orders from processes that are killed: each event is sent at most once. */
import { expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOTIFICATION_KINDS } from '../../src/domains/notifications/contract.ts';
import { templates } from '../../src/domains/notifications/rules.ts';
import { weighOrder } from '../../src/domains/orders/service.server.ts';
import { MSG91_KEY, MSG91_TEMPLATE, startMsg91 } from '../support/msg91-stand-in.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { size } from '../support/size.ts';
import { newTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';

const service = await startMsg91('code ##code##', templates({ brand: 'Dhulai', url: '' }));
const SETTINGS = {
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: MSG91_KEY,
  MSG91_TEMPLATE_ID: MSG91_TEMPLATE,
  MSG91_URL: service.url,
  PUBLIC_URL: 'http://localhost',
  ...Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [`MSG91_TEMPLATE_${kind.toUpperCase()}`, kind])),
};

const ORDERS = size({ small: 12, full: 200 });

const countStates = async ({ db }: TestEnvironment) => {
  const rows = await db
    .selectFrom('notifications')
    .select(['state', (of) => of.fn.countAll<number>().as('rows')])
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, rows }) => [state, rows]));
};

async function waitUntil(condition: () => Promise<boolean>) {
  while (!(await condition())) await sleep(50);
}

/** Waits until no message is waiting and none is being sent. */
const settled = (environment: TestEnvironment) =>
  waitUntil(async () => {
    const { waiting = 0, sending = 0 } = await countStates(environment);
    return waiting + sending === 0;
  });

const attempts = async ({ db }: TestEnvironment) => {
  const rows = await db.selectFrom('notifications').select('attempts').execute();
  return rows.reduce((sum, row) => sum + row.attempts, 0);
};

async function placeAndWeigh(environment: TestEnvironment, count: number) {
  const who = await newOrderingCustomer(environment);
  for (let index = 0; index < count; index += 1) {
    const { orderid } = await place(who, {}, { idempotencyKey: `order-${index}-${who.userid}`.slice(0, 64) });
    await weighOrder(environment.db, orderid, 2640, 3, environment.clock.now());
  }
}

/** Starts processes. The messages about the sample orders are sent and forgotten. */
async function started(processes: number) {
  const environment = await newTestEnvironment();
  service.behave();
  const programs = await Promise.all(Array.from({ length: processes }, () => environment.start(undefined, SETTINGS)));
  await settled(environment);
  await environment.db.deleteFrom('notifications').execute();
  service.phones.length = 0;
  return { environment, programs };
}

test(`${ORDERS} orders, two processes: every message is sent once`, { timeout: 300_000 }, async () => {
  const { environment } = await started(2);
  await placeAndWeigh(environment, ORDERS);
  await settled(environment);
  expect(await countStates(environment)).toEqual({ sent: 2 * ORDERS });
  expect(service.phones).toHaveLength(2 * ORDERS);
  expect(new Set(service.phones.map(({ text }) => text)).size).toBe(2 * ORDERS);
});

test('a process that is killed while the gateway responds: its message arrives once, all others too', { timeout: 300_000 }, async () => {
  const { environment, programs } = await started(1);
  // The gateway delivers each message and never responds.
  service.behave(['hang'], { delivering: true });
  await placeAndWeigh(environment, 3);
  await waitUntil(async () => service.phones.length > 0);
  await programs[0]?.kill();
  service.behave();
  environment.programs.length = 0;
  await environment.start(undefined, SETTINGS);
  await waitUntil(async () => !(await countStates(environment)).waiting);
  await waitUntil(async () => (await countStates(environment)).sent === 5);
  // The message of the killed process is not sent again.
  expect(await countStates(environment)).toEqual({ sending: 1, sent: 5 });
  expect(service.phones).toHaveLength(6);
  expect(new Set(service.phones.map(({ text }) => text)).size).toBe(6);
});

test('a program that is killed while the gateway is down loses no message', { timeout: 300_000 }, async () => {
  const { environment, programs } = await started(1);
  service.behave([{ status: 503, json: {} }]);
  await placeAndWeigh(environment, 1);
  await waitUntil(async () => (await attempts(environment)) >= 2 && (await countStates(environment)).waiting === 2);
  await programs[0]?.kill();
  expect(service.phones).toEqual([]);
  service.behave();
  environment.programs.length = 0;
  // The next attempts would be due later.
  await environment.db.updateTable('notifications').set({ due_at: environment.clock.now() }).where('state', '=', 'waiting').execute();
  await environment.start(undefined, SETTINGS);
  await settled(environment);
  expect(await countStates(environment)).toEqual({ sent: 2 });
  expect(new Set(service.phones.map(({ text }) => text)).size).toBe(2);
});
