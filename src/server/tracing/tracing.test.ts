/** Traces of requests at a collector. docs/decisions/0069. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { newMobile } from '../../../test/support/customer.ts';
import { httpCaller } from '../../../test/support/http-caller.ts';
import { MSG91_KEY, MSG91_TEMPLATE, startMsg91 } from '../../../test/support/msg91-stand-in.ts';
import { home, newOrderingCustomer } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { startStandIn, type StandInReply } from '../../../test/support/stand-in.ts';
import { addOrder } from '../../domains/orders/contract.ts';
import { sendCode } from '../../domains/verification/contract.ts';
import { startTracing } from './tracing.server.ts';
import { tracingSchema, tracingSettings } from './tracing-settings.server.ts';

/** A busy machine takes seconds for what usually takes milliseconds. */
const WAIT = { timeout: 20_000 };

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status?: { code: number };
}
interface Received {
  resourceSpans: { resource: { attributes: ReceivedSpan['attributes'] }; scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

let reply: StandInReply = { status: 200, json: {} };
const collector = await startStandIn(() => reply);
const msg91 = await startMsg91('code ##code##');
const program = useProgram({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
  OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
  OTEL_SERVICE_NAME: 'laundry',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  OTEL_BSP_SCHEDULE_DELAY: '20',
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: MSG91_KEY,
  MSG91_TEMPLATE_ID: MSG91_TEMPLATE,
  MSG91_URL: `${msg91.url}/api/v5/flow?key=hidden`,
  PUBLIC_URL: 'http://laundry.example',
  BOT_CHECK: 'off',
});

let origin = '';
// An injected request does not pass the server.
beforeAll(async () => {
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;
});
afterAll(() => {
  reply = { status: 200, json: {} };
});

const received = () => collector.requests.map(({ body }) => body as Received);
const spansOf = (traceId: string) =>
  received()
    .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    .filter((span) => span.traceId === traceId);
const attributesOf = ({ attributes }: Pick<ReceivedSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
const CLIENT_SPAN = '00f067aa0ba902b7';
let traces = 0;
const newTraceId = () => (0x4b_f9_2f_35_77_00 + (traces += 1)).toString(16).padStart(32, 'a');
/** Resolves to the spans of the trace, once that of the request has arrived. */
const arrived = (traceId: string) =>
  vi.waitFor(() => {
    const spans = spansOf(traceId);
    const server = spans.find(({ kind }) => kind === 2);
    expect(server).toBeDefined();
    return { server: server!, others: spans.filter((span) => span !== server) };
  }, WAIT);

test('an order is one trace with its statements, without personal data', async () => {
  const { caller: signedIn, order } = await newOrderingCustomer(program);
  const caller = httpCaller(() => origin);
  for (const [name, value] of signedIn.cookies) caller.cookies.set(name, value);
  const traceId = newTraceId();
  const placed = await caller.send(addOrder, order, { headers: { traceparent: `00-${traceId}-${CLIENT_SPAN}-01` } });
  expect(placed.response).toBe('success');

  const { server, others } = await arrived(traceId);
  expect(server).toMatchObject({ name: 'POST /orders/addorder.php', parentSpanId: CLIENT_SPAN });
  expect(attributesOf(server)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/orders/addorder.php',
    'http.response.status_code': 200,
  });
  expect(BigInt(server.endTimeUnixNano)).toBeGreaterThan(BigInt(server.startTimeUnixNano));
  const statements = others.filter((span) => attributesOf(span)['db.system.name'] === 'postgresql');
  expect(statements.length).toBeGreaterThan(1);
  expect(statements.every(({ parentSpanId, kind }) => parentSpanId === server.spanId && kind === 3)).toBe(true);
  expect(statements.map((span) => attributesOf(span)['db.query.text']).join('\n')).toContain('insert into orders (');
  const sent = JSON.stringify(received());
  for (const value of [home.name, home.mobile, home.address1, order.userid, placed.data?.orderid]) expect(sent).not.toContain(value);
  expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer secret' } });
  expect(attributesOf(received()[0]!.resourceSpans[0]!.resource)).toEqual({
    'service.name': 'laundry',
    'deployment.environment.name': 'test',
  });
});

test('the trace goes on at the SMS gateway', async () => {
  const mobile = newMobile();
  const traceId = newTraceId();
  const body = { mobile, purpose: 'signup', challenge: '' } as const;
  await httpCaller(() => origin).send(sendCode, body, { headers: { traceparent: `00-${traceId}-${CLIENT_SPAN}-01` } });
  const { server, others } = await arrived(traceId);
  const outgoing = others.find(({ name }) => name === 'POST 127.0.0.1')!;
  expect(outgoing.parentSpanId).toBe(server.spanId);
  expect(attributesOf(outgoing)).toEqual({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(msg91.url).port),
    'http.response.status_code': 200,
  });
  expect(msg91.requests.at(-1)?.headers.traceparent).toBe(`00-${traceId}-${outgoing.spanId}-01`);
  expect(JSON.stringify(received())).not.toContain(mobile);
  expect(JSON.stringify(received())).not.toContain('hidden');
});

test('a request without a trace begins one, whose id is in its response and its log line', async () => {
  const response = await fetch(`${origin}/livez`);
  const id = response.headers.get('x-request-id') ?? '';
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect((await arrived(id)).server.parentSpanId).toBeUndefined();
  expect(program.log.map((line) => JSON.parse(line) as { trace?: string })).toContainEqual(expect.objectContaining({ trace: id }));
});

test('a client that is not traced makes no spans', async () => {
  const [untraced, traced] = [newTraceId(), newTraceId()];
  for (const [traceId, flags] of [
    [untraced, '00'],
    [traced, '01'],
  ])
    await fetch(`${origin}/readyz`, { headers: { traceparent: `00-${traceId}-${CLIENT_SPAN}-${flags}` } });
  await arrived(traced);
  expect(spansOf(untraced)).toEqual([]);
});

test('a collector that fails is logged once and holds up neither requests nor a stop', async () => {
  const failures = () => program.log.filter((line) => line.includes('exporting traces failed'));
  reply = { status: 503, json: {} };
  const before = collector.requests.length;
  for (let exported = 1; exported <= 2; exported += 1) {
    await fetch(`${origin}/livez`);
    await vi.waitFor(() => expect(collector.requests.length).toBeGreaterThanOrEqual(before + exported), WAIT);
  }
  await vi.waitFor(() => expect(failures()).toHaveLength(1), WAIT);

  reply = 'hang';
  const requests = collector.requests.length;
  await fetch(`${origin}/livez`);
  await vi.waitFor(() => expect(collector.requests.length).toBeGreaterThan(requests), WAIT);
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  // `useProgram` stops the program while the collector hangs. Its time limit is a minute.
  await program.app.close();
  expect(failures()).toHaveLength(1);
});

const settingsOf = (environment: Record<string, string>) => tracingSettings(tracingSchema.parse(environment));

test('parses the settings of OpenTelemetry, and rejects unsupported values', () => {
  expect(settingsOf({})).toBeUndefined();
  expect(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example/', OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example/otlp/' })).toMatchObject({
    url: 'http://a.example/otlp/v1/traces',
    resource: { 'service.name': 'dhulai' },
  });
  expect(settingsOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a.example/x' })?.url).toBe('http://a.example/x');
  for (const invalid of [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'x' },
  ])
    expect(tracingSchema.safeParse(invalid).success).toBe(false);
});

test.each([
  ['always_off', 0],
  ['always_on', 400],
  ['traceidratio', 100],
])('the sampler %s samples %s of 400 requests', async (sampler, expected) => {
  const settings = settingsOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })!;
  const tracing = startTracing(settings, () => {});
  onTestFinished(() => tracing.stop());
  let sampled = 0;
  for (let number = 0; number < 400; number += 1) {
    const spread = ((number * 16 ** 13) / 400).toString(16).split('.')[0] ?? '';
    const request = { method: 'GET', headers: { traceparent: `00-${spread.padStart(13, '0').padStart(32, 'a')}-${CLIENT_SPAN}-00` } };
    const response = { once: () => {}, statusCode: 200 };
    tracing.serve(request as never, response as never, () => {
      if (request.headers.traceparent.endsWith('-01')) sampled += 1;
    });
  }
  expect(sampled).toBe(expected);
});
