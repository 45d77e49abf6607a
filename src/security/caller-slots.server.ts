import { concurrencyLimitByKey, type ConcurrencyLimits } from './concurrency-limit.server.ts';

/** The place of one request among those of its caller that run at the same time. */
export interface CallerSlot {
  /**
   * Waits until the limit lets another request of the caller run. Returns whether it had to wait:
   * the session may have ended meanwhile. Throws `QueueFull` if too many wait. Later calls return
   * the first result.
   */
  acquire(callerId: string): Promise<boolean>;
  /** Lets the next request of the caller run. */
  release(): void;
}

/**
 * Returns a function that creates the slot of a request. Requests of one caller wait for each other
 * at the row of the customer or order, each with a connection of the pool. So they wait here,
 * before they have one.
 */
export function createCallerSlots(limits: ConcurrencyLimits): () => CallerSlot {
  const runLimitedByKey = concurrencyLimitByKey(limits);
  return () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let acquired: Promise<boolean> | undefined;
    const wait = (callerId: string) =>
      new Promise<boolean>((resolve, reject) => {
        runLimitedByKey(callerId, async (hasWaited) => {
          resolve(hasWaited);
          await released;
        }).catch(reject);
      });
    return { acquire: (callerId) => (acquired ??= wait(callerId)), release };
  };
}
