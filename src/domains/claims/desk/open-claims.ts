/** The number of reports without an answer, shared by Today, Problems and the navigation. */
import { useSyncExternalStore } from 'react';

let latest = 0;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function setOpenClaims(count: number) {
  latest = count;
  for (const listener of listeners) listener();
}

/** Returns 0 until they are counted. */
export const useOpenClaims = (): number => useSyncExternalStore(subscribe, () => latest);
