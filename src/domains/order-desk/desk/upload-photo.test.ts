import { expect, onTestFinished, test, vi } from 'vitest';
import { CallRefused } from '../../../contract/call-failures.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import { uploadOrderPhoto } from './upload-photo.ts';

test('a refused upload has the wait of the server, and its response sets the time of the server', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const headers = { date: 'Sat, 21 Nov 2026 13:00:00 GMT', 'retry-after': '7' };
  const body = { response: 'error', code: 'busy', message: 'Busy', params: {}, data: null };
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 503, headers }));
  const error: unknown = await uploadOrderPhoto(
    new Blob(['photo'], { type: 'image/jpeg' }),
    { orderid: 'A', kind: 'weigh' },
    { idempotencyKey: 'K' },
  ).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallRefused);
  expect(error).toMatchObject({ status: 503, retryAfterSeconds: 7 });
  expect(Math.abs(serverClock.now().getTime() - Date.parse(headers.date))).toBeLessThan(30_000);
});
