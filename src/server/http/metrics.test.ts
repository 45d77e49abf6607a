/** The metrics that the alert rules and the dashboard of deploy/ use. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newId } from '../../lib/ids.ts';
import { addOrder } from '../../domains/orders/contract.ts';
import { newToken } from '../../security/tokens.server.ts';
import { addSeconds } from '../../lib/clock.ts';
import { BACKUP_RUN } from '../../domains/system/desk/rules.ts';
import { recordJob } from '../../domains/system/service.server.ts';
import { createMetrics } from './metrics.server.ts';

const METRICS_TOKEN = 'a token for Prometheus';
const program = useProgram({ METRICS_TOKEN });

const scrape = async () => (await program.caller().get('metrics', { authorization: `Bearer ${METRICS_TOKEN}` })).body;

test('starts what alerts count at 0, because an increase from no series is unknown', async () => {
  const text = await scrape();
  expect(text).toMatch(/^call_successes_total\{route="\/orders\/addorder\.php"\} 0$/m);
  for (const outcome of ['sent', 'not-sent', 'limit-of-all'])
    expect(text).toMatch(new RegExp(`^verification_code_requests_total\\{outcome="${outcome}"\\} 0$`, 'm'));
  expect(text).toMatch(/^job_runs_total\{job="[a-z -]+",outcome="failed"\} 0$/m);
});

test('counts orders placed and refused by reason', async () => {
  const customer = await newOrderingCustomer(program);
  await place(customer);
  await customer.caller.send(addOrder, { ...customer.order, orderrate: customer.order.orderrate + 1 } as typeof customer.order);
  const text = await scrape();
  expect(text).toContain('call_successes_total{route="/orders/addorder.php"} 1');
  expect(text).toMatch(/call_errors_total\{route="\/orders\/addorder\.php",code="[a-z-]+"\} 1/);
});

test('shows what waits with the age of the oldest, and the connections', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const created_at = addSeconds(program.clock.now(), -90);
  const payment = { method: 'upi', state: 'pending', amount_paise: 100, due_paise: 100, created_at } as const;
  await program.db
    .insertInto('payments')
    .values({ ...payment, order_id: orderid, tid: newToken().slice(0, 22), reference: newId() })
    .execute();
  const text = await scrape();
  expect(text).toContain('queue_waiting{queue="pending-payments-upi"} 1');
  expect(text).toContain('queue_oldest_age_seconds{queue="pending-payments-upi"} 90');
  expect(text).toContain('payments_of_last_day{method="upi",state="pending"} 1');
  expect(text).toMatch(/^queue_waiting\{queue="order-messages"\} [1-9]/m);
  expect(text).toMatch(/^database_pool_connections [1-9]/m);
  expect(text).toMatch(/^database_pool_waiting_requests 0$/m);
  expect(text).toMatch(/^database_up 1$/m);
});

test('shows that the database does not respond', async () => {
  const metrics = createMetrics({
    codeRequestOutcomes: [],
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    readState: () => Promise.reject(new Error('ECONNREFUSED')),
    clock: program.clock,
    replica: undefined,
  });
  expect(await metrics.text()).toMatch(/^database_up 0$/m);
});

test('counts the failed payments of the last 24 hours only, and every other method and state as 0', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const now = program.clock.now();
  const payment = { method: 'gateway', gateway: 'razorpay', state: 'failed', amount_paise: 100, due_paise: 100, created_at: now } as const;
  const failedAt = (settled_at: Date) => ({
    ...payment,
    settled_at,
    order_id: orderid,
    tid: newToken().slice(0, 22),
    reference: newId(),
    gateway_id: newId(),
    gateway_url: 'https://pay.invalid/',
  });
  const day = 24 * 60 * 60;
  await program.db
    .insertInto('payments')
    .values([failedAt(addSeconds(now, -day - 1)), failedAt(addSeconds(now, -day)), failedAt(now)])
    .execute();
  const text = await scrape();
  expect(text).toContain('payments_of_last_day{method="gateway",state="failed"} 2');
  expect(text).toContain('payments_of_last_day{method="gateway",state="received"} 0');
});

test('shows the last complete backup of any machine, and nothing before the first', async () => {
  const name = 'backup_last_success_timestamp_seconds';
  expect(await scrape()).not.toMatch(new RegExp(`^${name} `, 'm'));
  const endedAt = program.clock.now();
  const run = { job: BACKUP_RUN, startedAt: addSeconds(endedAt, -60), durationMs: 60_000 };
  await recordJob(program.db, run, endedAt);
  expect(await scrape()).toContain(`${name} ${endedAt.getTime() / 1000}\n`);
});

test('an alert or a panel names only metrics that the program has', async () => {
  const source = ['metrics', 'stored-state'].map((name) => readFileSync(`src/server/http/${name}.server.ts`, 'utf8')).join('\n');
  const known = new Set([...source.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b/g)].map(([, name]) => name));
  const alerts = readFileSync('deploy/prometheus/alerts.yaml', 'utf8').match(/expr: (?:\|\n(?:\s{10}.*\n)+|.*)/g) ?? [];
  const { panels } = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8')) as { panels: { targets: { expr: string }[] }[] };
  const expressions = [...alerts, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  expect(alerts.length).toBeGreaterThan(10);
  const functions = new Set(['histogram_quantile', 'min_over_time']);
  const unknown = expressions
    .flatMap((expression) => expression.replaceAll(/"[^"]*"/g, '').match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? [])
    .map((name) => name.replace(/_(?:bucket|count)$/, ''))
    .filter((name) => !known.has(name) && !functions.has(name));
  expect(unknown).toEqual([]);
});
