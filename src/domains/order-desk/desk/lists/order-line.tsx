import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDayTime, formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import { serverClock } from '../../../../browser/server-clock.ts';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { classes } from '../../../../ui/classes.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { cardLinkStyles } from '../../../../ui/layout/card.tsx';
import { isAwaitingPickup, isCollected } from '../../../orders/phase-rules.ts';
import { isLate, promisedBack } from '../../../orders/visit-rules.ts';
import type { ListedOrder } from '../contract.ts';
import { FailedVisitLines } from './failed-visit-lines.tsx';
import { isDueTonight, isToFinishTonight } from '../rules.ts';
import { stageText } from '../stage-text.ts';
import { UrgencyBadges } from './urgency-badges.tsx';

/** An order in a list: whose it is, where it goes, and what is due. */
export function OrderLine({ order, showsStage = false, actions }: { order: ListedOrder; showsStage?: boolean; actions?: ReactNode }) {
  const language = useLanguage();
  const { t, plural, rupees, translateData } = language;
  const { orderid, name, address1, address2, weight, items, left_to_pay: left, rider, attempt, wrong_codes: wrongCodes } = order;
  const { bags, counted_bags: counted } = order;
  const now = serverClock.now();
  const promised = promisedBack(order, now);
  const isToCollect = isAwaitingPickup(order.stage, weight);
  const isTonight = isDueTonight(order, now);
  const edge = isLate(order, now) ? 'border-s-bad' : isToFinishTonight(order, now) ? 'border-s-warn' : 'border-s-line';
  return (
    <li
      data-order={orderid}
      className={classes(
        'relative min-w-0 rounded-card border border-s-4 border-line bg-surface p-4 shadow-card transition-colors lg:px-3 hover:border-accent-ink has-focus-visible:outline-3 has-focus-visible:outline-accent-ink',
        edge,
      )}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="line-clamp-2 min-w-0 font-semibold [overflow-wrap:anywhere]">
          <Link to={staffLinks.order(orderid)} className={cardLinkStyles}>
            {name}
          </Link>
        </h3>
        <span className="text-sm whitespace-nowrap text-ink-soft tabular-nums">{orderid}</span>
      </div>
      <p className="mt-1 text-sm [overflow-wrap:anywhere] text-ink-soft">
        {address1}, {address2}
      </p>
      <p className="mt-1 text-sm">
        {translateData(order.program_name)}
        {weight !== null &&
          ` · ${plural(items ?? 0, { one: '{weight} kg, {items} piece', other: '{weight} kg, {items} pieces' }, { weight: formatKilograms(weight), items: items ?? 0 })}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {(showsStage || isCollected(order.stage, weight)) && <Badge tone="accent">{stageText(language, order)}</Badge>}
        {order.to_return && <Badge tone="warn">{t('To return')}</Badge>}
        <UrgencyBadges order={order} />
        {/* The former evening of a failed visit is of no use any more. */}
        {isToCollect && !attempt && !isTonight && <Badge tone="plain">{formatWeekday(language, order.pickup_date)}</Badge>}
        {weight !== null && promised !== null && !attempt && !isTonight && (
          <Badge tone="plain">{t('Back by {time}', { time: formatDayTime(language, promised) })}</Badge>
        )}
        {order.evening && (
          <Badge tone="bad">{order.evening === 'closed' ? t('Evening closed: move it') : t('Evening over capacity')}</Badge>
        )}
        {left !== null && left > 0 && <Badge tone="warn">{t('Due {amount}', { amount: rupees(left) })}</Badge>}
        {order.reported_upi && <ReportedUpiBadge left={left} />}
        {left === 0 && order.stage !== 'cancelled' && <Badge tone="good">{t('Paid')}</Badge>}
        {(rider || isToCollect) && <Badge tone="plain">{rider?.name ?? t('No rider yet')}</Badge>}
        {wrongCodes > 0 && (order.stage === 'delivery' || order.to_return) && <Badge tone="bad">{t('Wrong code')}</Badge>}
        {order.bags_differ && (
          <Badge tone="bad">{t('Bags: {bags} collected, {counted} counted', { bags: bags ?? 0, counted: counted ?? 0 })}</Badge>
        )}
      </div>
      <FailedVisitLines order={order} />
      {actions}
    </li>
  );
}

/**
 * `left` is the unpaid amount, null before the weighing. Once it is 0, only the owner still
 * compares the payment with the statement of the bank.
 */
export function ReportedUpiBadge({ left }: { left: number | null }) {
  const { t } = useLanguage();
  return left === 0 ? <Badge tone="plain">{t('UPI to compare')}</Badge> : <Badge tone="warn">{t('Says: paid by UPI')}</Badge>;
}
