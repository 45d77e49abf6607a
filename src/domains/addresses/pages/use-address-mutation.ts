import { useState } from 'react';
import type { ErrorMessage, Message } from '../../../i18n/messages.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import type { Call } from '../../../contract/define-call.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';

/** The alerts after a change that succeeded or failed (specification section 8), short unless it names a time. */
interface MutationAlerts {
  done: Message;
  failed: Message;
  doneMs?: number;
  failedMs?: number;
}

/** Adds, edits or deletes an address and shows the outcome. */
export function useAddressMutation<Body, Data>(
  call: Call<Body, Data>,
  { done, failed, doneMs = TOAST_MS.short, failedMs = TOAST_MS.short }: MutationAlerts,
) {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<ErrorMessage | null>(null);

  /** Returns the response's data in an object; undefined if the change was refused or its outcome is unknown. */
  const mutate = async (body: Body): Promise<{ data: Data } | undefined> => {
    setPending(true);
    setRefusal(null);
    try {
      const answer = await fetchSend(call, body);
      if (answer.response === 'success') {
        showToast({ text: done, theme: 'green', durationMs: doneMs });
        return { data: answer.data };
      }
      showToast({ text: failed, theme: 'red', durationMs: failedMs });
      // The alert disappears; the reason for the refusal stays in the form.
      setRefusal(toErrorMessage(answer));
    } catch (error) {
      alertProblem(error, { call: call.path }, { text: failed, durationMs: failedMs });
    } finally {
      setPending(false);
    }
    return undefined;
  };

  return { pending, refusal, mutate };
}
