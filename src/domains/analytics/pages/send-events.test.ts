import { expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionLost } from '../../../contract/call-failures.ts';
import type { AnalyticsEvent } from '../contract.ts';
import { sendEvents } from './send-events.ts';

test('after a lost connection, the next events ask again whether the server counts', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requests.push(path);
    if (requests.length === 1) throw new TypeError('Failed to fetch');
    return Response.json({ response: 'success', message: '', data: path === '/analytics/settings' ? { counting: true } : null });
  });
  const visit = 'A'.repeat(20);
  const events: AnalyticsEvent[] = [{ name: 'page_view', page: '/' }];
  await expect(sendEvents(visit, events)).rejects.toThrow(ConnectionLost);
  await sendEvents(visit, events);
  await sendEvents(visit, events);
  expect(requests).toEqual(['/analytics/settings', '/analytics/settings', '/analytics/collect', '/analytics/collect']);
});
