import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { OrderSpinner } from './order-spinner.tsx';
import { links } from '../../../../shared/links.ts';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { toHistoryState, placedEntry, setPlacedAddress } from './confirm-entry.ts';
import { deliveryAddressOf } from '../draft/cart-state.ts';
import { clearDraft, currentDraft } from '../draft/draft.ts';
import { setVerifiedGuestMobile } from './verified-guest.ts';
import { placeOnce, type PlacingOutcome } from './send-order.ts';
import type { Attempt } from './unplaced.ts';

/** Writes the attempt to this history entry before the request, so that a reload continues it. */
export function BeginPlacing({ draft, userid }: Attempt) {
  const { t } = useLanguage();
  const navigate = useNavigate();
  useEffect(() => {
    const state = toHistoryState({ status: 'placing', attempt: { draft, userid } });
    void navigate(links.confirm(), { replace: true, state });
  }, [draft, userid, navigate]);
  return <OrderSpinner label={t('Placing your order')} />;
}

/** Sends the attempt of this history entry and navigates to the page for its outcome. */
export function PlacingOrder({ attempt }: { attempt: Attempt }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const navigate = useNavigate();
  useEffect(() => {
    let isUnmounted = false;
    // The history entry contains the draft.
    if (currentDraft().key === attempt.draft.key) clearDraft();
    const go = (outcome: PlacingOutcome) => {
      if (outcome.status !== 'stale') setVerifiedGuestMobile(undefined);
      if (isUnmounted) return;
      switch (outcome.status) {
        case 'placed': {
          const address = deliveryAddressOf(attempt.draft, attempt.userid);
          if (address) setPlacedAddress({ orderid: outcome.order.orderid, userid: attempt.userid, address });
          const state = toHistoryState(placedEntry(outcome.order, attempt.draft));
          return navigate(links.confirm(), { replace: true, state });
        }
        case 'stale':
          return navigate(links.overview(), { replace: true });
        case 'failed':
          return navigate(links.home(), { replace: true });
      }
    };
    void placeOnce(attempt, brand.email).then(go);
    return () => {
      isUnmounted = true;
    };
  }, [attempt, brand, navigate]);
  return <OrderSpinner label={t('Placing your order. On a slow connection this takes a moment; it is placed only once.')} />;
}
