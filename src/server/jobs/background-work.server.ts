/** Work that may continue after the response to its request. */
export interface BackgroundWork {
  /**
   * Starts work and resolves once it has ended. Never rejects: an error of the work is passed to
   * `onFailure` with its name, and dropped after `stop`. `stopping` is aborted by `stop`.
   */
  run(name: string, work: (stopping: AbortSignal) => Promise<void>): Promise<void>;
  /** Aborts the work. Resolves once none uses the database. */
  stop(): Promise<void>;
}

export function createBackgroundWork(onFailure: (error: unknown, name: string) => void): BackgroundWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  return {
    async run(name, work) {
      const ended = (async () => work(signal))().catch((error: unknown) => {
        if (!signal.aborted) onFailure(error, name);
      });
      running.add(ended);
      await ended.finally(() => running.delete(ended));
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
