import { expect, onTestFinished, test, vi } from 'vitest';
import { CallRefused } from '../../../contract/call-failures.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import { uploadPhoto } from './upload-photo.ts';

const HEADERS = new Headers({ date: 'Sat, 21 Nov 2026 13:00:00 GMT', 'retry-after': '7' });

/** Node has no XMLHttpRequest. */
class BusyRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 503;
  readonly responseText = JSON.stringify({ response: 'error', code: 'busy', message: 'Busy', params: {}, data: null });
  open() {}
  setRequestHeader() {}
  send() {
    this.dispatchEvent(new Event('load'));
  }
  getResponseHeader(name: string) {
    return HEADERS.get(name);
  }
}

test('a refused upload has the wait of the server, and its response sets the time of the server', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('XMLHttpRequest', BusyRequest);
  const options = { userid: undefined, onProgress() {}, signal: new AbortController().signal };
  const error: unknown = await uploadPhoto(new Blob(['photo'], { type: 'image/jpeg' }), options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallRefused);
  expect(error).toMatchObject({ status: 503, retryAfterSeconds: 7 });
  expect(Math.abs(serverClock.now().getTime() - Date.parse(HEADERS.get('date') ?? ''))).toBeLessThan(30_000);
});
