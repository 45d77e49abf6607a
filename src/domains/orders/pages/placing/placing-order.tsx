import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { OrderLoader } from './order-loader.tsx';
import { links } from '../../../../browser/links.ts';
import { useSiteConfig } from '../../../../browser/site-config.ts';
import { entryState, placedEntry } from './confirm-entry.ts';
import { clearDraft, currentDraft } from '../draft/draft.ts';
import { placeOnce, type Outcome } from './send-order.ts';
import type { Attempt } from './unplaced.ts';

/** Sends the attempt that this history entry holds, and goes where its outcome leads. */
export function PlacingOrder({ attempt }: { attempt: Attempt }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const navigate = useNavigate();
  useEffect(() => {
    let left = false;
    // The selection is this entry's now.
    if (currentDraft().key === attempt.draft.key) clearDraft();
    const go = (outcome: Outcome) => {
      if (left) return;
      switch (outcome.status) {
        case 'placed': {
          const state = entryState(placedEntry(outcome.order, attempt.draft));
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
      left = true;
    };
  }, [attempt, brand, navigate]);
  return <OrderLoader label={t('Placing your order. On a slow connection this takes a moment; it is placed only once.')} />;
}
