/** What needs doing now, by role. */
import { Link } from 'react-router';
import { serverClock } from '../../../browser/server-clock.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { useMe } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { LiveStatus } from './live-status.tsx';
import { OrderLine } from './order-line.tsx';
import { fetchColumns, type ColumnLists } from './orders-data.ts';
import { tasksOf, type TaskList } from './tasks.ts';
import { useDeskEvents } from './use-desk-events.ts';

export function Component() {
  const { t } = useLanguage();
  const { name } = useMe();
  const query = useQuery<ColumnLists>({
    queryKey: [],
    queryFn: ({ signal }) => fetchColumns({}, signal),
    onError: (error) => showProblem(error, 'loading the tasks of today'),
  });
  const live = useDeskEvents(async () => (await query.refetch()) !== undefined);
  return (
    <StaffPage title={t('Hi, {name}', { name })} actions={<LiveStatus {...live} />}>
      {query.status === 'loading' && (
        <SkeletonGroup label={t('Loading the orders')}>
          <Skeleton shape="block" />
          <Skeleton shape="block" />
        </SkeletonGroup>
      )}
      {query.status === 'error' && <LoadingFailed title={t('The orders could not be loaded')} onRetry={query.retry} />}
      {query.status === 'success' && <Tasks lists={query.data} />}
    </StaffPage>
  );
}

function Tasks({ lists }: { lists: ColumnLists }) {
  const { t } = useLanguage();
  const { role } = useMe();
  const tasks = tasksOf(lists, role, serverClock.now());
  if (tasks.length === 0) {
    return (
      <EmptyState
        art={<FoldedStackArt />}
        title={t('Nothing needs doing now')}
        action={
          <Link to={staffLinks.orders()} className={buttonStyles('secondary')}>
            {t('Board')}
          </Link>
        }
      />
    );
  }
  return (
    <>
      <nav aria-label={t('Tasks')} className="flex flex-wrap gap-2">
        {tasks.map(({ name, label, orders }) => (
          <a key={name} href={`#${name}`} className={buttonStyles('secondary', 'small')}>
            {t(label)} <span className="tabular-nums">{orders.length}</span>
          </a>
        ))}
      </nav>
      {tasks.map((task) => (
        <TaskSection key={task.name} task={task} />
      ))}
    </>
  );
}

function TaskSection({ task: { name, label, orders } }: { task: TaskList }) {
  const { t } = useLanguage();
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="scroll-mt-24">
      <h2 id={`${name}-title`} className="text-lg font-bold">
        {t(label)} <span className="font-medium text-ink-soft tabular-nums">{orders.length}</span>
      </h2>
      <ul className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {orders.map((order) => (
          <OrderLine key={order.orderid} order={order} />
        ))}
      </ul>
    </section>
  );
}
