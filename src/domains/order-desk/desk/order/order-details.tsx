import { bagsText } from '../bags-text.ts';
import { Link } from 'react-router';
import { formatDayTime, formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { Stars } from '../../../../ui/layout/stars.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import { areaNames } from '../../../catalogue/contract.ts';
import { FINAL_STAGES } from '../../../orders/rules.ts';
import { costRows } from '../../../orders/pages/following/cost-rows.tsx';
import { promisedBack } from '../../../orders/visit-rules.ts';
import { mayCall } from '../../../staff/desk/contract.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { CallLink, MapLink } from './contact-links.tsx';
import { MAX_WRONG_CODES, type DeskOrder } from '../contract.ts';
import { stageText } from '../stage-text.ts';
import { ReportedUpiBadge } from '../lists/order-line.tsx';
import { UrgencyBadges } from '../lists/urgency-badges.tsx';

export function OrderDetails({ order }: { order: DeskOrder }) {
  const language = useLanguage();
  const { t, day, rupees, translateData } = language;
  const { customer, total_weight: weight, total_items: items, total_amount: amount, left_to_pay: left, mobile } = order;
  const { role } = useMe();
  const { washing_stage: stage, to_return, counted_bags: counted } = order;
  const promised = promisedBack(order, serverClock.now());
  const isFinished = FINAL_STAGES.includes(stage) && !to_return;
  const options = [order.detergent, order.conditioner, order.iron].flatMap((option) =>
    option ? translateData(OPTION_NAMES[option] ?? option) : [],
  );
  return (
    <Card as="section">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{order.name || t('Deleted account')}</h2>
        <Badge tone="accent">{stageText(language, { stage, weight })}</Badge>
        {to_return && <Badge tone="warn">{t('To return')}</Badge>}
        {order.begun_upi && order.begun_upi.reported_at !== null && <ReportedUpiBadge left={left} />}
        {order.code_tries_left < MAX_WRONG_CODES && (stage === 'delivery' || to_return) && <Badge tone="bad">{t('Wrong code')}</Badge>}
        <UrgencyBadges order={{ ...order, stage, weight }} />
        {customer.is_guest && <Badge tone="plain">{t('Guest')}</Badge>}
      </div>
      <address className="mt-2 text-sm not-italic [overflow-wrap:anywhere] text-ink-soft">
        <span className="block">{order.address1}</span>
        <span className="block">{order.address2}</span>
        <span className="block">{order.landmark}</span>
      </address>
      {!customer.is_erased && (
        <div className="mt-3 flex flex-wrap gap-2">
          {mobile !== null && <CallLink mobile={mobile} />}
          {customer.mobile !== null && customer.mobile !== mobile && <CallLink mobile={customer.mobile} />}
          <MapLink address={order} variant="secondary" />
          {customer.mobile !== null && mayCall(role, 'staff/customer') && (
            <Link to={staffLinks.customers({ mobile: customer.mobile })} className={buttonStyles('quiet', 'small')}>
              {t('Customer')}
            </Link>
          )}
          {mobile === null && <p className="text-sm text-ink-soft">{t('The numbers are hidden a day after the delivery.')}</p>}
        </div>
      )}
      <DefinitionTable
        rows={[
          { label: t('Wash Program'), value: translateData(order.program_name) },
          ...(options.length > 0 ? [{ label: t('Options'), value: options.join(', ') }] : []),
          { label: t('Area'), value: translateData(areaNames[order.area]) },
          ...(order.attempt && weight === null
            ? []
            : [{ label: t('Pickup'), value: `${day(order.pickup_date)}, ${translateData(order.timeslot)}` }]),
          ...(promised === null ? [] : [{ label: t('Back by'), value: formatDayTime(language, promised) }]),
          ...(order.delivery_date === null ? [] : [{ label: t('Delivery day'), value: formatWeekday(language, order.delivery_date) }]),
          ...(order.cancellation === null ? [] : [{ label: t('Cancelled'), value: cancelled(language, order.cancellation) }]),
          ...(order.returned_date === null ? [] : [{ label: t('Returned'), value: formatDayTime(language, order.returned_date) }]),
          ...(order.delivered_date === null ? [] : [{ label: t('Delivered'), value: handedOver(language, order, order.delivered_date) }]),
          ...(order.stars === null ? [] : [{ label: t('Stars'), value: <Stars rating={order.stars} /> }]),
          ...(order.rider === null && isFinished ? [] : [{ label: t('Rider'), value: order.rider?.name ?? t('Nobody yet') }]),
          { label: t('Weight (kg)'), value: weight === null ? t('Not weighed') : formatKilograms(weight) },
          ...(items === null ? [] : [{ label: t('Items'), value: items }]),
          ...(order.bags === null ? [] : [{ label: t('Bags'), value: order.bags }]),
          ...(counted === null || counted === order.bags
            ? []
            : [
                {
                  label: t('Bags counted last'),
                  value: order.bags_differ ? <Badge tone="bad">{bagsText(language, counted)}</Badge> : counted,
                },
              ]),
          ...(amount === null
            ? []
            : [...costRows(language, order).filter(({ emphasis }) => !emphasis), { label: t('Amount'), value: rupees(amount) }]),
          ...(left === null ? [] : [{ label: t('Left to pay'), value: rupees(left), emphasis: true }]),
        ]}
      />
      {order.notes.length > 0 && (
        <>
          <h3 className="mt-3 font-semibold">{t('Notes')}</h3>
          <ul className="mt-1 space-y-1 text-sm">
            {order.notes.map(({ note, at, by }) => (
              <li key={at + note} className="[overflow-wrap:anywhere]">
                {note}
                <span className="block text-xs text-ink-soft">{[formatDayTime(language, at), by.name].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** Returns the time of the hand-over, and the name of the person of the staff if it is known. */
function handedOver(language: Language, { history }: DeskOrder, deliveredAt: string): string {
  const by = history.findLast(({ kind, stage }) => kind === 'moved' && stage === 'delivered')?.by.name;
  return [formatDayTime(language, deliveredAt), by].filter(Boolean).join(' · ');
}

/** Returns the time, the party and the reason of the cancellation. */
function cancelled(language: Language, { at, by, reason }: NonNullable<DeskOrder['cancellation']>): string {
  const { t } = language;
  return [formatDayTime(language, at), by === 'laundry' ? t('Laundry') : t('Customer'), reason].filter(Boolean).join(' · ');
}

const OPTION_NAMES: Readonly<Record<string, string>> = { surfexcel: 'Surf Excel', softtouch: 'Soft Touch', steam: 'Steam' };
