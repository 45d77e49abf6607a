import { Outlet } from 'react-router';
import { serverClock } from '../../../../browser/server-clock.ts';
import { formatDayTime, formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { kolkataDateTime, kolkataDay } from '../../../../lib/dates.ts';
import { FoldedStackArt } from '../../../../ui/art/moments.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { StageTracker } from '../../../../ui/layout/stage-tracker.tsx';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { AddressLines } from '../../../addresses/pages/address-lines.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, PROGRESS_STAGES, stageDisplay, type Order, type Stage } from '../../contract.ts';
import { lastStageChange } from '../../history-contract.ts';
import { hoursSaved, isCancelledStage, promisedBack } from '../../rules.ts';
import { DeliveredActions } from './delivered-actions.tsx';
import { isPickedUp, pickupText } from './order-card.tsx';
import { FailedVisit } from './failed-visit.tsx';
import { bagsText, piecesText } from './history-texts.ts';
import { OrderChanges } from './order-changes.tsx';
import { OrderCost } from './order-cost.tsx';
import { OrderHistory } from './order-history.tsx';
import { OurChanges } from './our-changes.tsx';

/** The outlet context for parts of other domains on the page of an order. */
export interface OrderContext {
  order: Order;
  /** Undefined for a guest. */
  userid: string | undefined;
}

interface OrderViewProps extends OrderContext {
  /** Loads the order again. */
  onChanged(): Promise<unknown>;
}

export function OrderView({ order, userid, onChanged }: OrderViewProps) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr] lg:gap-6">
      <div className="space-y-4 lg:col-span-2 lg:space-y-6">
        <FailedVisit {...{ order, userid, onChanged }} />
        <OurChanges {...{ order, userid, onChanged }} />
        <Progress order={order} />
        {order.hand_over_code !== null && <HandOverCode code={order.hand_over_code} />}
        <OrderChanges {...{ order, userid, onChanged }} />
      </div>
      {/* On a phone the amount and the payment come before the address. */}
      <div className="max-lg:contents lg:space-y-6">
        <OrderDetails order={order} />
        <DeliveryAddress order={order} />
        <div className="max-lg:order-last">
          <OrderHistory order={order} />
        </div>
      </div>
      <div className="space-y-4 lg:space-y-6">
        {order.washing_stage === ('delivered' satisfies Stage) && <DeliveredActions order={order} isGuest={userid === undefined} />}
        {!isCancelledStage(order.washing_stage) && <OrderCost order={order} />}
        <Outlet context={{ order, userid } satisfies OrderContext} />
      </div>
      {order.total_weight !== null && !isCancelledStage(order.washing_stage) && (
        <div className="max-lg:order-last lg:col-span-2">
          <HoursSaved weightGrams={order.total_weight} />
        </div>
      )}
    </div>
  );
}

/** True for an order that was cancelled before it had a weight. */
const isUnweighedForever = (order: Order) => isCancelledStage(order.washing_stage) && order.total_weight === null;

function Progress({ order }: { order: Order }) {
  const { washing_stage: stage, stages, attempt, pickup_date, timeslot, collected_date: collectedDate } = order;
  const language = useLanguage();
  const { t, translateData } = language;
  const { label, progress, expected } = stageDisplay(stage);
  const isCollected = isPickedUp(order);
  const collected = collectedDate !== null && t('Collected {time}', { time: formatDayTime(language, collectedDate) });
  const status = <Fact label={t('Order Status')} value={translateData(label)} />;
  if (isCancelledStage(stage)) {
    return (
      <Card as="section">
        <dl>{status}</dl>
      </Card>
    );
  }
  const currentIndex = PROGRESS_STAGES.findIndex((row) => row.stage === stage);
  // The expected time is that of an order that entered this stage for the first time.
  const isMovedBack = lastStageChange(order.history)?.kind === 'moved-back';
  const promised = promisedBack(order);
  const isLate = promised !== null && kolkataDateTime(serverClock.now()) > promised;
  // The promise of another delivery is its evening.
  const hasEstimate = !isCollected && !isMovedBack && attempt === null && order.delivery_date === null;
  return (
    <Card as="section">
      <h2 className="sr-only">{t('Order progress')}</h2>
      <div className="mb-4 space-y-1 empty:hidden">
        {stage === ('pickup' satisfies Stage) && attempt === null && (
          <p className="text-lg font-semibold">
            {isCollected
              ? t('We have your clothes')
              : t('Pickup {day}, {timeslot}', { day: formatWeekday(language, pickup_date), timeslot: translateData(timeslot) })}
          </p>
        )}
        <NextVisit order={order} />
      </div>
      {/* Screen readers announce a change of the stage. */}
      <dl className="mb-6 grid gap-4 min-[22rem]:grid-cols-2 sm:grid-cols-3" aria-live="polite">
        {status}
        {isCollected && collectedDate !== null && <Fact label={t('Collected')} value={formatDayTime(language, collectedDate)} />}
        {hasEstimate && <Fact label={t('Estimated Time')} value={translateData(expected)} />}
        {progress < 100 && promised !== null && <Fact label={t('Back by')} value={formatDayTime(language, promised)} />}
      </dl>
      {isCollected && (
        <p className="mb-6 text-sm text-ink-soft">
          {t(
            'Your clothes are weighed, so the order can no longer be moved or cancelled here. You can pay once it is in the queue, or when your clothes come back.',
          )}
        </p>
      )}
      {progress < 100 && isLate && <p className="mb-6 text-sm font-medium text-warn">{t('Your order is late, and we are sorry.')}</p>}
      <StageTracker
        label={t('Order progress')}
        steps={PROGRESS_STAGES.map((row, index) => {
          // An order that went back to an earlier stage has not reached the later ones.
          const entered = index <= currentIndex ? stages.findLast((entry) => entry.stage === row.stage) : undefined;
          const time = entered && formatDayTime(language, entered.entered_at);
          return index === 0 && collected !== false
            ? { label: t(row.label), time: collected, isDone: true }
            : { label: t(row.label), time };
        })}
        currentIndex={currentIndex}
        percent={progress}
      />
    </Card>
  );
}

/** Who comes, and with what the clothes are on their way. */
function NextVisit({ order }: { order: Order }) {
  const language = useLanguage();
  const { t } = language;
  const { rider, bags, total_items: items, pickup_date: day, washing_stage: stage, attempt } = order;
  const line = 'text-ink-soft';
  if (isPickedUp(order)) {
    const pieces = [...(bags === null ? [] : [bagsText(language, bags)]), ...(items === null ? [] : [piecesText(language, items)])];
    return <p className={line}>{t('{pieces} on the way to our laundry', { pieces: pieces.join(', ') })}</p>;
  }
  if (rider === null || attempt !== null) return null;
  if (stage === ('delivery' satisfies Stage)) return <p className={line}>{t('{name} brings your clothes', { name: rider })}</p>;
  const isToday = day === kolkataDay(serverClock.now());
  return <p className={line}>{isToday ? t('{name} comes this evening', { name: rider }) : t('{name} comes to you', { name: rider })}</p>;
}

function HandOverCode({ code }: { code: string }) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Hand-over code')}</h2>
      <p className="mt-1 text-3xl font-semibold tracking-widest tabular-nums">{code}</p>
      <p className="mt-1 text-sm text-ink-soft">{t('Our rider asks for it. Give it only when you hold your clothes.')}</p>
    </Card>
  );
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-sm text-ink-soft">{label}</dt>
    <dd className="font-semibold sm:text-lg">{value}</dd>
  </div>
);

function OrderDetails({ order }: { order: Order }) {
  const language = useLanguage();
  const { t, translateData, day } = language;
  const { total_items: items, total_weight: weight } = order;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Order details')}</h2>
      <DefinitionTable
        rows={[
          { label: t('Order No'), value: order.orderid },
          { label: t('Order Date'), value: day(order.order_date) },
          { label: t('Wash Program'), value: translateData(order.program_name) },
          { label: t('Area'), value: translateData(areaNames[order.area]) },
          { label: t('Pickup'), value: pickupText(language, order) },
          ...(isUnweighedForever(order)
            ? []
            : [
                ...(order.bags === null ? [] : [{ label: t('Bags'), value: order.bags }]),
                { label: t('Items'), value: items ?? t(orderMessages.atPickup) },
                { label: t('Weight (kg)'), value: weight === null ? t(orderMessages.atPickup) : formatKilograms(weight) },
              ]),
        ]}
      />
    </Card>
  );
}

function DeliveryAddress({ order }: { order: Order }) {
  const { t } = useLanguage();
  return (
    <div className="max-lg:order-last">
      <Card as="section">
        <h2 className="font-semibold">{t('Delivery Address')}</h2>
        <address className="mt-2 text-sm text-ink-soft not-italic">
          <span className="block font-medium text-ink">{order.name}</span>
          <AddressLines address={order} />
        </address>
      </Card>
    </div>
  );
}

function HoursSaved({ weightGrams }: { weightGrams: number }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const hours = hoursSaved(weightGrams);
  return (
    <Card as="section">
      <div className="flex flex-col items-center justify-center gap-x-8 gap-y-4 text-center sm:flex-row sm:text-start">
        <FoldedStackArt />
        <div>
          <p className="text-lg font-semibold">{t('Thank you for choosing {brand}!', { brand: brand.name })}</p>
          <p className="text-ink-soft">{t('You saved about {from} to {to} hours.', { from: hours, to: hours + 1 })}</p>
        </div>
      </div>
    </Card>
  );
}
