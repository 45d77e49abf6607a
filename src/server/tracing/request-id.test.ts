import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';
import { requestIdOf, traceIdOf } from './request-id.server.ts';

const program = useProgram();
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;

test.each([
  [traceparent, TRACE],
  [`01-${TRACE}-00f067aa0ba902b7-01-more`, TRACE],
  [`00-${TRACE}-00f067aa0ba902b7-01-more`, undefined],
  [`ff-${TRACE}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  [`00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  ['', undefined],
])('reads the trace id of %s', (header, expected) => {
  expect(traceIdOf({ traceparent: header })).toBe(expected);
});

test('makes an id if the header has none, or none that a log may contain', () => {
  for (const given of ['', 'short', 'x'.repeat(65), 'with space', 'line\nbreak']) {
    expect(requestIdOf({ 'x-request-id': given })).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test.each([
  ['a proxy', { 'x-request-id': 'proxy-0001' }, 'proxy-0001', undefined],
  ['a trace', { traceparent }, TRACE, TRACE],
  ['both', { 'x-request-id': 'proxy-0002', traceparent }, 'proxy-0002', TRACE],
])('returns and logs the id of %s', async (_, headers, id, trace) => {
  const { headers: response } = await program.caller().get('livez', headers);
  expect(response['x-request-id']).toBe(id);
  const line = program.log.map((text) => JSON.parse(text) as { reqId?: string; trace?: string }).find(({ reqId }) => reqId === id);
  expect(line?.trace).toBe(trace);
});
