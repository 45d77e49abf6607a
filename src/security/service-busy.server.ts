import { QueueFull } from './concurrency-limit.ts';
import { protocolError } from '../contract/protocol-errors.ts';
import { ApiError } from '../contract/route.server.ts';

const RETRY_AFTER_SECONDS = 3;

/** For `.catch`: a full queue becomes the refusal 503; anything else goes on. */
export function throwServiceBusy(error: unknown): never {
  if (error instanceof QueueFull) throw new ApiError(503, protocolError('service-busy'), RETRY_AFTER_SECONDS);
  throw error;
}
