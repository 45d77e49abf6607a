/** The number of reports without an answer, shared by Today, Problems and the navigation. */
import { useSyncExternalStore } from 'react';
import { createStore } from '../../../lib/store.ts';

const openClaims = createStore(0);

export const setOpenClaims = openClaims.set;

/** Returns 0 until they are counted. */
export const useOpenClaims = (): number => useSyncExternalStore(openClaims.subscribe, openClaims.get);
