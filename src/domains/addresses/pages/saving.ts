import { useState } from 'react';
import type { Told } from '../../../i18n/messages.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import type { Call } from '../../../contract/define-call.ts';
import { fetchSend } from '../../../browser/client.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';

/** What is said when a change went well and when it did not (specification section 8); alerts stay 3 s where it names no time. */
interface Words {
  done: Told;
  failed: Told;
  doneMs?: number;
  failedMs?: number;
}

/** A change that the customer asked for: one at a time, and its outcome told. */
export function useSaving<Body, Data>(call: Call<Body, Data>, { done, failed, doneMs = 3000, failedMs = 3000 }: Words) {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  /** The answer's data in an object, or undefined when nothing was changed, or nobody knows whether. */
  const save = async (body: Body): Promise<{ data: Data } | undefined> => {
    setPending(true);
    setRefusal(null);
    try {
      const answer = await fetchSend(call, body);
      if (answer.response === 'success') {
        showToast({ text: done, theme: 'green', durationMs: doneMs });
        return { data: answer.data };
      }
      showToast({ text: failed, theme: 'red', durationMs: failedMs });
      // The alert passes; why it was refused stays readable.
      if (answer.message !== failed) setRefusal(answer.message);
    } catch (error) {
      alertProblem(error, { call: call.path }, { text: failed, durationMs: failedMs });
    } finally {
      setPending(false);
    }
    return undefined;
  };

  return { pending, refusal, save };
}
