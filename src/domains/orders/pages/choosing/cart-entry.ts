/**
 * The cart as a history entry with the hash `#cart`, which picking a service tile creates. A
 * navigation back closes the cart. The cart stays open after a reload and after log-in.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { links } from '../../../../shared/links.ts';
import type { Service } from '../../../catalogue/rules.ts';
import { cartActions } from '../draft/cart-state.ts';
import { changeDraft, useDraft } from '../draft/draft.ts';

const CART_HASH = links.cart().slice(links.home().length);

/** Marks entries that were created on home: the entry before them is home without the cart. */
const FROM_TILE = { fromTile: true };

/**
 * Returns whether the cart is open. `pick` puts a service into it and opens it. `close` returns to
 * the entry before it, or replaces the entry if the page was loaded with an open cart.
 */
export function useCartEntry() {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const draft = useDraft();
  const isEntry = hash === CART_HASH;
  const wasEntry = useRef(false);

  // Any navigation from the entry to home without the hash closes the cart.
  useEffect(() => {
    if (wasEntry.current && !isEntry) changeDraft(cartActions.close);
    wasEntry.current = isEntry;
  }, [isEntry]);

  return {
    isOpen: isEntry && draft.service !== null,
    pick(service: Service) {
      changeDraft((before) => cartActions.pick(before, service));
      void navigate({ hash: CART_HASH }, { state: FROM_TILE, preventScrollReset: true });
    },
    close() {
      changeDraft(cartActions.close);
      if ((state as Partial<typeof FROM_TILE> | null)?.fromTile) void navigate(-1);
      else void navigate({ hash: '' }, { replace: true, preventScrollReset: true });
    },
  };
}
