import { QueueFull } from './concurrency-limit.ts';
import { ApiError } from '../contract/route.server.ts';

const RETRY_AFTER_SECONDS = 3;

/** For `.catch`: a full queue becomes the refusal 503; anything else goes on. */
export function throwServiceBusy(error: unknown): never {
  if (error instanceof QueueFull) throw new ApiError(503, 'We are busy right now, please try again in a moment', RETRY_AFTER_SECONDS);
  throw error;
}
