import { Suspense, useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { lazyComponent } from '../../../browser/lazy-component.ts';
import type { Area } from '../../catalogue/contract.ts';
import type { Service } from '../../catalogue/rules.ts';

/** Loaded when the button receives the pointer or the focus. */
const PriceEstimate = lazyComponent(async () => (await import('./price-estimate.tsx')).PriceEstimate);

interface EstimateOfferProps {
  services: readonly Service[];
  areas: readonly { area: Area; name: string }[];
  onOrder(service: Service): void;
}

export function EstimateOffer({ onOrder, ...catalogue }: EstimateOfferProps) {
  const { t } = useLanguage();
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never');
  return (
    <section
      aria-labelledby="estimate-title"
      className="below-fold flex flex-wrap items-center justify-between gap-4 rounded-card bg-sunk p-[min(1.25rem,7vw)] sm:p-8"
    >
      <div className="min-w-0 basis-64 grow">
        <h2 id="estimate-title" className="text-xl font-bold">
          {t('What will it cost?')}
        </h2>
        <p className="text-sm text-ink-soft">{t('Count your clothes and see a price range, without logging in.')}</p>
      </div>
      <Button variant="secondary" onPointerEnter={PriceEstimate.preload} onFocus={PriceEstimate.preload} onClick={() => setSheet('open')}>
        {t('Estimate my price')}
      </Button>
      {sheet !== 'never' && (
        <Suspense>
          <PriceEstimate
            {...catalogue}
            open={sheet === 'open'}
            onClose={() => setSheet('closed')}
            onOrder={(service) => {
              setSheet('closed');
              onOrder(service);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
