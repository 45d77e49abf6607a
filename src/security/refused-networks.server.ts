import type { Clock } from '../lib/clock.ts';

/** Bounds the memory. A network that is deleted early is refused again by the rate limit. */
const MAX_NETWORKS = 10_000;

/** Windows of rate limits are not longer. A longer time was computed by a clock that was ahead. */
const MAX_SECONDS = 60 * 60;

/**
 * The networks that a rate limit has refused, so that their next requests run nothing. A count only
 * grows within its window, so the limit would refuse them again.
 */
export interface RefusedNetworks {
  /** `seconds`: the time after which the rate limit accepts the network again. */
  add(network: string, seconds: number): void;
  /** Returns false from that time on, and for a network that was never added. */
  has(network: string): boolean;
}

export function createRefusedNetworks(clock: Clock): RefusedNetworks {
  const refusedUntil = new Map<string, number>();
  return {
    add(network, seconds) {
      refusedUntil.delete(network);
      const [oldest] = refusedUntil.keys();
      if (refusedUntil.size >= MAX_NETWORKS && oldest !== undefined) refusedUntil.delete(oldest);
      refusedUntil.set(network, clock.now().getTime() + seconds * 1000);
    },
    has(network) {
      const until = refusedUntil.get(network);
      if (until === undefined) return false;
      const leftMs = until - clock.now().getTime();
      if (leftMs > 0 && leftMs <= MAX_SECONDS * 1000) return true;
      refusedUntil.delete(network);
      return false;
    },
  };
}
