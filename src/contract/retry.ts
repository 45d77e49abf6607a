import { ApiError } from './api-error.ts';
import { protocolError } from './protocol-errors.ts';

/** The result of an attempt that a concurrent change made outdated. */
export const OUTDATED = Symbol('outdated');

const MAX_ATTEMPTS = 20;
const RETRY_AFTER_SECONDS = 3;

/**
 * Repeats an operation until no concurrent change makes it outdated. Throws `ApiError`
 * (unavailable) after 20 attempts.
 */
export async function retryOutdated<Result>(attempt: () => Promise<Result | typeof OUTDATED>): Promise<Result> {
  for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
    const result = await attempt();
    if (result !== OUTDATED) return result;
  }
  throw new ApiError('unavailable', protocolError('service-busy'), RETRY_AFTER_SECONDS);
}
