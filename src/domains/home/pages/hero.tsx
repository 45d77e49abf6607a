import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { WashingLineArt } from '../../../ui/art/washing-line.tsx';
import { useSessionUser } from '../../../browser/session-user.ts';
import { formatRate } from '../../catalogue/pages/format-rate.ts';
import type { Service } from '../../catalogue/rules.ts';

export function Hero({ services, children }: { services: readonly Service[] | null; children: ReactNode }) {
  const language = useLanguage();
  const { t } = language;
  const user = useSessionUser();
  const lowest = lowestRate(services ?? []);
  return (
    <header className="grid items-center gap-6 md:grid-cols-[1.2fr_1fr] md:gap-16">
      <div className="space-y-4">
        {lowest && <Badge tone="accent">{t('as low as {rate}', { rate: formatRate(language, lowest.ratePaise, lowest.unit) })}</Badge>}
        <div className="hero-title">
          {user ? (
            <h1 className="text-title font-bold">{t('Welcome back {name}, what would you like to do today?', { name: user.name })}</h1>
          ) : (
            <h1 className="text-display font-extrabold">{t('Laundry day, off your hands.')}</h1>
          )}
        </div>
        <p className="max-w-prose text-ink-soft md:text-lg">
          {t('Collected at your door in the evening, back washed and ironed within a day.')}
        </p>
        <div className="max-w-md pt-1 md:pt-3">{children}</div>
      </div>
      <div className="hidden md:block">
        <WashingLineArt />
      </div>
    </header>
  );
}

function lowestRate(services: readonly Service[]): { ratePaise: number; unit: string } | undefined {
  const rates = services.flatMap(({ rates, unit }) => Object.values(rates).map((ratePaise) => ({ ratePaise, unit })));
  return rates.toSorted((a, b) => a.ratePaise - b.ratePaise)[0];
}
