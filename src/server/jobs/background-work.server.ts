type RunInBackground = (name: string, work: (stopping: AbortSignal) => Promise<void>) => Promise<void>;

/**
 * Returns `run`, which starts work that may continue after the response to its request, and `stop`,
 * which aborts that work and waits until it has ended.
 */
export function createBackgroundWork(onFailure: (error: unknown, name: string) => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  /** Never rejects: `onFailure` is called with an error. */
  const run: RunInBackground = async (name, work) => {
    const ended = work(signal).catch((error: unknown) => {
      if (!signal.aborted) onFailure(error, name);
    });
    running.add(ended);
    await ended;
    running.delete(ended);
  };

  return {
    run,
    /** Aborts the work. Resolves once none uses the database. */
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
