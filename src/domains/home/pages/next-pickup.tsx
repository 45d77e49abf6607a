import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { serverClock } from '../../../browser/server-clock.ts';
import type { Area } from '../../catalogue/contract.ts';
import { useEvenings } from '../../evenings/pages/use-evenings.ts';
import { comingEvenings, firstFree } from '../../evenings/rules.ts';
import { formatPickupDay } from '../../orders/pages/draft/order-labels.ts';

interface NextPickupProps {
  area: Area;
  /** What the banner says of a day without a limit. */
  usual: ReactNode;
  children(title: string, text: string): ReactNode;
}

/** Names the next free evening of the area if it is not the next evening. */
export function NextPickup({ area, usual, children }: NextPickupProps) {
  const language = useLanguage();
  const { t, day } = language;
  const evenings = useEvenings(area);
  if (!evenings) return usual;
  const now = serverClock.now();
  const coming = comingEvenings(evenings[area], now);
  const [next] = coming;
  if (next.status === 'free') return usual;
  const free = firstFree(coming);
  if (!free) {
    return children(
      t('Order for a later evening'),
      t('All evenings until {day} are full. Please try again tomorrow or call us.', { day: day(coming.at(-1)!.day) }),
    );
  }
  const skipped = { day: formatPickupDay(language, next.day, now) };
  return children(
    t('Next free pickup: {day}', { day: day(free.day) }),
    next.status === 'full'
      ? t('{day}: full. This is the next free evening.', skipped)
      : t('{day}: closed. This is the next free evening.', skipped),
  );
}
