import pLimit from 'p-limit';
import { networkBlock } from './client-network.server.ts';

/** The maximum number of calls is running and the queue is full. */
export class QueueFull extends Error {
  override name = 'QueueFull';
  /**
   * True for the queue of one key, such as a network. The request then responds with 429: a proxy
   * treats 503 as a fault of the process, which no client may cause.
   */
  readonly isOfOneKey: boolean;

  constructor({ isOfOneKey = false } = {}) {
    super();
    this.isOfOneKey = isOfOneKey;
  }
}

export interface ConcurrencyLimits {
  concurrent: number;
  queued: number;
}

/** `work` gets whether it had to wait for other calls. */
export type RunLimited = <Result>(work: (hasWaited: boolean) => Promise<Result>) => Promise<Result>;

/**
 * Runs at most `concurrent` calls at a time and queues up to `queued` more. Throws `QueueFull`
 * beyond that, so that load never builds up.
 */
export const concurrencyLimit = (limits: ConcurrencyLimits): RunLimited => createLimit(limits, { isOfOneKey: false });

function createLimit({ concurrent, queued }: ConcurrencyLimits, full: { isOfOneKey: boolean }): RunLimited {
  const limit = pLimit(concurrent);
  return async (work) => {
    if (limit.activeCount + limit.pendingCount >= concurrent + queued) throw new QueueFull(full);
    return limit(work, limit.activeCount >= concurrent);
  };
}

/**
 * Returns a separate limit for each key. It throws `QueueFull` if the queue of the key is full. A
 * key without running or queued calls uses no memory.
 */
export function concurrencyLimitByKey(limits: ConcurrencyLimits) {
  const byKey = new Map<string, { runLimited: RunLimited; users: number }>();
  return async <Result>(key: string, work: (hasWaited: boolean) => Promise<Result>): Promise<Result> => {
    const entry = byKey.get(key) ?? { runLimited: createLimit(limits, { isOfOneKey: true }), users: 0 };
    byKey.set(key, entry);
    entry.users += 1;
    try {
      return await entry.runLimited(work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) byKey.delete(key);
    }
  };
}

export type RunLimitedByKey = ReturnType<typeof concurrencyLimitByKey>;

/** Limits of all calls, of those of one network, and of those of one block of networks. */
export interface ClientConcurrencyLimits {
  total: ConcurrencyLimits;
  perNetwork: ConcurrencyLimits;
  perBlock: ConcurrencyLimits;
}

/**
 * Limits calls by client, so that neither a network nor a block of networks fills the queue. Throws
 * `QueueFull` beyond any of the limits.
 */
export function concurrencyLimitByClient({ total, perNetwork, perBlock }: ClientConcurrencyLimits): RunLimitedByKey {
  const runLimited = concurrencyLimit(total);
  const runLimitedByNetwork = concurrencyLimitByKey(perNetwork);
  const runLimitedByBlock = concurrencyLimitByKey(perBlock);
  return (network, work) => runLimitedByNetwork(network, () => runLimitedByBlock(networkBlock(network), () => runLimited(work)));
}
