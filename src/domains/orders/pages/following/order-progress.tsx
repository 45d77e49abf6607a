import { serverClock } from '../../../../browser/server-clock.ts';
import { formatDayTime, formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { kolkataDay } from '../../../../lib/dates.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { StageTracker } from '../../../../ui/layout/stage-tracker.tsx';
import { PROGRESS_STAGES, stageDisplay, type Order, type Stage } from '../../contract.ts';
import { lastStageChange, type HistoryKind } from '../../history-contract.ts';
import { isCancelledStage } from '../../rules.ts';
import { promisedBack } from '../../visit-rules.ts';
import { bagsText, piecesText } from './history-texts.ts';
import { isPickedUp } from './order-card.tsx';

/** Returns true if the laundry moved the order back to its stage. */
export const isMovedBack = ({ history }: Order): boolean => lastStageChange(history)?.kind === ('moved-back' satisfies HistoryKind);

/** Where the order is, and by when it is back. docs/decisions/0077 and 0095. */
export function OrderProgress({ order }: { order: Order }) {
  const { washing_stage: stage, stages, attempt, pickup_date, timeslot, collected_date: collectedDate } = order;
  const language = useLanguage();
  const { t, translateData } = language;
  const { label, progress } = stageDisplay(stage);
  const status = <Fact label={t('Order Status')} value={translateData(label)} />;
  if (isCancelledStage(stage)) {
    return (
      <Card as="section">
        <dl>{status}</dl>
      </Card>
    );
  }
  const isCollected = isPickedUp(order);
  const currentIndex = PROGRESS_STAGES.findIndex((row) => row.stage === stage);
  const promised = promisedBack(order, serverClock.now());
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
      <div className="@container mb-6" aria-live="polite">
        <dl className="grid gap-4 @min-[17.5rem]:grid-cols-2 @min-[32rem]:grid-cols-3">
          {!isCollected && status}
          {isCollected && collectedDate !== null && <Fact label={t('Collected')} value={formatDayTime(language, collectedDate)} />}
          {promised !== null && <Fact label={t('Back by')} value={formatDayTime(language, promised)} />}
        </dl>
      </div>
      {isCollected && (
        <p className="mb-6 text-sm text-ink-soft">
          {t('Your clothes are weighed, so the order can no longer be moved or cancelled here.')}
        </p>
      )}
      <StageTracker
        label={t('Order progress')}
        steps={PROGRESS_STAGES.map((row, index) => {
          // An order that went back to an earlier stage has not reached the later ones.
          const entered = index <= currentIndex ? stages.findLast((entry) => entry.stage === row.stage) : undefined;
          const time = entered && formatDayTime(language, entered.entered_at);
          if (index > 0 || collectedDate === null) return { label: t(row.label), time };
          const collectedAt = formatDayTime(language, collectedDate);
          return isCollected
            ? { label: t('Collected'), time: collectedAt, isDone: true }
            : { label: t(row.label), time: t('Collected {time}', { time: collectedAt }), isDone: true };
        })}
        currentIndex={currentIndex}
        percent={progress}
      />
    </Card>
  );
}

/** The next visit: the rider's name, or the bags and pieces that we have. */
function NextVisit({ order }: { order: Order }) {
  const language = useLanguage();
  const { t } = language;
  const { rider, bags, total_items: items, pickup_date: day, washing_stage: stage, attempt } = order;
  const line = 'text-ink-soft';
  if (isPickedUp(order)) {
    const pieces = [...(bags === null ? [] : [bagsText(language, bags)]), ...(items === null ? [] : [piecesText(language, items)])];
    const params = { pieces: pieces.join(', ') };
    return <p className={line}>{isMovedBack(order) ? t('With us: {pieces}', params) : t('{pieces} on the way to our laundry', params)}</p>;
  }
  if (rider === null || attempt !== null) return null;
  if (stage === ('delivery' satisfies Stage)) return <p className={line}>{t('{name} brings your clothes', { name: rider })}</p>;
  const isToday = day === kolkataDay(serverClock.now());
  return <p className={line}>{isToday ? t('{name} comes this evening', { name: rider }) : t('{name} comes to you', { name: rider })}</p>;
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-sm text-ink-soft">{label}</dt>
    <dd className="font-semibold sm:text-lg">{value}</dd>
  </div>
);
