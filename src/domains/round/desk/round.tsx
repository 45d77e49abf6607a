/**
 * Where the rider goes: pickups and deliveries of today and tomorrow. Works without a connection.
 * docs/decisions/0061.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { ConnectionLost } from '../../../contract/call-failures.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { formatWeekday } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { systemClock } from '../../../lib/clock.ts';
import { dayAfter, kolkataDateTime, kolkataDay } from '../../../lib/dates.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import type { ListedOrder } from '../../order-desk/desk/contract.ts';
import { UndoList, useLastMoves, type LastMoves } from '../../order-desk/desk/dialogs/undo-list.tsx';
import { useSettlingRows } from '../../order-desk/desk/use-settling-rows.ts';
import { useChange, type SendChange } from '../../order-desk/desk/use-change.ts';
import { LiveStatus } from '../../staff/desk/live-status.tsx';
import { useDeskEvents } from '../../staff/desk/use-desk-events.ts';
import { SeenAt } from '../../orders/pages/offline/seen-notice.tsx';
import { useMe } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { EntriesNotice } from './entries-notice.tsx';
import type { Entry } from './entry.ts';
import { EntryItem } from './entry-item.tsx';
import { fetchStops } from './fetch-stops.ts';
import { storeSequence, storeStops, usePhoneData } from './phone-store.ts';
import { StopCard } from './stop-card.tsx';
import { rowOf } from './stop-actions.tsx';
import { StopDialogs, type StopAction } from './stop-dialogs.tsx';
import { groupByDay, isSameDoor, moveStop, sortStops, withEntries, type StopDay } from './stops.ts';

const CLOCK_TOLERANCE_MS = 15 * 60 * 1000;

export function Component() {
  const { t } = useLanguage();
  const { mobile } = useMe();
  const data = usePhoneData();
  const query = useQuery<boolean>({
    queryKey: [mobile],
    async queryFn({ signal }) {
      await storeStops(mobile, await fetchStops(signal), systemClock.now().getTime());
      return true;
    },
    // Without a connection the page shows that.
    onError: (error) => !(error instanceof ConnectionLost) && showProblem(error, 'loading the round'),
  });
  const live = useDeskEvents(async () => (await query.refetch()) !== undefined);
  const seen = data?.seen?.owner === mobile ? data.seen : undefined;
  const entries = data?.entries.filter(({ owner }) => owner === mobile) ?? [];
  const isOutdated = query.status === 'error' || (query.status === 'success' && query.isRefetchError);
  // Without a connection from the start, the stops are those of an earlier visit.
  const updatedAt = live.updatedAt ?? (seen && isOutdated ? kolkataDateTime(new Date(seen.seenAt)) : null);
  return (
    <StaffPage title={t('Round')} actions={<LiveStatus isLive={live.isLive} updatedAt={updatedAt} />} width="text">
      <ClockNotice />
      <EntriesNotice entries={entries} foreign={(data?.entries.length ?? 0) - entries.length} />
      {seen && isOutdated && (
        <Notice
          tone="warn"
          live
          title={t('These are the stops that you saw last.')}
          action={
            <Button variant="secondary" size="small" onClick={() => void query.refetch()}>
              {t('Try again')}
            </Button>
          }
        >
          <SeenAt seenAt={seen.seenAt} />
        </Notice>
      )}
      {!seen && query.status === 'error' && <LoadingFailed title={t('The stops could not be loaded')} onRetry={query.retry} />}
      {!seen && query.status === 'loading' && (
        <SkeletonGroup label={t('Loading the stops')}>
          <Skeleton shape="block" />
          <Skeleton shape="block" />
        </SkeletonGroup>
      )}
      {seen && (
        <Stops
          stops={seen.stops}
          entries={entries}
          isLinked={navigator.onLine && !isOutdated}
          sequence={data?.sequences.get(mobile) ?? []}
        />
      )}
    </StaffPage>
  );
}

/** The server refuses entries of a clock that is a day off. */
function ClockNotice() {
  const { t } = useLanguage();
  const isWrong = Math.abs(serverClock.now().getTime() - systemClock.now().getTime()) > CLOCK_TOLERANCE_MS;
  if (!isWrong) return null;
  return (
    <Notice tone="warn" title={t('The clock of this phone is wrong')}>
      {t('Set it in the settings of the phone. Entries show both times, and those of a clock that is a day off are not accepted.')}
    </Notice>
  );
}

interface StopsProps {
  stops: readonly ListedOrder[];
  entries: readonly Entry[];
  /** False without a connection: the screen of an order could not be loaded. */
  isLinked: boolean;
  sequence: readonly string[];
}

function Stops({ stops, entries, isLinked, sequence }: StopsProps) {
  const { t } = useLanguage();
  const { mobile } = useMe();
  const list = useRef<HTMLDivElement>(null);
  const [dialog, setDialog] = useState<{ stop: ListedOrder; action: StopAction; isOpen: boolean; opening: number }>();
  const moves = useLastMoves();
  const [moved, setMoved] = useState<{ orderid: string; by: -1 | 1 }>();
  const days = groupByDay(
    sortStops(
      stops.map((stop) => withEntries(stop, entries)),
      sequence,
    ),
    serverClock.now(),
  );
  const sorted = days.flatMap((day) => day.stops);
  const settling = useSettlingRows(list, sorted.map(rowOf));
  const others = entries.filter(({ orderid }) => !stops.some((stop) => stop.orderid === orderid));
  const movedIn = days.find((day) => day.stops.some(({ orderid }) => orderid === moved?.orderid));
  const place = movedIn?.stops.findIndex(({ orderid }) => orderid === moved?.orderid) ?? -1;

  // The button keeps the focus. At an end of the list it is disabled, and the other one gets it.
  useEffect(() => {
    if (!moved) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-moves="${moved.orderid}"]`) ?? [];
    const [up, down] = buttons;
    const pressed = moved.by === -1 ? up : down;
    (pressed?.disabled ? (moved.by === -1 ? down : up) : pressed)?.focus();
  }, [moved]);

  const move = async (orderid: string, by: -1 | 1) => {
    try {
      const orderids = sorted.map((stop) => stop.orderid);
      await storeSequence(mobile, moveStop(orderids, orderid, by));
      setMoved({ orderid, by });
    } catch (error) {
      showProblem(error, 'sorting the stops');
    }
  };

  return (
    <>
      <p role="status" className="sr-only">
        {movedIn && t('Stop {place} of {count}', { place: place + 1, count: movedIn.stops.length })}
      </p>
      {others.length > 0 && (
        <section aria-labelledby="other-entries">
          <h2 id="other-entries" className="text-lg font-bold">
            {t('Entries of other orders')}
          </h2>
          <ul className="mt-3 space-y-3">
            {others.map((entry) => (
              <EntryItem key={entry.id} entry={entry} entries={entries} showsOrder />
            ))}
          </ul>
        </section>
      )}
      {sorted.length === 0 && (
        <EmptyState
          art={<FoldedStackArt />}
          title={t('No stops today and tomorrow')}
          action={
            <Link to={staffLinks.orders()} className={buttonStyles('secondary')}>
              {t('Board')}
            </Link>
          }
        />
      )}
      {sorted.length > 0 && (
        <div ref={list} className="space-y-6">
          {days.map((day, index) => (
            <Day key={day.day} day={day} isTonight={index === 0} isOpen={index === 0 || days[0].stops.length === 0}>
              {day.stops.map((stop, position) => (
                <StopCard
                  key={stop.orderid}
                  stop={stop}
                  isSettling={settling.has(rowOf(stop))}
                  entries={entries.filter(({ orderid }) => orderid === stop.orderid)}
                  place={position + 1}
                  count={day.stops.length}
                  atDoor={day.stops.filter((other) => isSameDoor(other, stop)).length}
                  isLinked={isLinked}
                  showsArea={day.stops[position - 1]?.area !== stop.area}
                  onMove={(by) => void move(stop.orderid, by)}
                  onOrder={moves.add}
                  onOpen={(action) => setDialog({ stop, action, isOpen: true, opening: (dialog?.opening ?? 0) + 1 })}
                />
              ))}
            </Day>
          ))}
        </div>
      )}
      {dialog && (
        <StopDialogs
          key={dialog.opening}
          action={dialog.action}
          open={dialog.isOpen}
          opened={dialog.stop}
          current={sorted.find(({ orderid }) => orderid === dialog.stop.orderid)}
          onClose={() => setDialog({ ...dialog, isOpen: false })}
          onOrder={moves.add}
        />
      )}
      <RoundMoves moves={moves} />
    </>
  );
}

/** Offers to undo the last moves: their stops have often left the round. */
function RoundMoves({ moves }: { moves: LastMoves }) {
  const [changing, setChanging] = useState<string>();
  const { pending, change } = useChange({ onOrder: moves.add, onConflict: () => undefined });
  const changeOf =
    (orderid: string): SendChange =>
    (request) => {
      setChanging(orderid);
      return change(request);
    };
  return (
    <div className="empty:hidden sticky bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-10 rounded-card shadow-float md:bottom-4">
      <UndoList moves={moves} busy={pending ? changing : undefined} changeOf={changeOf} />
    </div>
  );
}

interface DayProps {
  day: StopDay;
  isTonight: boolean;
  /** Whether it is unfolded when it appears. */
  isOpen: boolean;
  children: ReactNode;
}

/** The stops of an evening. Later ones are folded: they are not the work of tonight. */
function Day({ day: { day, stops }, isTonight, isOpen, children }: DayProps) {
  const language = useLanguage();
  const { t } = language;
  const weekday = formatWeekday(language, day);
  const isTomorrow = day === dayAfter(kolkataDay(serverClock.now()));
  const heading = (
    <h2 className="inline text-lg font-bold">
      {isTonight ? t('Tonight, {day}', { day: weekday }) : isTomorrow ? t('Tomorrow, {day}', { day: weekday }) : weekday}{' '}
      <span className="font-medium text-ink-soft tabular-nums">{stops.length}</span>
    </h2>
  );
  if (isTonight) {
    return (
      <section>
        {heading}
        {stops.length === 0 ? <p className="mt-3 text-ink-soft">{t('No stops tonight')}</p> : <ol className="space-y-4">{children}</ol>}
      </section>
    );
  }
  return (
    <details open={isOpen} className="border-t border-line pt-4">
      <summary className="min-h-11 cursor-pointer content-center">{heading}</summary>
      <ol className="space-y-4">{children}</ol>
    </details>
  );
}
