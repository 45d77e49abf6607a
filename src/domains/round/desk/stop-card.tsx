import { bagsText } from '../../order-desk/desk/bags-text.ts';
import { Link } from 'react-router';
import { serverClock } from '../../../browser/server-clock.ts';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { formatKilograms } from '../../../lib/money.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ChevronDownIcon, ChevronUpIcon } from '../../../ui/icons/chevron.tsx';
import { ChatIcon } from '../../../ui/icons/navigation.tsx';
import { PhoneIcon } from '../../../ui/icons/contact.tsx';
import { areaNames } from '../../catalogue/contract.ts';
import type { deskError, DeskOrder, ListedOrder } from '../../order-desk/desk/contract.ts';
import { toWeighDraft, weighDraftField } from '../../order-desk/desk/dialogs/weigh-form.ts';
import { MapLink } from '../../order-desk/desk/order/contact-links.tsx';
import { FailedVisitLines } from '../../order-desk/desk/lists/failed-visit-lines.tsx';
import { isDueTonight } from '../../order-desk/desk/rules.ts';
import { shortCode } from '../../order-desk/desk/short-code.ts';
import { UrgencyBadges } from '../../order-desk/desk/lists/urgency-badges.tsx';
import { stageText } from '../../order-desk/desk/stage-text.ts';
import { FINAL_STAGES } from '../../orders/rules.ts';
import { changeDraft } from '../../staff/desk/draft-storage.ts';
import { totalPaise, unsentPayments, type Entry } from './entry.ts';
import { EntryItem, isHandOverEntry } from './entry-item.tsx';
import { StopActions } from './stop-actions.tsx';
import type { StopAction } from './stop-dialogs.tsx';

interface StopCardProps {
  /** The order as it is once the entries of this phone are sent. */
  stop: ListedOrder;
  /** The stop came to this place a moment ago, as in `useSettlingRows`. */
  isSettling: boolean;
  /** The entries of this stop that are not sent. */
  entries: readonly Entry[];
  /** The position in the sequence, from 1. */
  place: number;
  /** The number of stops of the sequence. */
  count: number;
  /** The number of stops of the day at this door. */
  atDoor: number;
  /** False without a connection: the screen of the order could not be loaded. */
  isLinked: boolean;
  /** True if the stop before is in another area. */
  showsArea: boolean;
  onMove(by: -1 | 1): void;
  onOpen(action: StopAction): void;
  /** Called with the order after a change. */
  onOrder(order: DeskOrder): void;
}

export function StopCard({ stop, isSettling, entries, place, count, atDoor, isLinked, showsArea, onMove, onOpen, onOrder }: StopCardProps) {
  const language = useLanguage();
  const { t, day, plural, rupees, translateData } = language;
  const { orderid, name, area, weight, items, bags, notes, left_to_pay: left, total_amount: amount } = stop;
  const isOtherDay = !stop.attempt && !isDueTonight(stop, serverClock.now());
  const isFinished = FINAL_STAGES.includes(stop.stage) && !stop.to_return;
  const openWeighing = (entry: Entry & { call: 'weigh' }) => {
    changeDraft(`${orderid} weigh`, { [weighDraftField(stop)]: toWeighDraft(entry.body) });
    onOpen('weigh');
  };
  const taken = totalPaise(unsentPayments(entries));
  return (
    <li>
      {showsArea && <h3 className="mt-5 mb-3 font-bold">{translateData(areaNames[area])}</h3>}
      <article aria-labelledby={`stop-${orderid}`} className="rounded-card border border-line bg-surface p-4 shadow-card">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <h4 id={`stop-${orderid}`} className="flex gap-1 font-semibold">
              <span className="shrink-0 text-ink-soft tabular-nums">{place}.</span>{' '}
              {isLinked ? (
                <Link
                  to={staffLinks.order(orderid)}
                  className="line-clamp-2 underline decoration-line underline-offset-4 [overflow-wrap:anywhere] hover:decoration-current"
                >
                  {name}
                </Link>
              ) : (
                <span className="line-clamp-2 [overflow-wrap:anywhere]">{name}</span>
              )}
            </h4>
            <address className="mt-1 text-sm not-italic [overflow-wrap:anywhere]">
              {stop.address1}, {stop.address2}
              <span className="block text-ink-soft">{stop.landmark}</span>
            </address>
          </div>
          <div className="-me-2 -mt-2 flex">
            <IconButton
              label={t('Move {name} up', { name })}
              icon={<ChevronUpIcon />}
              data-moves={orderid}
              disabled={place === 1}
              onClick={() => onMove(-1)}
            />
            <IconButton
              label={t('Move {name} down', { name })}
              icon={<ChevronDownIcon />}
              data-moves={orderid}
              disabled={place === count}
              onClick={() => onMove(1)}
            />
          </div>
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Badge tone="plain">{t('Label {code}', { code: shortCode(orderid) })}</Badge>
          {entries.some((entry) => isHandOverEntry(entry) && entry.refusal === null) ? (
            <Badge tone="warn">{t('To be confirmed')}</Badge>
          ) : (
            <Badge tone="accent">{stop.to_return ? t('Return') : stageText(language, stop)}</Badge>
          )}
          {atDoor > 1 && (
            <Badge tone="accent">
              {plural(atDoor, { one: '{count} order at this door', other: '{count} orders at this door' }, { count: atDoor })}
            </Badge>
          )}
          <UrgencyBadges order={stop} hidesTonight />
          {stop.stage === 'pickup' && isOtherDay && (
            <Badge tone="plain">
              {day(stop.pickup_date)}, {translateData(stop.timeslot)}
            </Badge>
          )}
          {stop.stage === 'delivery' && stop.back_by !== null && isOtherDay && (
            <Badge tone="plain">{t('Back by {time}', { time: formatDayTime(language, stop.back_by) })}</Badge>
          )}
          {left === null && amount !== null && <Badge tone="warn">{t('Amount {amount}', { amount: rupees(amount) })}</Badge>}
          {left !== null && left > 0 && <Badge tone="warn">{t('Due {amount}', { amount: rupees(left) })}</Badge>}
          {stop.reported_upi && left !== 0 && <Badge tone="warn">{t('Says: paid by UPI')}</Badge>}
          {taken > 0 && <Badge tone="warn">{t('{amount} taken, not sent yet', { amount: rupees(taken) })}</Badge>}
          {left === 0 && taken === 0 && stop.stage !== 'cancelled' && <Badge tone="good">{t('Paid')}</Badge>}
          {stop.rider && <Badge tone="plain">{stop.rider.name}</Badge>}
          {stop.wrong_codes > 0 && (stop.stage === 'delivery' || stop.to_return) && <Badge tone="bad">{t('Wrong code')}</Badge>}
        </div>
        <p className="mt-2 text-sm">
          {[
            translateData(stop.program_name),
            weight !== null &&
              plural(
                items ?? 0,
                { one: '{weight} kg, {items} piece', other: '{weight} kg, {items} pieces' },
                { weight: formatKilograms(weight), items: items ?? 0 },
              ),
            bags !== null && bagsText(language, bags),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {[...new Set(notes)].map((note) => (
          <p key={note} className="mt-1 text-sm [overflow-wrap:anywhere] text-ink-soft">
            {t('Note: {note}', { note })}
          </p>
        ))}
        <FailedVisitLines order={stop} />
        <Reach stop={stop} />
        <StopActions stop={stop} isSettling={isSettling} onOpen={onOpen} onOrder={onOrder} />
        {entries.length > 0 && (
          <ul className="mt-3 space-y-2">
            {entries.map((entry) => (
              <EntryItem
                key={entry.id}
                entry={entry}
                entries={entries}
                isPayable={left !== null}
                isFinished={isFinished}
                onHandOver={() => onOpen('hand-over')}
                onWeigh={correctsWeight(entry, stop) ? () => openWeighing(entry) : undefined}
              />
            ))}
          </ul>
        )}
      </article>
    </li>
  );
}

/**
 * Returns true for a weighing whose order has other figures by now. Sent as it is, the server would
 * refuse it once more, because a correction needs a reason.
 */
function correctsWeight(entry: Entry, { weight, items }: ListedOrder): entry is Entry & { call: 'weigh' } {
  if (entry.call !== 'weigh' || entry.refusal === null) return false;
  const isCorrected = weight !== null && (weight !== entry.body.weight || items !== entry.body.items);
  return isCorrected || entry.refusal.code === ('reason-required' satisfies keyof typeof deskError.texts);
}

/** Call, WhatsApp and map. */
function Reach({ stop }: { stop: ListedOrder }) {
  const { t } = useLanguage();
  const { name, mobile } = stop;
  const external = { target: '_blank', rel: 'noreferrer', className: buttonStyles('quiet', 'small') };
  return (
    <div className="mt-2 -ms-3 flex flex-wrap">
      {mobile !== null && (
        <>
          <a href={`tel:+91${mobile}`} className={external.className} aria-label={t('Call {name}', { name })}>
            <PhoneIcon small />
            {t('Call')}
          </a>
          <a href={`https://wa.me/91${mobile}`} {...external} aria-label={t('WhatsApp to {name}', { name })}>
            <ChatIcon small />
            {t('WhatsApp')}
          </a>
        </>
      )}
      <MapLink address={stop} variant="quiet" />
    </div>
  );
}
