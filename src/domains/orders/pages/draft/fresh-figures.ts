/** Keeps the draft at what is sold now and to whom, on every screen that shows figures. */
import { useEffect } from 'react';
import { CallRefused } from '../../../../contract/call-failures.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { serverClock } from '../../../../browser/server-clock.ts';
import { forgetSession, useSession } from '../../../../browser/session-user.ts';
import type { Service } from '../../../catalogue/rules.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';
import { currentOffer } from '../../../offers/pages/current-offer.ts';
import { pickupDay } from '../../rules.ts';
import { cartActions } from './cart-state.ts';
import { changeDraft } from './draft.ts';

/** `services` are null where they could not be loaded: then the figures stay as they were shown, and the server compares them. */
export function useFreshFigures(services: readonly Service[] | null, pickedid: string | undefined) {
  useEffect(() => {
    // Anew with every service that is picked: the page may have stood open since the morning.
    if (!services || pickedid === undefined) return;
    changeDraft((draft) => cartActions.refresh(draft, { services, pickupDay: pickupDay(serverClock.now()) }));
  }, [services, pickedid]);
  useCurrentOffer(pickedid);
}

/** Until the answer is there, and where it does not come, the draft keeps the offer that was shown: the server compares it. Undefined asks for nothing. */
export function useCurrentOffer(pickedid: string | undefined) {
  const session = useSession();
  const userid = typeof session === 'object' ? session.userid : session === 'signed-out' ? null : undefined;
  useEffect(() => {
    if (pickedid === undefined || userid === undefined) return;
    if (userid === null) return changeDraft((draft) => cartActions.takeOffer(draft, null));
    let left = false;
    currentOffer(fetchSend, userid, () => serverClock.now()).then(
      (offer) => {
        if (!left) changeDraft((draft) => cartActions.takeOffer(draft, offer));
      },
      (error: unknown) => {
        if (error instanceof CallRefused && error.code === 'login-required') forgetSession();
        if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading offers' });
      },
    );
    return () => {
      left = true;
    };
  }, [pickedid, userid]);
}
