import { serverClock } from '../../../../browser/server-clock.ts';
import { formatTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { isAwaitingPickup } from '../../../orders/phase-rules.ts';
import { isLate } from '../../../orders/visit-rules.ts';
import type { ListedOrder } from '../contract.ts';
import { isDueTonight, isToFinishTonight } from '../rules.ts';

interface UrgencyBadgesProps {
  order: Pick<ListedOrder, 'stage' | 'weight' | 'attempt' | 'due_at'>;
  /** For a list whose heading has the day. */
  hidesTonight?: boolean;
}

/**
 * A failed visit whose next evening is not chosen, and a deadline of tonight, or that is over.
 * Visits of tonight are the usual work of an evening: only clothes in the laundry warn.
 */
export function UrgencyBadges({ order, hidesTonight = false }: UrgencyBadgesProps) {
  const language = useLanguage();
  const { t } = language;
  const { stage, weight, attempt, due_at: dueAt } = order;
  const now = serverClock.now();
  const time = dueAt && formatTime(language, dueAt);
  return (
    <>
      {attempt && <Badge tone="warn">{t('Visit failed, new evening not chosen')}</Badge>}
      {time !== null && !hidesTonight && isDueTonight(order, now) && (
        <Badge tone={isToFinishTonight(order, now) ? 'warn' : 'plain'}>
          {isAwaitingPickup(stage, weight) ? t('Pickup tonight') : t('Tonight: back by {time}', { time })}
        </Badge>
      )}
      {isLate(order, now) && <Badge tone="bad">{t('Late')}</Badge>}
    </>
  );
}
