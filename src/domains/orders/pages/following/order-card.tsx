import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { serverClock } from '../../../../browser/server-clock.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { formatKilograms } from '../../../../lib/money.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { Card, cardLinkStyles } from '../../../../ui/layout/card.tsx';
import { ChevronRightIcon } from '../../../../ui/icons/chevron.tsx';
import { BasketIcon, HangerIcon, IronIcon, WasherIcon } from '../../../../ui/icons/order.tsx';
import { Money } from '../../../../ui/layout/money.tsx';
import { links } from '../../../../shared/links.ts';
import type { ByService } from '../../../catalogue/contract.ts';
import { stageDisplay, type Order, type Stage } from '../../contract.ts';
import { lastStageChange } from '../../history-contract.ts';
import { isCollected } from '../../phase-rules.ts';
import { isCancelledStage, leftToPay } from '../../rules.ts';
import { isLate, promisedBack } from '../../visit-rules.ts';
import { WalletPaymentLink } from './wallet-payment-link.tsx';

/** An order in the list: program, stage, next step, and its amount once it is weighed. */
export function OrderCard({ order, isGuest, note }: { order: Order; isGuest: boolean; note?: ReactNode }) {
  const language = useLanguage();
  const { t, translateData, day, rupees } = language;
  const { progress } = stageDisplay(order.washing_stage);
  const isCancelled = isCancelledStage(order.washing_stage);
  const step = orderStatusText(language, order);
  const promise = promiseText(language, order);
  // The laundry checks a reported payment.
  const left = order.has_reported_upi ? 0 : leftToPay(order);
  return (
    <Card as="li" linked>
      {/* With a large text, the column moves below the icon instead of breaking words. */}
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <ProgramIcon programid={order.programid} />
        <div className="min-w-0 flex-1 basis-40">
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <h2 className="font-semibold wrap-break-word">
              <Link to={links.order(order.orderid)} className={cardLinkStyles}>
                {translateData(order.program_name)}
              </Link>
            </h2>
            <StageBadge order={order} />
          </div>
          <p className="mt-0.5 text-sm text-ink-soft">
            {day(order.order_date)}
            <span aria-hidden="true"> · </span>
            <span className="tabular-nums">{order.orderid}</span>
          </p>
        </div>
      </div>
      {progress < 100 && !isCancelled && (
        <div className="mt-4">
          <progress className="bar" max={100} value={progress} aria-label={t('Progress of order {orderid}', { orderid: order.orderid })} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-40 text-sm text-ink-soft">
          <span className="block font-medium text-ink">{step}</span>
          {isLate(order, serverClock.now()) ? (
            <span className="block font-medium text-warn">{t('We are late, please call us')}</span>
          ) : (
            promise !== undefined && promise !== step && <span className="block">{promise}</span>
          )}
          {isCancelled && order.amount_paid > 0 && (
            <span className="block">{t('Refund {amount}', { amount: rupees(order.amount_paid) })}</span>
          )}
          {weightText(language, order)}
          {left > 0 && (
            <span className="block font-medium text-ink">
              {left === order.total_amount
                ? t('Left to pay {amount}', { amount: rupees(left) })
                : t('Left to pay {amount} of {total}', { amount: rupees(left), total: rupees(order.total_amount ?? left) })}
            </span>
          )}
        </p>
        <p className="flex shrink-0 items-center gap-1 text-lg font-bold">
          {order.total_amount !== null && !isCancelled && left === 0 && <Money amountPaise={order.total_amount} />}
          <span className="text-ink-soft">
            <ChevronRightIcon small />
          </span>
        </p>
      </div>
      {note && <p className="mt-3 text-sm text-ink-soft">{note}</p>}
      {/* z-1 places it above the link that covers the card. */}
      {order.has_reported_upi ? (
        <p className="mt-3 text-sm font-medium">{t('Paid by UPI, being checked')}</p>
      ) : (
        !isGuest && <WalletPaymentLink order={order} className={`${buttonStyles('secondary', 'small', true)} relative z-1 mt-4`} />
      )}
    </Card>
  );
}

type Tone = 'warn' | 'accent' | 'good' | 'plain';

const TONES: Readonly<Record<string, Tone>> = {
  pickup: 'warn',
  queue: 'accent',
  washing: 'accent',
  delivery: 'accent',
  delivered: 'good',
  cancelled: 'plain',
} satisfies Record<Stage, Tone>;

export function StageBadge({ order }: { order: Order }) {
  const { t, translateData } = useLanguage();
  const { washing_stage: stage } = order;
  if (isPickedUp(order)) return <Badge tone="accent">{t('Collected')}</Badge>;
  return <Badge tone={TONES[stage] ?? 'plain'}>{translateData(stageDisplay(stage).label)}</Badge>;
}

const ICONS: ByService<ReactNode> = { wash: <WasherIcon />, 'wash-iron': <HangerIcon />, iron: <IronIcon /> };

export const ProgramIcon = ({ programid }: { programid: string }) => (
  <span className="grid size-12 shrink-0 place-items-center rounded-field bg-accent-soft text-accent-ink">
    {ICONS[programid] ?? <BasketIcon />}
  </span>
);

/**
 * Returns one line about the state of an order: the first that applies, from clothes to return to
 * the time under 'Back by'. Empty if none applies.
 */
export function orderStatusText(language: Language, order: Order): string {
  const { t, translateData, day } = language;
  const {
    washing_stage: stage,
    pickup_date: pickupDay,
    delivery_date: deliveryDay,
    timeslot,
    back_by: promised,
    returned_date: returned,
  } = order;
  if (order.to_return && promised !== null) {
    return t('We bring your clothes back by {time}', { time: formatDayTime(language, promised) });
  }
  if (returned !== null) return t('Returned {time}', { time: formatDayTime(language, returned) });
  if (isPickedUp(order)) return t('We have your clothes');
  if (order.attempt) return t('Please choose a new evening');
  if (deliveryDay !== null) return t('Delivery {day}, {timeslot}', { day: day(deliveryDay), timeslot: translateData(timeslot) });
  if (stage === 'pickup') return t('Pickup {day}, {timeslot}', { day: day(pickupDay), timeslot: translateData(timeslot) });
  if (isCancelledStage(stage)) return t('This order is cancelled');
  if (stage === 'delivered') return t('Thank you for your order');
  if (lastStageChange(order.history)?.kind === 'moved-back')
    return t('Back to {stage}', { stage: translateData(stageDisplay(stage).label) });
  return promiseText(language, order) ?? '';
}

/** Returns 'Back by …'. Undefined if `promisedBack` returns null, and for a cancelled order. */
function promiseText(language: Language, order: Order): string | undefined {
  const promised = isCancelledStage(order.washing_stage) ? null : promisedBack(order, serverClock.now());
  return promised === null ? undefined : language.t('Back by {time}', { time: formatDayTime(language, promised) });
}

/** Returns the evening of the pickup, or after a failed one the request to choose another. */
export function pickupText({ t, translateData, day }: Language, order: Order): string {
  const { attempt, washing_stage: stage, pickup_date: pickupDay, timeslot } = order;
  if (attempt && stage === ('pickup' satisfies Stage)) return t('Please choose a new evening');
  return `${day(pickupDay)}, ${translateData(timeslot)}`;
}

/** Returns true if the clothes are weighed and the order is still in the stage of its pickup. */
export const isPickedUp = ({ washing_stage: stage, total_weight: weight }: Order) => isCollected(stage, weight);

/** Empty for an order that was cancelled before it was weighed. */
export function weightText({ t, plural, translateData }: Language, order: Order): string {
  const { total_weight: weight, total_items: items, unit } = order;
  if (weight === null || items === null) return isCancelledStage(order.washing_stage) ? '' : t('Weight calculated at pickup');
  return plural(
    items,
    { one: '{weight} {unit}, {items} item', other: '{weight} {unit}, {items} items' },
    { weight: formatKilograms(weight), unit: translateData(unit), items },
  );
}
