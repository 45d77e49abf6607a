type Stop = () => Promise<void>;

/** Starts the parts of the process. Calls `onStop` with the function that stops a part. */
type Start = (onStop: (stop: Stop) => void, stopping: AbortSignal) => Promise<void>;

/**
 * Calls `start`. `ready` settles as `start` does. `stop` aborts a start that has not ended, then
 * stops the parts, newest first, once for any number of calls. A part that fails to stop does not
 * prevent the next: `stop` rejects after the last one.
 */
export function runProcessParts(start: Start) {
  const stopping = new AbortController();
  const stops: Stop[] = [];
  const ready = start((stop) => stops.unshift(stop), stopping.signal);

  const stopAll = async () => {
    stopping.abort();
    await ready.catch(() => {});
    const errors: unknown[] = [];
    for (const stop of stops) await stop().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'The program did not stop properly');
  };
  let stopped: Promise<void> | undefined;
  return { ready, stopping: stopping.signal, stop: () => (stopped ??= stopAll()) };
}
