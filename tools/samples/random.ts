/** Reproducible random numbers, for samples and tests. */
export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns true with probability 1 / `times`. */
  oneIn(times: number): boolean;
}

/** Creates a Mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    pick: (items) => {
      if (items.length === 0) throw new Error('nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
    oneIn: (times) => below(times) === 0,
  };
}
