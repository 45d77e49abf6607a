/** Keeps the draft at what is sold now, on every screen that shows figures. */
import { useEffect } from 'react';
import { serverClock } from '../../../web/server-clock.ts';
import type { Service } from '../../catalogue/rules.ts';
import { pickupDay } from '../rules.ts';
import { moves } from './cart-state.ts';
import { changeDraft } from './draft.ts';

/** `services` are null where they could not be loaded: then the figures stay as they were shown, and the server compares them. */
export function useFreshFigures(services: readonly Service[] | null, pickedid: string | undefined) {
  useEffect(() => {
    // Anew with every service that is picked: the page may have stood open since the morning.
    if (!services || pickedid === undefined) return;
    // Offers come with a domain of their own; until then nobody has one.
    changeDraft((draft) => moves.refresh(draft, { services, offer: null, pickupDay: pickupDay(serverClock.now()) }));
  }, [services, pickedid]);
}
