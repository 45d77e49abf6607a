import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createRefusedNetworks } from './refused-networks.server.ts';

test('a network is refused until its time is over', () => {
  const clock = fakeClock();
  const refused = createRefusedNetworks(clock);
  refused.add('192.0.2.1', 60);
  clock.advance(59);
  expect([refused.has('192.0.2.1'), refused.has('192.0.2.2')]).toEqual([true, false]);
  clock.advance(1);
  expect(refused.has('192.0.2.1')).toBe(false);
});

test('a network is not refused for longer after the clock was set back', () => {
  const clock = fakeClock();
  const refused = createRefusedNetworks(clock);
  refused.add('192.0.2.1', 600);
  clock.advance(-7200);
  expect(refused.has('192.0.2.1')).toBe(false);
});

test('ten thousand networks are remembered, the newest ones', () => {
  const refused = createRefusedNetworks(fakeClock());
  const networkOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  for (let index = 0; index <= 10_000; index += 1) refused.add(networkOf(index), 60);
  expect([0, 1, 10_000].map((index) => refused.has(networkOf(index)))).toEqual([false, true, true]);
});
