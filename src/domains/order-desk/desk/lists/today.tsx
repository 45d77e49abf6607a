/** The tasks of the role, each order with its next actions. */
import { useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import { serverClock } from '../../../../browser/server-clock.ts';
import { useQuery } from '../../../../browser/use-query.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { FoldedStackArt } from '../../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { useOpenClaims } from '../../../claims/desk/open-claims.ts';
import { LinkNotice } from '../../../staff/desk/link-notice.tsx';
import { LoadState } from '../../../staff/desk/load-state.tsx';
import { mayCall } from '../../../staff/desk/contract.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { StaffPage } from '../../../staff/desk/staff-page.tsx';
import { LiveStatus } from '../../../staff/desk/live-status.tsx';
import type { ListedOrder } from '../contract.ts';
import { NextActions } from './next-actions.tsx';
import { OrderLine } from './order-line.tsx';
import { COLUMN_LABELS } from '../desk-texts.ts';
import { fetchBoard, type BoardColumns, type LoadedBoard } from './orders-data.ts';
import { ListActionDialogs, useListActions, type ListActions } from './list-actions.tsx';
import { countLaterPickups, hiddenOrders, tasksOf, type TaskList } from './tasks.ts';
import { useDeskEvents } from '../../../staff/desk/use-desk-events.ts';
import { useSettlingRows } from '../use-settling-rows.ts';

/** `notices` are those of other domains. */
export function Today({ notices }: { notices: ReactNode }) {
  const { t } = useLanguage();
  const { name, role } = useMe();
  const query = useQuery<LoadedBoard>({
    queryKey: [],
    queryFn: ({ signal }) => fetchBoard({}, signal),
    onError: (error) => showProblem(error, 'loading the tasks of today'),
  });
  const actions = useListActions(() => void query.refetch());
  const live = useDeskEvents(
    async (changedIds) => {
      const [board] = await Promise.all([query.refetch(), actions.refresh(changedIds)]);
      return board !== undefined;
    },
    { cash: mayCall(role, 'staff/explaincash') },
  );
  return (
    <StaffPage title={t('Hi, {name}', { name })} actions={<LiveStatus {...live} />}>
      {notices}
      <OpenClaims />
      <LoadState query={query} loading={t('Loading the orders')} failed={t('The orders could not be loaded')} shapes={['block', 'block']} />
      {query.status === 'success' && (
        <>
          <ReportedUpi count={query.data.reportedUpi} />
          <CashDifferences count={query.data.cashDifferences} />
          <Tasks board={query.data.board} bagsDiffer={query.data.bagsDiffer} actions={actions} />
        </>
      )}
      <ListActionDialogs actions={actions} />
    </StaffPage>
  );
}

function OpenClaims() {
  const { plural } = useLanguage();
  const count = useOpenClaims();
  if (count === 0) return null;
  return (
    <LinkNotice
      tone="warn"
      to={staffLinks.claims({ status: 'open' })}
      text={plural(count, { one: '{count} report waits for an answer', other: '{count} reports wait for an answer' }, { count })}
    />
  );
}

function ReportedUpi({ count }: { count: number }) {
  const { plural } = useLanguage();
  if (count === 0) return null;
  return (
    <LinkNotice
      tone="warn"
      to={staffLinks.upi()}
      text={plural(
        count,
        { one: '{count} UPI payment to compare with the bank', other: '{count} UPI payments to compare with the bank' },
        { count },
      )}
    />
  );
}

function CashDifferences({ count }: { count: number }) {
  const { plural } = useLanguage();
  if (count === 0) return null;
  return (
    <LinkNotice
      tone="warn"
      to={staffLinks.cash()}
      text={plural(count, { one: '{count} difference of cash to explain', other: '{count} differences of cash to explain' }, { count })}
    />
  );
}

function Tasks({ board, bagsDiffer, actions }: Pick<LoadedBoard, 'board' | 'bagsDiffer'> & { actions: ListActions }) {
  const { t, plural } = useLanguage();
  const { role } = useMe();
  const now = serverClock.now();
  const tasks = tasksOf(board, bagsDiffer, role, now);
  const lists = useRef<HTMLDivElement>(null);
  const settling = useSettlingRows(
    lists,
    tasks.flatMap(({ name, orders }) => orders.map((order) => rowOf(name, order))),
  );
  if (tasks.length === 0) {
    const later = countLaterPickups(board, now);
    return (
      <EmptyState
        art={<FoldedStackArt />}
        title={t('No order needs work now')}
        text={
          later > 0 &&
          plural(
            later,
            { one: '{count} pickup is booked for a later evening.', other: '{count} pickups are booked for later evenings.' },
            { count: later },
          )
        }
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
      <HiddenOrders board={board} />
      <div ref={lists} className="space-y-6">
        {tasks.map((task) => (
          <TaskSection key={task.name} task={task} actions={actions} settling={settling} />
        ))}
      </div>
    </>
  );
}

/** An order can be in several tasks at once, and has other actions after each change. */
const rowOf = (task: string, { orderid, version }: ListedOrder) => `${task} ${orderid} ${version}`;

interface TaskSectionProps {
  task: TaskList;
  actions: ListActions;
  settling: ReadonlySet<string>;
}

function TaskSection({ task: { name, label, orders }, actions, settling }: TaskSectionProps) {
  const { t } = useLanguage();
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="scroll-mt-24">
      <h2 id={`${name}-title`} className="text-lg font-bold">
        {t(label)} <span className="font-medium text-ink-soft tabular-nums">{orders.length}</span>
      </h2>
      <ul className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {orders.map((order) => (
          <OrderLine
            key={order.orderid}
            order={order}
            actions={
              <NextActions
                order={order}
                pending={actions.busy === order.orderid}
                row={rowOf(name, order)}
                isSettling={settling.has(rowOf(name, order))}
                change={actions.changeOf(order.orderid)}
                onOpen={(action) => void actions.open(order.orderid, action)}
              />
            }
          />
        ))}
      </ul>
    </section>
  );
}

/** A stage with many orders: the rest is on the board. */
function HiddenOrders({ board }: { board: BoardColumns }) {
  const { t } = useLanguage();
  const hidden = hiddenOrders(board);
  if (hidden.length === 0) return null;
  return (
    <Notice tone="info">
      <p>{t('These stages have more orders than Today shows:')}</p>
      <ul className="mt-1">
        {hidden.map(({ column, count }) => (
          <li key={column}>
            <Link to={staffLinks.orders({ stage: column })} className="inline-block py-1 underline">
              {t('{stage}: {count} more on the board', { stage: t(COLUMN_LABELS[column]), count })}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
