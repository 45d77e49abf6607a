/**
 * The cart as an entry of the tab's history, `#cart` after the address of home: only picking a tile makes one, back closes the cart instead of leaving the page, and a reload or the way
 * back from the log-in finds it open.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { links } from '../../../../browser/links.ts';
import type { Service } from '../../../catalogue/rules.ts';
import { cartActions } from '../draft/cart-state.ts';
import { changeDraft, useDraft } from '../draft/draft.ts';

const CART_HASH = links.cart().slice(links.home().length);

/** Written into entries that were made on the home page: behind them is the page without the cart. */
const FROM_TILE = { fromTile: true };

export function useCartEntry() {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const draft = useDraft();
  const isEntry = hash === CART_HASH;
  const wasEntry = useRef(false);

  // However the entry was left for the page below it, the cart was closed with it.
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
