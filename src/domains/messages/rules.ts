/** When a gateway that keeps failing is left alone. Pure: the time is an argument. */
import { addSeconds } from '../../lib/clock.ts';

const MOST_FAILURES_IN_A_ROW = 5;
const REST_SECONDS = 30;

/**
 * A circuit breaker: while the gateway rests, customers read at once that no message went out, instead of each waiting for the deadline. After the
 * rest one message tries it; the others go on reading so until that one has got through.
 */
export function createBreaker() {
  let failures = 0;
  let restsUntil = new Date(0);
  return {
    /** Whether the gateway may be asked now; whoever is told so reports how it went. */
    lets(now: Date): boolean {
      if (failures < MOST_FAILURES_IN_A_ROW) return true;
      if (now < restsUntil) return false;
      restsUntil = addSeconds(now, REST_SECONDS);
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed(now: Date) {
      failures += 1;
      restsUntil = addSeconds(now, REST_SECONDS);
    },
  };
}
