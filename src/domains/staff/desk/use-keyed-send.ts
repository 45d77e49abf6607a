import { useRef } from 'react';
import { CallRefused, isTransient } from '../../../contract/call-failures.ts';
import type { Envelope } from '../../../contract/define-call.ts';
import { newId } from '../../../lib/ids.ts';
import { isDoneBefore, type StaffCall } from './contract.ts';
import { staffSend } from './session.ts';

export type KeyedSend = <Body, Data, Code extends string>(
  call: StaffCall<Body, Data, Code>,
  body: NoInfer<Body>,
) => Promise<Envelope<Data, Code>>;

/**
 * Fields that come from live data. They are not part of the identity of a change, so that 'Try
 * again' after a lost response sends the same request.
 */
const LIVE_FIELDS: ReadonlySet<string> = new Set(['version', 'stage', 'messages_read']);

const withoutLiveFields = (name: string, value: unknown) => (LIVE_FIELDS.has(name) ? undefined : value);

/**
 * Returns `staffSend` for changes. A change without a known result is sent again with its
 * Idempotency-Key and its first body, so that it takes effect once.
 */
export function useKeyedSend(): KeyedSend {
  const unknown = useRef(new Map<string, { body: unknown; idempotencyKey: string }>());
  return async (call, body) => {
    const id = JSON.stringify([call.path, body], withoutLiveFields);
    const first = unknown.current.get(id) ?? { body, idempotencyKey: newId() };
    unknown.current.set(id, first);
    try {
      const result = await staffSend(call, first.body as typeof body, { idempotencyKey: first.idempotencyKey });
      unknown.current.delete(id);
      return result;
    } catch (error) {
      if (showsNothingDone(error)) unknown.current.delete(id);
      throw error;
    }
  };
}

/**
 * True for a refusal after the server looked for the key, except that the change was made before.
 * A 401 or 403 comes before that, so that an earlier request with the key may have taken effect.
 */
const showsNothingDone = (error: unknown) =>
  error instanceof CallRefused && !isTransient(error) && error.status !== 401 && error.status !== 403 && !isDoneBefore(error);
