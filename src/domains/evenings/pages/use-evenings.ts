/** The evenings with a limit, shared by the screens that show a pickup day. */
import { useEffect, useSyncExternalStore } from 'react';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { createStore } from '../../../lib/store.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getEvenings, type Evenings } from '../contract.ts';

const latest = createStore<Evenings | undefined>(undefined);

/**
 * Loads the evenings for every screen and returns them. If that fails, the screens keep the earlier
 * ones, because the server refuses a full evening. Returns undefined without a response, and the
 * earlier ones after an error response.
 */
export async function loadEvenings(): Promise<Evenings | undefined> {
  try {
    const result = await fetchSend(getEvenings, {});
    if (result.response === 'success') latest.set(result.data);
    return latest.get();
  } catch (error) {
    if (!(error instanceof CallRefused || error instanceof ConnectionLost)) reportProblem(error, { doing: 'loading the evenings' });
    return undefined;
  }
}

/** Removes the loaded evenings. Call it when the server has refused an evening that seemed free. */
export const clearEvenings = () => latest.set(undefined);

/** Returns undefined until they are loaded. */
export const useLoadedEvenings = (): Evenings | undefined => useSyncExternalStore(latest.subscribe, latest.get, () => undefined);

/**
 * Loads the evenings again for each new `refetchKey`. Does not load if the key is undefined. Not
 * `useQuery`: all screens share one result, which has no loading or error state.
 */
export function useEvenings(refetchKey: string | undefined): Evenings | undefined {
  useEffect(() => {
    if (refetchKey !== undefined) void loadEvenings();
  }, [refetchKey]);
  return useLoadedEvenings();
}
