/** Changes within this time cause one update of the screen. */
const COLLECT_MS = 500;

/** The orders that have changed, or null if anything may have changed. */
export type Changes = ReadonlySet<string> | null;

/** Runs `update`, one call at a time. Changes that arrive during an update cause one more. */
export function createUpdates(update: (changes: Changes) => Promise<void>) {
  /** The changes since the last update began. Undefined: nothing. */
  let changed: Set<string> | null | undefined;
  let isUpdating = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async () => {
    if (isUpdating) return;
    isUpdating = true;
    try {
      for (let next = changed; next !== undefined; next = changed) {
        changed = undefined;
        await update(next);
      }
    } finally {
      isUpdating = false;
    }
  };
  return {
    /** Rejects if the update fails. A later change causes another one. */
    updateAll(): Promise<void> {
      changed = null;
      return run();
    },
    /** Waits for further changes first. */
    updateOrder(orderid: string) {
      if (changed !== null) changed = new Set(changed).add(orderid);
      timer ??= setTimeout(() => {
        timer = undefined;
        void run();
      }, COLLECT_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
