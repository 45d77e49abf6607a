/** Turns: so many pieces of work at once, so many waiting, and no more. Whoever comes to a full queue is sent away instead of slowing down everyone. */

export class QueueFull extends Error {
  override name = 'QueueFull';
}

export interface ConcurrencyLimits {
  concurrent: number;
  queued: number;
}

export type RunLimited = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function concurrencyLimit({ concurrent, queued }: ConcurrencyLimits): RunLimited {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running < concurrent) running += 1;
    else if (queue.length >= queued) throw new QueueFull();
    else await new Promise<void>((go) => queue.push(go));
    try {
      return await work();
    } finally {
      // The turn goes straight to the next in line, so that nobody can slip in between.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Turns of their own for every key. A key that nobody uses takes no memory. */
export function concurrencyLimitByKey(limits: ConcurrencyLimits) {
  const byKey = new Map<string, { runLimited: RunLimited; users: number }>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const own = byKey.get(key) ?? { runLimited: concurrencyLimit(limits), users: 0 };
    byKey.set(key, own);
    own.users += 1;
    try {
      return await own.runLimited(work);
    } finally {
      own.users -= 1;
      if (own.users === 0) byKey.delete(key);
    }
  };
}
