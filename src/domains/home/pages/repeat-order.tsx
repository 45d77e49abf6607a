import { useLanguage } from '../../../i18n/language.tsx';
import { serverClock } from '../../../browser/server-clock.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { formatRate } from '../../catalogue/pages/format-rate.ts';
import { areaNames, type Area } from '../../catalogue/contract.ts';
import type { Service } from '../../catalogue/rules.ts';
import { useEvenings } from '../../evenings/pages/use-evenings.ts';
import { WITHOUT_LIMITS, nextPickupDay } from '../../evenings/rules.ts';
import { TIMESLOT, type Order } from '../../orders/contract.ts';
import { calculateRates, EMPTY_DRAFT, type ExpectedLoad } from '../../orders/pages/draft/cart-state.ts';
import { useDraft } from '../../orders/pages/draft/draft.ts';
import { formatEstimate, formatPickupDay } from '../../orders/pages/draft/order-labels.ts';
import { addressOfLastOrder, loadOf, type CustomerHistory } from '../../orders/pages/draft/preselection.ts';
import { RecentCard } from './recent-card.tsx';
import { SERVICES_ID } from './service-tiles.tsx';

export interface RepeatedOrder {
  service: Service;
  area: Area;
  load: ExpectedLoad | null;
}

interface RepeatOrderProps {
  history: CustomerHistory;
  /** The last order. */
  order: Order;
  isGuest: boolean;
  services: readonly Service[];
  onRepeat(again: RepeatedOrder): void;
}

/**
 * Returns the last order, with its address if that is still saved. Null if its service is no longer
 * offered.
 */
function repeatedOrder({ history, order, isGuest, services }: RepeatOrderProps) {
  const service = services.find(({ programid }) => programid === order.programid);
  const address = isGuest ? order : addressOfLastOrder(history);
  return service ? { service, area: address?.area ?? order.area, load: loadOf(order), address } : null;
}

/** The last order in one line, for phones. */
export function RepeatRow(props: RepeatOrderProps) {
  const { t, translateData } = useLanguage();
  const figuresOf = useTodaysFigures();
  const repeated = repeatedOrder(props);
  if (!repeated) return null;
  const { service, area, load, address } = repeated;
  const figures = figuresOf(repeated);
  return (
    <div className="sm:hidden">
      <Button variant="secondary" size="small" wide onClick={() => props.onRepeat({ service, area, load })}>
        <span>
          {t('{text}: {reason}', {
            text: t('Repeat last order'),
            reason: `${translateData(service.name)}, ${translateData(areaNames[area])}`,
          })}
          <span className="block text-xs font-normal text-ink-soft">
            {[figures.rate, figures.offer, figures.estimate, figures.pickupDay].filter(Boolean).join(' · ')}
          </span>
        </span>
      </Button>
      {!address && <AddressGone />}
    </div>
  );
}

function AddressGone() {
  const { t } = useLanguage();
  return (
    <span className="block text-sm font-medium text-warn">
      {t('The address of this order is no longer saved. You choose another one in the next step.')}
    </span>
  );
}

/** The last order with today's rate and pickup. */
export function RepeatOrder({ isRowOnPhones, ...props }: RepeatOrderProps & { isRowOnPhones: boolean }) {
  const { order, onRepeat } = props;
  const { t, translateData } = useLanguage();
  const figuresOf = useTodaysFigures();
  const repeated = repeatedOrder(props);
  if (!repeated) return <ProgramGone name={translateData(order.program_name)} />;

  const { service, area, load, address } = repeated;
  const figures = figuresOf(repeated);
  return (
    <RecentCard
      isWideOnly={isRowOnPhones}
      actions={
        <Button variant="primary" wide onClick={() => onRepeat({ service, area, load })}>
          {t('Repeat last order')}
        </Button>
      }
    >
      <h2 className="font-semibold">
        {translateData(service.name)}, {translateData(areaNames[area])}
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        <span className="font-medium text-ink tabular-nums">{figures.rate}</span>
        {figures.offer && <span className="font-semibold text-good"> {figures.offer}</span>}
        {figures.estimate && <span className="block">{figures.estimate}</span>}
        <span className="block">
          {figures.pickupDay}, {translateData(TIMESLOT)}
        </span>
        {address ? (
          <span className="block truncate">
            {address.address1}, {address.address2}
          </span>
        ) : (
          <AddressGone />
        )}
      </p>
    </RecentCard>
  );
}

/** Returns the texts of rate, offer, estimate and pickup day of an order that is repeated now. */
function useTodaysFigures() {
  const language = useLanguage();
  const { t } = language;
  const { offer } = useDraft();
  const evenings = useEvenings('home');
  return ({ service, area, load }: RepeatedOrder) => {
    const draft = { ...EMPTY_DRAFT, service, area, offer, expectedLoad: load };
    const rates = calculateRates(draft);
    const now = serverClock.now();
    return {
      rate: rates && formatRate(language, rates.orderRatePaise, service.unit),
      offer: offer && t('{percent}% off', { percent: offer.percent }),
      estimate: load && t('about {amount}', { amount: formatEstimate(language, draft) ?? '' }),
      pickupDay: formatPickupDay(language, nextPickupDay(evenings?.[area] ?? WITHOUT_LIMITS, now), now),
    };
  };
}

function ProgramGone({ name }: { name: string }) {
  const { t } = useLanguage();
  return (
    <RecentCard
      actions={
        <a href={`#${SERVICES_ID}`} className={buttonStyles('secondary', 'regular', true)}>
          {t('Choose a service')}
        </a>
      }
    >
      <h2 className="font-semibold">{t('Repeat last order')}</h2>
      <p className="mt-1 text-sm text-ink-soft">
        {t('{service} is no longer offered. Please choose another service. Your area and address are already selected.', { service: name })}
      </p>
    </RecentCard>
  );
}
