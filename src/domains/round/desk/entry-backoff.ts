const FIRST_DELAY_MS = 2000;
const MAX_DELAY_MS = 60_000;

/** Returns the wait after this number of consecutive failures. */
export const retryDelayMs = (failures: number, retryAfterSeconds = 0): number =>
  Math.max(Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS), retryAfterSeconds * 1000);

/** The waits of the orders whose last request failed. */
export interface EntryBackoff {
  /** Returns whether a request may be sent now. */
  isDue(orderid: string): boolean;
  /** Doubles the wait of an order, or sets the one that the server demands. */
  recordFailure(orderid: string, retryAfterSeconds: number | undefined): void;
  forget(orderid: string): void;
  /** Ends the waits of all other orders. */
  keepOnly(orderids: readonly string[]): void;
  clear(): void;
  /** Returns the milliseconds until the first wait ends, at least 0. Undefined without a wait. */
  nextDelayMs(): number | undefined;
}

export function createEntryBackoff(): EntryBackoff {
  const failures = new Map<string, { count: number; retryAt: number }>();
  return {
    isDue: (orderid) => (failures.get(orderid)?.retryAt ?? 0) <= performance.now(),
    recordFailure(orderid, retryAfterSeconds) {
      const count = (failures.get(orderid)?.count ?? 0) + 1;
      failures.set(orderid, { count, retryAt: performance.now() + retryDelayMs(count, retryAfterSeconds) });
    },
    forget: (orderid) => void failures.delete(orderid),
    keepOnly(orderids) {
      for (const orderid of failures.keys()) if (!orderids.includes(orderid)) failures.delete(orderid);
    },
    clear: () => failures.clear(),
    nextDelayMs() {
      if (failures.size === 0) return undefined;
      const first = Math.min(...[...failures.values()].map(({ retryAt }) => retryAt));
      return Math.max(0, first - performance.now());
    },
  };
}
