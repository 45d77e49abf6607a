import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { fetchSend } from '../../../browser/client.ts';
import { useLoaded, type Loading } from '../../../browser/use-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getPaymentDetails, type PaymentDetails } from '../contract.ts';

/** How often a pending payment is looked at: soon at first, since most are there in seconds, and for ever, since some take a day. */
const FIRST_LOOKS_MS = 5000;
const LATER_LOOKS_MS = 60_000;
const MANY_LOOKS = 36;

const tellFailure = (error: unknown) => alertProblem(error, { doing: 'looking at a payment' });

/** Undefined while nobody can say that it was paid. Looks again by itself as long as the page is in sight. */
export function usePaymentDetails(tid: string): Loading<PaymentDetails | undefined> {
  const hasLooked = useRef(false);
  const received = useRef<PaymentDetails>(undefined);
  const load = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const answer = await fetchSend(getPaymentDetails, { tid }, signal && { signal });
        hasLooked.current = true;
        // What was received stays received, whatever comes after it.
        received.current ??= answer.data?.[0];
        return received.current;
      } catch (error) {
        // Out of reach for a moment: it is as unconfirmed as before, and looked at again.
        if (hasLooked.current) return received.current;
        throw error;
      }
    },
    [tid],
  );
  const loading = useLoaded(load, tellFailure);
  const { loaded, reload } = loading;
  const isPending = loaded.state === 'ready' && !loaded.data;
  const look = useEffectEvent(async () => {
    if (document.visibilityState === 'visible') await reload();
  });

  useEffect(() => {
    if (!isPending) return;
    let looks = 0;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    // The next look is planned when the last one has ended: on a slow line they would pile up.
    const lookAgain = async () => {
      clearTimeout(timer);
      looks += 1;
      const turn = looks;
      await look();
      if (isOver || turn !== looks) return;
      timer = setTimeout(() => void lookAgain(), looks < MANY_LOOKS ? FIRST_LOOKS_MS : LATER_LOOKS_MS);
    };
    const lookWhenBack = () => void lookAgain();
    timer = setTimeout(lookWhenBack, FIRST_LOOKS_MS);
    document.addEventListener('visibilitychange', lookWhenBack);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookWhenBack);
    };
  }, [isPending]);
  return loading;
}
