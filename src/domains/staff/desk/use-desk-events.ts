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
/** Changes of this time cause one update of the screen. */
const COLLECT_MS = 500;
/** While there is no stream. */
const POLL_MS = 30_000;

const now = () => kolkataDateTime(serverClock.now());

/**
 * Calls `onChange` with the numbers of the orders that have changed, or with null if anything may
 * have changed. It resolves to false if the screen could not be updated. A hidden page has no
 * stream.
 */
export function useDeskEvents(onChange: (orderids: ReadonlySet<string> | null) => Promise<boolean>): LiveState {
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
    /** What has changed since the last update began: these orders, or anything (null). */
    let changed: Set<string> | null | undefined;
    /** Changes that arrive during an update cause one more. */
    const update = async () => {
      if (updating) return;
      updating = true;
      for (let next = changed; next !== undefined; next = changed) {
        changed = undefined;
        await updateOnce(next);
      }
      updating = false;
    };
    const updateAll = () => {
      changed = null;
      void update();
    };
    let collecting: ReturnType<typeof setTimeout> | undefined;
    const collect = (orderid: string) => {
      if (changed !== null) changed = new Set(changed).add(orderid);
      collecting ??= setTimeout(() => {
        collecting = undefined;
        void update();
      }, COLLECT_MS);
    };
    let hasUpdated = false;
    const updateOnce = async (orderids: ReadonlySet<string> | null) => {
      hasUpdated = true;
      const at = now();
      const isUpdated = await change(orderids);
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
          updateAll();
        });
      }
      stream.addEventListener('change', ({ data }) => {
        heardAt = performance.now();
        collect((JSON.parse(String(data)) as { orderid: string }).orderid);
      });
      stream.addEventListener('beat', hear);
      stream.addEventListener('error', () => {
        setState(({ updatedAt }) => ({ isLive: false, updatedAt }));
        // Without a first stream the screen has only what it loaded itself.
        if (heardAt === 0 && !hasUpdated) updateAll();
      });
    };
    const isVisible = () => document.visibilityState === 'visible';
    const onVisibilityChange = () => (isVisible() ? open() : stream?.close());
    const check = () => {
      if (isVisible() && !isOpen()) setState(({ updatedAt }) => ({ isLive: false, updatedAt }));
    };
    const poll = () => {
      if (!isVisible() || isOpen()) return;
      updateAll();
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
      clearTimeout(collecting);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      window.removeEventListener('offline', check);
      window.removeEventListener('online', onOnline);
    };
  }, []);
  return state;
}
