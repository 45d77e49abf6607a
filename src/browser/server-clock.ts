/**
 * The time of day as the server has it. Every answer carries it: a phone's own clock may be minutes or hours wrong, and on which side of the cut-off an order
 * falls is the server's to say.
 */
import { systemClock, type Clock } from '../lib/clock.ts';

let aheadMs = 0;

/** `date` is the header of an answer, in whole seconds; closer than that nobody needs it. */
export function noteServerTime(date: string | null) {
  const serverMs = Date.parse(date ?? '');
  if (!Number.isNaN(serverMs)) aheadMs = serverMs - systemClock.now().getTime();
}

/** The device's own clock until the first answer came. */
export const serverClock: Clock = { now: () => new Date(systemClock.now().getTime() + aheadMs) };
