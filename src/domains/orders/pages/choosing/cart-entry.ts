/**
 * The cart as history entries with the hash `#cart`. A tile of home creates the first one, and each
 * stage its own, so that a navigation back returns to the stage before, and from the first one
 * closes the cart. The cart stays open after a reload and after log-in.
 */
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { links } from '../../../../shared/links.ts';
import { cartActions, type CartStage, type Draft } from '../draft/cart-state.ts';
import { changeDraft, currentDraft, useDraft } from '../draft/draft.ts';

const CART_HASH = links.cart().slice(links.home().length);

interface EntryState {
  stage: CartStage;
  /** The number of entries of the cart before this one. */
  depth: number;
  /** Whether the entry before the first one is home without the cart. */
  fromHome: boolean;
}

const entryState = (state: unknown) => (state as { cart?: EntryState } | null)?.cart;

/**
 * Returns whether the cart is open. `open` applies a change that sets a service. `step` applies a
 * change of the stage. `close` returns to the entry before the cart, or replaces the entry if the
 * page was loaded with an open cart.
 */
export function useCartEntry() {
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const draft = useDraft();
  const isEntry = hash === CART_HASH;
  const wasEntry = useRef(false);
  const entry = entryState(state);

  // Any navigation from the entry to home without the hash closes the cart.
  useEffect(() => {
    if (wasEntry.current && !isEntry) changeDraft(cartActions.close);
    wasEntry.current = isEntry;
  }, [isEntry]);

  // A navigation back or forward inside the cart.
  const stage = isEntry ? entry?.stage : undefined;
  useEffect(() => {
    if (stage !== undefined) changeDraft((before) => cartActions.showStage(before, stage));
  }, [stage]);

  // A log-in leads back to the cart without the state of its entry.
  const isWithoutState = isEntry && !entry && draft.service !== null;
  useEffect(() => {
    if (!isWithoutState) return;
    const cart: EntryState = { stage: currentDraft().stage, depth: 0, fromHome: false };
    void navigate({ hash: CART_HASH }, { state: { cart }, replace: true, preventScrollReset: true });
  }, [isWithoutState, navigate]);

  const push = (change: (draft: Draft) => Draft, position: Omit<EntryState, 'stage'>) => {
    changeDraft(change);
    const cart: EntryState = { stage: currentDraft().stage, ...position };
    void navigate({ hash: CART_HASH }, { state: { cart }, preventScrollReset: true });
  };

  return {
    isOpen: isEntry && draft.service !== null,
    open: (change: (draft: Draft) => Draft) => push(change, { depth: 0, fromHome: true }),
    step: (change: (draft: Draft) => Draft) => push(change, { depth: (entry?.depth ?? 0) + 1, fromHome: entry?.fromHome ?? false }),
    close() {
      changeDraft(cartActions.close);
      if (entry?.fromHome) void navigate(-1 - entry.depth);
      else void navigate({ hash: '' }, { replace: true, preventScrollReset: true });
    },
  };
}
