/**
 * Where the rider goes: pickups and deliveries of today and tomorrow. Works without a connection.
 * docs/decisions/0061.
 */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ConnectionLost } from '../../../contract/call-failures.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { systemClock } from '../../../lib/clock.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import type { ListedOrder } from '../../order-desk/desk/contract.ts';
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
import { moveStop, sortStops, withEntries } from './stops.ts';

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
  return (
    <StaffPage title={t('Round')} actions={<LiveStatus {...live} />} width="reading">
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
      {seen && <Stops stops={seen.stops} entries={entries} sequence={data?.sequences.get(mobile) ?? []} />}
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
  sequence: readonly string[];
}

function Stops({ stops, entries, sequence }: StopsProps) {
  const { t } = useLanguage();
  const { mobile } = useMe();
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ orderid: string; by: -1 | 1 }>();
  const sorted = sortStops(stops, sequence);
  const others = entries.filter(({ orderid }) => !stops.some((stop) => stop.orderid === orderid));
  const place = moved ? sorted.findIndex(({ orderid }) => orderid === moved.orderid) : -1;

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
        {place >= 0 && t('Stop {place} of {count}', { place: place + 1, count: sorted.length })}
      </p>
      {others.length > 0 && (
        <section aria-labelledby="other-entries">
          <h2 id="other-entries" className="text-lg font-bold">
            {t('Entries of other orders')}
          </h2>
          <ul className="mt-3 space-y-3">
            {others.map((entry) => (
              <EntryItem key={entry.id} entry={entry} showsOrder />
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
      <ol ref={list} className="space-y-4">
        {sorted.map((stop, index) => (
          <StopCard
            key={stop.orderid}
            stop={withEntries(stop, entries)}
            entries={entries.filter(({ orderid }) => orderid === stop.orderid)}
            place={index + 1}
            count={sorted.length}
            showsArea={sorted[index - 1]?.area !== stop.area}
            onMove={(by) => void move(stop.orderid, by)}
          />
        ))}
      </ol>
    </>
  );
}
