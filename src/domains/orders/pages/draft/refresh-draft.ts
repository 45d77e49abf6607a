/** Keeps rates, pickup day and offer of the draft up to date on every screen that shows them. */
import { useEffect } from 'react';
import { CallRefused } from '../../../../contract/call-failures.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { serverClock } from '../../../../browser/server-clock.ts';
import { endTabSession, useSession } from '../../../../browser/session-user.ts';
import type { Service } from '../../../catalogue/rules.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { fetchActiveOffer } from '../../../offers/pages/fetch-active-offer.ts';
import type { Evenings } from '../../../evenings/contract.ts';
import { useEvenings } from '../../../evenings/pages/use-evenings.ts';
import { nextPickupDay, pickupDay } from '../../../evenings/rules.ts';
import { cartActions, type Draft } from './cart-state.ts';
import { changeDraft, useDraft } from './draft.ts';

/**
 * Updates rates, pickup day and offer of the draft, again for each new `programid`. Does nothing if
 * it is undefined. If `services` is null, they could not be loaded: the draft keeps its rates and
 * pickup day, and the server rejects outdated ones.
 */
export function useRefreshDraft(services: readonly Service[] | null, programid: string | undefined) {
  const evenings = useEvenings(programid);
  const { area } = useDraft();
  useEffect(() => {
    // Repeated for every picked service, because the page may have been open since the morning.
    if (!services || programid === undefined) return;
    changeDraft((draft) => cartActions.refresh(draft, { services, pickupDay: dayToShow(area, draft, evenings) }));
  }, [services, programid, area, evenings]);
  useRefreshOffer(programid);
}

/**
 * Returns the chosen evening, or the next free one. Until the evenings are loaded, this is the next
 * pickup, or the later day that was chosen or that the server offered when it refused an order.
 */
function dayToShow(area: Draft['area'], { pickupDay: shown, chosenDay }: Draft, evenings: Evenings | undefined): string {
  const now = serverClock.now();
  if (evenings && area !== 'none') return nextPickupDay(evenings[area], now, chosenDay);
  const next = pickupDay(now);
  return shown !== null && shown > next ? shown : next;
}

/**
 * Fetches the customer's active offer into the draft, again for each new `refetchKey`. Does
 * nothing if the key is undefined. Removes the offer of a signed-out visitor. If the call fails,
 * the draft keeps its offer; the server rejects an order with an outdated one. Not `useQuery`: the
 * draft owns the result, and no component has a loading or error state for it.
 */
export function useRefreshOffer(refetchKey: string | undefined) {
  const session = useSession();
  const userid = typeof session === 'object' ? session.userid : session === 'signed-out' ? null : undefined;
  useEffect(() => {
    if (refetchKey === undefined || userid === undefined) return;
    if (userid === null) return changeDraft((draft) => cartActions.setOffer(draft, null));
    let isUnmounted = false;
    fetchActiveOffer(fetchSend, userid, () => serverClock.now()).then(
      (offer) => {
        if (!isUnmounted) changeDraft((draft) => cartActions.setOffer(draft, offer));
      },
      (error: unknown) => {
        if (error instanceof CallRefused && error.code === 'login-required') endTabSession();
        if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading offers' });
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [refetchKey, userid]);
}
