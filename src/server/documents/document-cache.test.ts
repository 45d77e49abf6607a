import { beforeEach, expect, test } from 'vitest';
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { createDocumentCache, type DocumentCache } from './document-cache.server.ts';

interface RenderedDocument {
  status: number;
}

const document = (status = 200): RenderedDocument => ({ status });

let clock: FakeClock;
let cache: DocumentCache<RenderedDocument>;
beforeEach(() => {
  clock = fakeClock();
  cache = createDocumentCache(clock);
});

/** A rendering that the test completes. */
function rendering() {
  const { promise, resolve, reject } = Promise.withResolvers<RenderedDocument>();
  return { render: () => promise, resolve, reject };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('concurrent requests share one rendering, and peek returns it when it is complete', async () => {
  const { render, resolve } = rendering();
  const [first, second] = [cache.get('/', render), cache.get('/', () => Promise.reject(new Error('rendered twice')))];
  expect(cache.peek('/')).toBeUndefined();
  const rendered = document();
  resolve(rendered);
  expect([await first, await second]).toEqual([rendered, rendered]);
  expect(cache.peek('/')).toBe(rendered);
});

test('renders again after the clock was set back', async () => {
  clock.advance(60 * 60);
  await cache.get('/', async () => document());
  clock.advance(-60 * 60);
  expect(cache.peek('/')).toBeUndefined();
  const second = document();
  expect(await cache.get('/', async () => second)).toBe(second);
});

test('after a second, the next request renders again and receives the previous document', async () => {
  const first = document();
  await cache.get('/', async () => first);
  clock.advance(0.9);
  expect(cache.peek('/')).toBe(first);
  expect(await cache.get('/', () => Promise.reject(new Error('rendered too early')))).toBe(first);
  clock.advance(0.1);
  expect(cache.peek('/')).toBeUndefined();
  const second = document();
  expect(await cache.get('/', async (previous) => (previous === first ? second : document()))).toBe(second);
});

test('an error is not cached', async () => {
  await cache.get('/', async () => document(500));
  await expect(cache.get('/reviews', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  await settled();
  const rendered = document();
  expect(await cache.get('/', async () => rendered)).toBe(rendered);
  expect(await cache.get('/reviews', async () => rendered)).toBe(rendered);
});

test('requests during a slow rendering wait for it and start no other', async () => {
  const slow = rendering();
  const first = cache.get('/', slow.render);
  clock.advance(5);
  const second = cache.get('/', () => Promise.reject(new Error('rendered twice')));
  const rendered = document();
  slow.resolve(rendered);
  expect([await first, await second]).toEqual([rendered, rendered]);
});

test('requests during a rendering that fails fail with it, and the next request renders again', async () => {
  const slow = rendering();
  const requests = [cache.get('/', slow.render)];
  clock.advance(5);
  requests.push(cache.get('/', () => Promise.reject(new Error('rendered twice'))));
  slow.reject(new Error('no database'));
  await expect(Promise.all(requests)).rejects.toThrow('no database');
  expect((await Promise.allSettled(requests)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const rendered = document();
  expect(await cache.get('/', async () => rendered)).toBe(rendered);
});

test('a rendering that never ends fails after the timeout, and the next request renders again', async () => {
  const cache = createDocumentCache<RenderedDocument>(clock, 5);
  await expect(cache.get('/', () => new Promise(() => {}))).rejects.toThrow('not rendered in 5 ms');
  const rendered = document();
  expect(await cache.get('/', async () => rendered)).toBe(rendered);
});
