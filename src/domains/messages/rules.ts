/** The circuit breaker of the SMS gateway. Pure: the time is an argument. */
import { addSeconds } from '../../lib/clock.ts';

const FAILURE_THRESHOLD = 5;
const OPEN_SECONDS = 30;

export interface CircuitBreaker {
  /**
   * Returns true if a request may be sent now. If it is sent, call `succeeded` or `failed`
   * afterwards, otherwise `unused`.
   */
  allowsRequest(now: Date): boolean;
  succeeded(): void;
  failed(now: Date): void;
  /** Allows the next request at once. */
  unused(): void;
}

/**
 * Opens after five consecutive failures. While it is open, sending fails at once instead of after
 * the gateway's timeout. After 30 s it lets one message through; the next result closes or reopens
 * it.
 */
export function createCircuitBreaker(): CircuitBreaker {
  let failures = 0;
  let openUntil = new Date(0);
  return {
    allowsRequest(now) {
      if (failures < FAILURE_THRESHOLD) return true;
      // A time further ahead comes from a clock that was set back since.
      if (now < openUntil && openUntil <= addSeconds(now, OPEN_SECONDS)) return false;
      openUntil = addSeconds(now, OPEN_SECONDS);
      return true;
    },
    succeeded() {
      failures = 0;
    },
    unused() {
      openUntil = new Date(0);
    },
    failed(now) {
      failures += 1;
      openUntil = addSeconds(now, OPEN_SECONDS);
    },
  };
}
