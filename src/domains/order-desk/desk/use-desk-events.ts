import { useEffect, useEffectEvent, useState } from 'react';
import { serverClock } from '../../../browser/server-clock.ts';
import { kolkataDateTime } from '../../../lib/dates.ts';
import { DESK_EVENTS_PATH } from './contract.ts';

export interface LiveState {
  isLive: boolean;
  /** The time until which the screen has every change, 'YYYY-MM-DD HH:mm:ss' in Asia/Kolkata. */
  updatedAt: string | null;
}

/** The server sends a beat every 15 s. */
const SILENT_AFTER_MS = 40_000;
const CHECK_EVERY_MS = 5000;
/** While there is no stream. */
const POLL_MS = 30_000;

const now = () => kolkataDateTime(serverClock.now());

/**
 * Calls `onChange` with the number of an order that has changed, or with null if anything may have
 * changed. It resolves to false if the screen could not be updated. A hidden page has no stream.
 */
export function useDeskEvents(onChange: (orderid: string | null) => Promise<boolean>): LiveState {
  const [state, setState] = useState<LiveState>({ isLive: false, updatedAt: null });
  const change = useEffectEvent(onChange);

  useEffect(() => {
    let stream: EventSource | undefined;
    let heardAt = 0;
    const isOpen = () => navigator.onLine && stream?.readyState === EventSource.OPEN && performance.now() - heardAt < SILENT_AFTER_MS;
    const hear = () => {
      heardAt = performance.now();
      setState({ isLive: true, updatedAt: now() });
    };
    let updating = false;
    let again = false;
    /** Changes that arrive during an update cause one more. */
    const update = async (orderid: string | null) => {
      again = true;
      if (updating) return;
      updating = true;
      for (let changed = orderid; again; changed = null) {
        again = false;
        await updateOnce(changed);
      }
      updating = false;
    };
    let hasUpdated = false;
    const updateOnce = async (orderid: string | null) => {
      hasUpdated = true;
      const at = now();
      const isUpdated = await change(orderid);
      if (!isUpdated) setState(({ updatedAt }) => ({ isLive: false, updatedAt }));
      else if (isOpen()) hear();
      else setState({ isLive: false, updatedAt: at });
    };
    const open = () => {
      stream?.close();
      stream = new EventSource(`/${DESK_EVENTS_PATH}`);
      for (const type of ['ready', 'reset']) {
        stream.addEventListener(type, () => {
          heardAt = performance.now();
          void update(null);
        });
      }
      stream.addEventListener('change', ({ data }) => {
        heardAt = performance.now();
        void update((JSON.parse(String(data)) as { orderid: string }).orderid);
      });
      stream.addEventListener('beat', hear);
      stream.addEventListener('error', () => {
        setState(({ updatedAt }) => ({ isLive: false, updatedAt }));
        // Without a first stream the screen has only what it loaded itself.
        if (heardAt === 0 && !hasUpdated) void update(null);
      });
    };
    const isVisible = () => document.visibilityState === 'visible';
    const onVisibilityChange = () => (isVisible() ? open() : stream?.close());
    const check = () => {
      if (isVisible() && !isOpen()) setState(({ updatedAt }) => ({ isLive: false, updatedAt }));
    };
    const poll = () => {
      if (!isVisible() || isOpen()) return;
      void update(null);
      // The server has refused the stream, or the connection is broken without an error.
      if (stream?.readyState !== EventSource.CONNECTING) open();
    };

    if (isVisible()) open();
    const timers = [setInterval(check, CHECK_EVERY_MS), setInterval(poll, POLL_MS)];
    const onOnline = () => isVisible() && open();
    document.addEventListener('visibilitychange', onVisibilityChange);
    window.addEventListener('offline', check);
    window.addEventListener('online', onOnline);
    return () => {
      stream?.close();
      for (const timer of timers) clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      window.removeEventListener('offline', check);
      window.removeEventListener('online', onOnline);
    };
  }, []);
  return state;
}
