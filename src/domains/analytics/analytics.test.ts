import { expect, onTestFinished, test } from 'vitest';
import { createCaller } from '../../../test/support/caller.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { startStandIn } from '../../../test/support/stand-in.ts';
import { composeProgram } from '../../compose.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { analyticsSettings, collectEvents } from './contract.ts';
import { parseSettings } from '../../settings.server.ts';
import { ga4Sink } from './provider.server.ts';

const program = useProgram();
const withoutAnalytics = useProgram({ ANALYTICS: 'off' });

test('writes events to the log, with amounts in paise', async () => {
  const visit = newId();
  const events = [{ name: 'purchase', page: 'domains/orders/pages/placing/confirm', value: asPaise(12_350) } as const];
  expect(await program.caller().send(collectEvents, { visit, events })).toMatchObject({ response: 'success' });
  const lines = program.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toContainEqual(
    expect.objectContaining({ analytics: 'purchase', visit, page: 'domains/orders/pages/placing/confirm', paise: 12_350 }),
  );
});

test('rejects a URL as a page name, because it could contain a number or a code', async () => {
  for (const page of ['/auth/orders/vieworder/4K7Q9XNTB4M2', 'XOBYRDNUAL', 'a b', '']) {
    const response = await program.caller().post('analytics/collect', { visit: newId(), events: [{ name: 'page_view', page }] });
    expect(response.statusCode).toBe(400);
  }
});

test('returns whether analytics is on', async () => {
  expect((await program.caller().send(analyticsSettings, {})).data).toEqual({ counting: true });
  expect((await withoutAnalytics.caller().send(analyticsSettings, {})).data).toEqual({ counting: false });
});

test('sends events to Google Analytics in its format, in rupees', async () => {
  const google = await startStandIn(() => ({ status: 204, text: '' }));
  const sink = ga4Sink({ url: google.url, measurementId: 'G-TEST', apiSecret: 'secret' });
  await sink.send('VISIT', [{ name: 'purchase', page: 'home', value: asPaise(12_350) }]);
  expect(google.requests[0]).toMatchObject({
    path: '/mp/collect?measurement_id=G-TEST&api_secret=secret',
    body: { client_id: 'VISIT', events: [{ name: 'purchase', params: { page_title: 'home', value: 123.5, currency: 'INR' } }] },
  });
});

test('throws if Google Analytics returns an error', async () => {
  const google = await startStandIn(() => ({ status: 500, text: 'no' }));
  const sink = ga4Sink({ url: google.url, measurementId: 'G-TEST', apiSecret: 'secret' });
  await expect(sink.send('VISIT', [{ name: 'login', page: 'home' }])).rejects.toThrow('returned 500');
});

test('holds eight connections at most to a service that does not respond, and reports lost events once', async () => {
  const google = await startStandIn(() => 'hang');
  const log: string[] = [];
  const { app } = await composeProgram({
    settings: parseSettings({ ANALYTICS: 'ga4', GA4_MEASUREMENT_ID: 'G-TEST', GA4_API_SECRET: 'secret', GA4_URL: google.url }),
    database: program.connection,
    secret: TEST_SECRET,
    build: undefined,
    clock: program.clock,
    logStream: { write: (line) => void log.push(line) },
  });
  onTestFinished(() => app.close());
  const visit = newId();
  const caller = createCaller(() => app);
  for (let count = 0; count < 120; count += 1) {
    expect(await caller.send(collectEvents, { visit, events: [{ name: 'page_view', page: 'home' }] })).toMatchObject({
      response: 'success',
    });
  }
  await expect.poll(() => google.requests.length).toBe(8);
  expect(log.filter((line) => line.includes('sending analytics'))).toHaveLength(1);
});

// Last, because it uses the limit up.
test('limits the events of all networks together', async () => {
  const send = async (ip: string) => {
    const body = { visit: newId(), events: [{ name: 'page_view', page: 'home' }] };
    return (await program.caller({ ip }).post('analytics/collect', body)).statusCode;
  };
  expect(await send('198.51.100.51')).toBe(200);
  await program.db.updateTable('limit_windows').set({ taken: 5999 }).where('name', '=', 'analytics').execute();
  expect([await send('203.0.113.51'), await send('192.0.2.51')]).toEqual([200, 429]);
});
