/**
 * The code that was sent last in this tab. It survives a reload and a discarded tab: the code
 * screen continues with the same countdown and the same number of attempts.
 */
import { systemClock } from '../../../lib/clock.ts';
import { tabStorage } from '../../../browser/tab-storage.ts';
import { ATTEMPTS_PER_CODE, RESEND_AFTER_SECONDS, type Purpose } from '../contract.ts';

/** A wait that began at a time of this device. */
export interface Wait {
  startedAt: number;
  seconds: number;
}

export interface CodeState {
  attempts: number;
  /** Until the next code can be requested. */
  wait: Wait;
}

interface SentCode {
  purpose: Purpose;
  mobile: string;
  expiresAt: number;
  /**
   * Null until the screen is shown, which starts its countdown (specification section 4). Tabs that
   * are open during an upgrade have it by this name.
   */
  step: CodeState | null;
}

const storage = tabStorage<SentCode | null>('codestep', null);

const now = () => systemClock.now().getTime();

export const startWait = (seconds: number): Wait => ({ startedAt: now(), seconds });

const newState = (): CodeState => ({ attempts: ATTEMPTS_PER_CODE, wait: startWait(RESEND_AFTER_SECONDS) });

export const storeSentCode = (purpose: Purpose, mobile: string, expiresInSeconds: number) =>
  storage.set({ purpose, mobile, expiresAt: now() + expiresInSeconds * 1000, step: null });

export const clearSentCode = storage.clear;

const isFor = (sent: SentCode | null, purpose: Purpose, mobile: string | undefined): sent is SentCode =>
  sent?.purpose === purpose && sent.mobile === mobile && sent.expiresAt > now();

/** Returns whether a code that was sent to this mobile can still be confirmed. */
export const useIsCodeSent = (purpose: Purpose, mobile: string | undefined): boolean => isFor(storage.use(), purpose, mobile);

/**
 * Returns the state of the code that was sent. Without such a code, a new one can be requested at
 * once.
 */
export function readCodeState(purpose: Purpose, mobile: string): CodeState {
  const sent = storage.get();
  return isFor(sent, purpose, mobile) ? (sent.step ?? newState()) : { ...newState(), wait: startWait(0) };
}

/**
 * Saves the attempts and the wait of the code screen. Does nothing unless the last code sent in
 * this tab is for this purpose and mobile and has not expired.
 */
export function storeCodeState(purpose: Purpose, mobile: string, state: CodeState) {
  const sent = storage.get();
  if (isFor(sent, purpose, mobile)) storage.set({ ...sent, step: state });
}
