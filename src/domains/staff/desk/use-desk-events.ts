import { useEffect, useEffectEvent, useState, type Dispatch, type SetStateAction } from 'react';
import { serverClock } from '../../../browser/server-clock.ts';
import { kolkataDateTime } from '../../../lib/dates.ts';
import { DESK_EVENTS_PATH } from './contract.ts';
import { createUpdates, type Changes } from './desk-updates.ts';
import { leaveIfEnded } from './session.ts';

export interface LiveState {
  isLive: boolean;
  /** The time until which the screen has every change, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata. */
  updatedAt: string | null;
}

/** The server sends a beat every 15 s. */
const SILENT_AFTER_MS = 40_000;
const CHECK_EVERY_MS = 5000;
/** The interval of updates without a stream. */
const POLL_MS = 30_000;

const now = () => kolkataDateTime(serverClock.now());

interface DeskEventOptions {
  /** The screen shows cash: changes of it call `onChange` with null. */
  cash?: boolean;
}

/**
 * Calls `onChange` with the orders that have changed. It resolves to false if the screen could not
 * be updated. A hidden page has no stream.
 */
export function useDeskEvents(onChange: (changes: Changes) => Promise<boolean>, { cash = false }: DeskEventOptions = {}): LiveState {
  const [state, setState] = useState<LiveState>({ isLive: false, updatedAt: null });
  const change = useEffectEvent(onChange);
  useEffect(() => followDeskEvents((changes) => change(changes), setState, cash ? ['ready', 'reset', 'cash'] : ['ready', 'reset']), [cash]);
  return state;
}

/**
 * Follows the stream of changes, and polls without one. Events of `updatingTypes` update the whole
 * screen. Returns the function that ends this.
 */
function followDeskEvents(
  onChange: (changes: Changes) => Promise<boolean>,
  setState: Dispatch<SetStateAction<LiveState>>,
  updatingTypes: readonly string[],
): () => void {
  let stream: EventSource | undefined;
  /** Milliseconds of `performance.now()`; 0 before the first event. */
  let lastEventAt = 0;
  /** The screen may lack changes that no stream has sent. */
  let mayBeStale = true;
  const isVisible = () => document.visibilityState === 'visible';
  const isOpen = () => navigator.onLine && stream?.readyState === EventSource.OPEN && performance.now() - lastEventAt < SILENT_AFTER_MS;
  const showLive = () => {
    lastEventAt = performance.now();
    setState({ isLive: true, updatedAt: now() });
  };
  const showLost = () => setState(({ updatedAt }) => ({ isLive: false, updatedAt }));

  const updates = createUpdates(async (changes) => {
    mayBeStale = false;
    const at = now();
    const isUpdated = await onChange(changes);
    if (!isUpdated) showLost();
    else if (isOpen()) showLive();
    else setState({ isLive: false, updatedAt: at });
  });

  const open = () => {
    stream?.close();
    stream = new EventSource(`/${DESK_EVENTS_PATH}`);
    for (const type of updatingTypes) {
      stream.addEventListener(type, () => {
        lastEventAt = performance.now();
        void updates.updateAll();
      });
    }
    stream.addEventListener('change', ({ data }) => {
      lastEventAt = performance.now();
      updates.updateOrder((JSON.parse(String(data)) as { orderid: string }).orderid);
    });
    stream.addEventListener('beat', showLive);
    stream.addEventListener('error', () => {
      showLost();
      // The server ends the stream of a removed person, and then refuses it.
      if (navigator.onLine) void leaveIfEnded();
      if (mayBeStale) void updates.updateAll();
    });
  };
  const openIfVisible = () => isVisible() && open();
  const followVisibility = () => {
    if (!isVisible()) return stream?.close();
    mayBeStale = true;
    open();
  };
  const check = () => isVisible() && !isOpen() && showLost();
  const poll = () => {
    if (!isVisible() || isOpen()) return;
    void updates.updateAll();
    // The server has refused the stream, or the connection is broken without an error.
    if (stream?.readyState !== EventSource.CONNECTING) open();
  };

  openIfVisible();
  const timers = [setInterval(check, CHECK_EVERY_MS), setInterval(poll, POLL_MS)];
  document.addEventListener('visibilitychange', followVisibility);
  window.addEventListener('offline', check);
  window.addEventListener('online', openIfVisible);
  return () => {
    stream?.close();
    for (const timer of timers) clearInterval(timer);
    updates.stop();
    document.removeEventListener('visibilitychange', followVisibility);
    window.removeEventListener('offline', check);
    window.removeEventListener('online', openIfVisible);
  };
}
