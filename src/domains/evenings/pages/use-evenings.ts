/** The evenings with a limit, shared by the screens that show a pickup day. */
import { useEffect, useSyncExternalStore } from 'react';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getEvenings, type Evenings } from '../contract.ts';

let latest: Evenings | undefined;
const listeners = new Set<() => void>();

function publish(evenings: Evenings | undefined) {
  latest = evenings;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Loads the evenings for every screen. If that fails, the screens keep what they have: the server
 * refuses a full evening.
 */
export async function loadEvenings(): Promise<Evenings | undefined> {
  try {
    const result = await fetchSend(getEvenings, {});
    if (result.response === 'success') publish(result.data);
    return latest;
  } catch (error) {
    if (!(error instanceof CallRefused || error instanceof ConnectionLost)) reportProblem(error, { doing: 'loading the evenings' });
    return undefined;
  }
}

/** Call it when the server has refused an evening that seemed free. */
export const forgetEvenings = () => publish(undefined);

/** Returns undefined until they are loaded. */
export const useLoadedEvenings = (): Evenings | undefined =>
  useSyncExternalStore(
    subscribe,
    () => latest,
    () => undefined,
  );

/** Loads the evenings again for each new `refetchKey`. Does not load if the key is undefined. */
export function useEvenings(refetchKey: string | undefined): Evenings | undefined {
  useEffect(() => {
    if (refetchKey !== undefined) void loadEvenings();
  }, [refetchKey]);
  return useLoadedEvenings();
}
