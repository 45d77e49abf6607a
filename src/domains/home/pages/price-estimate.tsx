import { useLanguage } from '../../../i18n/language.tsx';
import { tabStorage } from '../../../browser/tab-storage.ts';
import type { Paise } from '../../../lib/money.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { MinusIcon, PlusIcon } from '../../../ui/icons/edit.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { Sheet } from '../../../ui/overlays/sheet.tsx';
import type { Area } from '../../catalogue/contract.ts';
import type { Service } from '../../catalogue/rules.ts';
import { cartActions, type ExpectedLoad } from '../../orders/pages/draft/cart-state.ts';
import { formatAmountRange, formatLoadWeight } from '../../orders/pages/draft/order-labels.ts';
import { estimateAmounts, type AmountRange } from '../../orders/rules.ts';
import { changeDraft, useDraft } from '../../orders/pages/draft/draft.ts';
import { useRefreshOffer } from '../../orders/pages/draft/refresh-draft.ts';
import { expectedLoad } from '../rules.ts';
import { AreaChoice } from './area-choice.tsx';
import { GARMENTS, type Garment } from './garments.ts';

interface PriceEstimateProps {
  open: boolean;
  onClose(): void;
  services: readonly Service[];
  areas: readonly { area: Area; name: string }[];
  onOrder(service: Service): void;
}

const MAX_PIECES = 99;

interface EstimatedLoad {
  /** By garment. */
  counts: Readonly<Record<string, number>>;
  /** Empty for the first service. */
  programid: string;
}

/** The input, which survives a reload. */
const estimated = tabStorage<EstimatedLoad>('estimate', { counts: {}, programid: '' });

/** Estimates the price of a load without a log-in. The order is charged by the weight at pickup. */
export function PriceEstimate({ open, onClose, services, areas, onOrder }: PriceEstimateProps) {
  const { t, translateData } = useLanguage();
  const { area, offer } = useDraft();
  useRefreshOffer(open ? 'estimate' : undefined);
  const { counts, programid } = estimated.use();
  const service = services.find((row) => row.programid === programid) ?? services[0];
  if (!service) return null;
  const pieces = GARMENTS.map(({ name, gramsLow, gramsHigh }) => ({ name, gramsLow, gramsHigh, count: counts[name] ?? 0 }));
  const rates: Paise[] = area === 'none' ? Object.values(service.rates) : [service.rates[area]];
  const load = expectedLoad(pieces);
  const order = () => {
    // Shown beside the rate until the order is weighed.
    if (load.items > 0) changeDraft((before) => cartActions.expectLoad(before, load));
    onOrder(service);
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('What will it cost?')}
      footer={
        <div className="space-y-3">
          <EstimateTotal load={load} range={estimateAmounts(load, rates, offer?.percent ?? 0)} percentOff={offer?.percent ?? 0} />
          <Button variant="primary" wide onClick={order}>
            {t('Order {service}', { service: translateData(service.name) })}
          </Button>
        </div>
      }
    >
      <div className="space-y-4">
        <SegmentedChoice
          legend={t('Service')}
          variant="chips"
          options={services.map(({ programid: value, name }) => ({ value, label: translateData(name) }))}
          value={service.programid}
          onChange={(chosen) => estimated.set({ counts, programid: chosen })}
        />
        <AreaChoice areas={areas} area={area} onChoose={(chosen) => changeDraft((before) => cartActions.chooseArea(before, chosen))} />
        <ul className="divide-y divide-line">
          {pieces.map((piece) => (
            <GarmentRow
              key={piece.name}
              garment={piece}
              count={piece.count}
              onCount={(count) => estimated.set({ programid, counts: { ...counts, [piece.name]: count } })}
            />
          ))}
        </ul>
        <p className="text-sm text-ink-soft">
          {t('Light and heavy pieces differ, so this is a range. Your clothes are weighed at pickup, and you pay for that weight.')}
        </p>
      </div>
    </Sheet>
  );
}

function EstimateTotal({ load, range, percentOff }: { load: ExpectedLoad; range: AmountRange; percentOff: number }) {
  const language = useLanguage();
  const { t, plural } = language;
  const { items } = load;
  const params = { count: items, weight: formatLoadWeight(language, load) };
  return (
    <output className="flex items-baseline justify-between gap-4">
      <span className="text-sm text-ink-soft">
        {items === 0
          ? t('Add what you have')
          : plural(items, { one: '{count} piece, about {weight}', other: '{count} pieces, about {weight}' }, params)}
        {percentOff > 0 && <span className="block font-medium text-good">{t('{percent}% off counted', { percent: percentOff })}</span>}
      </span>
      {items > 0 && <strong className="text-xl tabular-nums">{formatAmountRange(language, range)}</strong>}
    </output>
  );
}

function GarmentRow({ garment: { name }, count, onCount }: { garment: Garment; count: number; onCount(count: number): void }) {
  const { t } = useLanguage();
  return (
    <li className="flex items-center gap-2 py-1">
      <span className="min-w-0 flex-1">{t(name)}</span>
      <IconButton
        label={t('One less: {garment}', { garment: t(name) })}
        icon={<MinusIcon />}
        disabled={count === 0}
        onClick={() => onCount(count - 1)}
      />
      <span className="w-8 text-center font-semibold tabular-nums">
        <span className="sr-only">{t('{garment}:', { garment: t(name) })} </span>
        {count}
      </span>
      <IconButton
        label={t('One more: {garment}', { garment: t(name) })}
        icon={<PlusIcon />}
        disabled={count >= MAX_PIECES}
        onClick={() => onCount(count + 1)}
      />
    </li>
  );
}
