import { useRef } from 'react';
import { CallRefused, isTransient } from '../../../contract/call-failures.ts';
import type { Envelope } from '../../../contract/define-call.ts';
import { newId } from '../../../lib/ids.ts';
import type { StaffCall } from './contract.ts';
import { staffSend } from './session.ts';

export type KeyedSend = <Body, Data, Code extends string>(
  call: StaffCall<Body, Data, Code>,
  body: NoInfer<Body>,
) => Promise<Envelope<Data, Code>>;

/**
 * Returns `staffSend` for changes. A change without a known result is sent again with its
 * Idempotency-Key, so that it takes effect once.
 */
export function useKeyedSend(): KeyedSend {
  const keys = useRef(new Map<string, string>());
  return async (call, body) => {
    const id = JSON.stringify([call.path, body]);
    const idempotencyKey = keys.current.get(id) ?? newId();
    keys.current.set(id, idempotencyKey);
    try {
      const answer = await staffSend(call, body, { idempotencyKey });
      keys.current.delete(id);
      return answer;
    } catch (error) {
      if (showsNothingDone(error)) keys.current.delete(id);
      throw error;
    }
  };
}

/**
 * True for a refusal after the server looked for the key. A 401 or 403 comes before that, so that
 * an earlier request with the key may have taken effect.
 */
const showsNothingDone = (error: unknown) =>
  error instanceof CallRefused && !isTransient(error) && error.status !== 401 && error.status !== 403;
