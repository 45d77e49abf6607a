import { serverClock } from '../../../browser/server-clock.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { isLate } from '../../orders/rules.ts';
import type { ListedOrder } from './contract.ts';

/** A failed visit whose next evening is not chosen, and a deadline that is over. */
export function UrgencyBadges({ order }: { order: Pick<ListedOrder, 'attempt' | 'due_at'> }) {
  const { t } = useLanguage();
  return (
    <>
      {order.attempt && <Badge tone="warn">{t('Visit failed, new evening not chosen')}</Badge>}
      {isLate(order, serverClock.now()) && <Badge tone="bad">{t('Late')}</Badge>}
    </>
  );
}
