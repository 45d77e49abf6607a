import { expect, test } from 'vitest';
import { runProcessParts } from './process-lifetime.server.ts';

test('stops the parts once, newest first, also after one that fails', async () => {
  const stopped: string[] = [];
  const { ready, stop } = runProcessParts(async (onStop) => {
    onStop(async () => void stopped.push('database'));
    onStop(() => Promise.reject(new Error('a hook failed')));
    onStop(async () => void stopped.push('listener'));
  });
  await ready;
  const stops = [stop(), stop()];
  await expect(Promise.all(stops)).rejects.toMatchObject({ errors: [new Error('a hook failed')] });
  expect(stopped).toEqual(['listener', 'database']);
});

test('stop aborts a start and stops what it has started', async () => {
  const stopped: string[] = [];
  const { ready, stop } = runProcessParts(async (onStop, stopping) => {
    onStop(async () => void stopped.push('database'));
    await new Promise((_resolve, reject) => stopping.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  await stop();
  await expect(ready).rejects.toThrow('aborted');
  expect(stopped).toEqual(['database']);
});
