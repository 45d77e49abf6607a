import { useRef } from 'react';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { newId } from '../../../lib/ids.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import type { MessageKey } from '../../../i18n/messages.ts';
import type { StaffCall } from '../../staff/desk/contract.ts';
import { staffSend } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import type { DeskOrder } from './contract.ts';

interface Request<Body> {
  call: StaffCall<Body, DeskOrder>;
  body: NoInfer<Body>;
  /** Shown once the change is made. */
  done: MessageKey;
}

interface ChangeOptions {
  onOrder(order: DeskOrder): void;
  /** Someone else has changed the order. */
  onConflict(): void;
}

export type SendChange = <Body>(request: Request<Body>) => Promise<boolean>;

/**
 * Sends changes of an order. A change without a known result is sent again with its key, so that it
 * takes effect once. Resolves to true if the change was made.
 */
export function useChange({ onOrder, onConflict }: ChangeOptions): { pending: boolean; change: SendChange } {
  const keys = useRef(new Map<string, string>());

  const { pending, mutate } = useMutation<Request<unknown>, boolean>({
    async mutationFn({ call, body, done }) {
      const id = JSON.stringify([call.path, body]);
      const idempotencyKey = keys.current.get(id) ?? newId();
      keys.current.set(id, idempotencyKey);
      try {
        const answer = await staffSend(call, body, { idempotencyKey });
        keys.current.delete(id);
        if (answer.response !== 'success') {
          showToast({ theme: 'red', durationMs: TOAST_MS.long, text: toErrorMessage(answer) });
          return false;
        }
        showToast({ theme: 'green', text: done });
        onOrder(answer.data);
        return true;
      } catch (error) {
        if (!(error instanceof ConnectionLost)) keys.current.delete(id);
        if (error instanceof CallRefused && error.status === 409) onConflict();
        throw error;
      }
    },
    onError: (error) => showProblem(error, 'changing an order'),
  });
  return { pending, change: async (request) => (await mutate(request)) ?? false };
}
