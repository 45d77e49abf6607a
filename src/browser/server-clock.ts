/**
 * The server's time. Every response carries it, because a phone's clock may be wrong by hours and
 * the server decides on which side of the cut-off an order falls. Module state, because the typed
 * client sets it outside components; one page has one server.
 */
import { systemClock, type Clock } from '../lib/clock.ts';

let aheadMs = 0;

/**
 * `date` is a response header, cut to the second. Takes the end of that second, so that the clock
 * is never behind the server's: an offer that has begun there must have begun here, too. Ignores a
 * missing header.
 */
export function setServerTime(date: string | null) {
  const serverMs = Date.parse(date ?? '') + 999;
  if (!Number.isNaN(serverMs)) aheadMs = serverMs - systemClock.now().getTime();
}

/** The device's clock until the first response. */
export const serverClock: Clock = { now: () => new Date(systemClock.now().getTime() + aheadMs) };
