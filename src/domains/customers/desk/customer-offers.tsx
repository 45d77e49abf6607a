import { useLanguage } from '../../../i18n/language.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { GivenOffer } from './contract.ts';

export function CustomerOffers({ offers }: { offers: readonly GivenOffer[] }) {
  const { t, day } = useLanguage();
  return (
    <Card as="section">
      <h2 className="text-lg font-semibold">{t('Offers')}</h2>
      {offers.length === 0 && <p className="mt-2 text-sm text-ink-soft">{t('No offers')}</p>}
      <ul className="divide-y divide-line">
        {offers.map(({ offerid, percent, starts_at: startsAt, ends_at: endsAt, is_active: isActive, reason }) => (
          <li key={offerid} className="py-3 text-sm">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {t('{percent}% off', { percent })}
              {isActive ? <Badge tone="good">{t('Active')}</Badge> : <Badge tone="plain">{t('Ended')}</Badge>}
            </p>
            <p className="text-ink-soft wrap-anywhere">
              {t('{from} to {to}', { from: day(startsAt), to: day(endsAt) })} · {reason}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
