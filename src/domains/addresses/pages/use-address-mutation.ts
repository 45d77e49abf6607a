import { useState } from 'react';
import type { ErrorMessage, Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import type { Call } from '../../../contract/define-call.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';

/**
 * The toasts after a success and a failure (specification section 8). Their default duration is
 * short.
 */
interface MutationAlerts {
  done: Message;
  failed: Message;
  doneMs?: number;
  failedMs?: number;
}

/**
 * Returns `mutate`, which adds, edits or deletes an address and shows the outcome, and its state.
 * `mutate` never throws.
 */
export function useAddressMutation<Body, Data>(
  call: Call<Body, Data>,
  { done, failed, doneMs = TOAST_MS.short, failedMs = TOAST_MS.short }: MutationAlerts,
) {
  const [formError, setFormError] = useState<ErrorMessage | null>(null);

  /**
   * `mutate` returns the data of a successful response, in an object. Returns undefined after an
   * error response or a failure.
   */
  const { pending, mutate } = useMutation({
    async mutationFn(body: Body): Promise<{ data: Data } | undefined> {
      setFormError(null);
      const response = await fetchSend(call, body);
      if (response.response === 'success') {
        showToast({ text: done, theme: 'green', durationMs: doneMs });
        return { data: response.data };
      }
      showToast({ text: failed, theme: 'red', durationMs: failedMs });
      // The toast disappears. The reason stays in the form.
      setFormError(toErrorMessage(response));
      return undefined;
    },
    onError: (error) => alertProblem(error, { call: call.path }, { text: failed, durationMs: failedMs }),
  });

  return { pending, formError, mutate };
}
