/** The number of reports without an answer, shared by Today, Problems and the navigation. */
import { useSyncExternalStore } from 'react';
import { toErrorMessage } from '../../../contract/errors.ts';
import { staffSend } from '../../staff/desk/session.ts';
import { listDeskClaims } from './contract.ts';

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

export async function loadOpenClaims() {
  const answer = await staffSend(listDeskClaims, { status: 'open' });
  if (answer.response !== 'success') throw new Error(toErrorMessage(answer).message);
  setOpenClaims(answer.data.counts.open);
}

/** Returns 0 until they are counted. */
export const useOpenClaims = (): number => useSyncExternalStore(subscribe, () => latest);
