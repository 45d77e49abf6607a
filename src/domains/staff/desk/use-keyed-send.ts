import { useRef } from 'react';
import { CallRefused, isTransient } from '../../../contract/call-failures.ts';
import type { Envelope } from '../../../contract/define-call.ts';
import { newId } from '../../../lib/ids.ts';
import { isDoneBefore, type StaffCall } from './contract.ts';
import { requestFingerprint } from './request-fingerprint-rules.ts';
import { staffSend } from './session.ts';

export type KeyedSend = <Body, Data, Code extends string>(
  call: StaffCall<Body, Data, Code>,
  body: NoInfer<Body>,
  /**
   * The fields that a form takes from the screen while it is open, such as the version of an order.
   * They are not part of what the person did: 'Try again' sends the request with its first ones.
   */
  ignoredFields?: readonly (keyof NoInfer<Body> & string)[],
) => Promise<Envelope<Data, Code>>;

/**
 * Returns `staffSend` for changes. A change without a known result is sent again with its
 * Idempotency-Key and its first body if the person does the same again, so that it takes effect
 * once. Another choice is another request.
 */
export function useKeyedSend(): KeyedSend {
  const unknown = useRef(new Map<string, { body: unknown; idempotencyKey: string }>());
  return async (call, body, ignoredFields = []) => {
    const fingerprint = requestFingerprint(call.path, body as object, ignoredFields);
    const first = unknown.current.get(fingerprint) ?? { body, idempotencyKey: newId() };
    unknown.current.set(fingerprint, first);
    try {
      const result = await staffSend(call, first.body as typeof body, { idempotencyKey: first.idempotencyKey });
      unknown.current.delete(fingerprint);
      return result;
    } catch (error) {
      if (showsNothingDone(error)) unknown.current.delete(fingerprint);
      throw error;
    }
  };
}

/**
 * True if the error proves that no request with this key made the change. A 401 or 403 does not:
 * the server checks them before the key.
 */
const showsNothingDone = (error: unknown) =>
  error instanceof CallRefused && !isTransient(error) && error.status !== 401 && error.status !== 403 && !isDoneBefore(error);
