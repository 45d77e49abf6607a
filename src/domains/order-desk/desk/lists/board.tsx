/** All orders by stage: columns from 768 px on, tabs on phones. The filters are in the URL. */
import { useState, type FormEvent } from 'react';
import { useFilters } from '../../../../browser/use-filters.ts';
import { usePaginatedQuery } from '../../../../browser/use-paginated-query.ts';
import { useQuery } from '../../../../browser/use-query.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { LoadMore } from '../../../../ui/actions/load-more.tsx';
import { classes } from '../../../../ui/classes.ts';
import { SegmentedChoice } from '../../../../ui/fields/segmented-choice.tsx';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { AREAS, areaNames, type Area } from '../../../catalogue/contract.ts';
import { calendarDay } from '../../../staff/desk/contract.ts';
import { LoadState } from '../../../staff/desk/load-state.tsx';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { StaffPage } from '../../../staff/desk/staff-page.tsx';
import { COLUMN_FILTERS, COLUMNS, type Column } from '../board-contract.ts';
import { MAX_COUNTED, type ListedOrder } from '../contract.ts';
import { LiveStatus } from '../../../staff/desk/live-status.tsx';
import { OrderLine } from './order-line.tsx';
import { COLUMN_LABELS } from '../desk-texts.ts';
import { fetchBoard, fetchOrders, type BoardColumns, type OrderFilter, type OrderList } from './orders-data.ts';
import { useDeskEvents } from '../../../staff/desk/use-desk-events.ts';

type Shown = { kind: 'columns'; board: BoardColumns } | { kind: 'found'; list: OrderList };

const isArea = (value: string | null): value is Area => AREAS.some((area) => area === value);
const isColumn = (value: string | null): value is Column => COLUMNS.some((column) => column === value);

/** Returns an empty text for an impossible day, as without one. */
const dayOf = (text: string | null): string => (calendarDay.safeParse(text).success ? (text ?? '') : '');

export function Component() {
  const { t, translateData } = useLanguage();
  const { params, setFilters } = useFilters<'search' | 'area' | 'day' | 'stage'>();
  const [search, area, day, column] = [params.get('search') ?? '', params.get('area'), dayOf(params.get('day')), params.get('stage')];
  const filter = { ...(isArea(area) && { area }), ...(day && { day }) };
  const query = useQuery<Shown>({
    queryKey: [search, area ?? '', day],
    queryFn: async ({ signal }) =>
      search
        ? { kind: 'found', list: await fetchOrders({ ...filter, search }, signal) }
        : { kind: 'columns', board: (await fetchBoard(filter, signal)).board },
    onError: (error) => showProblem(error, 'loading the board'),
  });
  const live = useDeskEvents(async () => (await query.refetch()) !== undefined);
  const selected = isColumn(column) ? column : 'pickup';
  return (
    <StaffPage title={t('Board')} actions={<LiveStatus {...live} />}>
      <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[2fr_1fr_1fr]">
        <div className="max-sm:col-span-2">
          <Search key={search} search={search} onSearch={(text) => setFilters({ search: text })} />
        </div>
        <SelectField
          error={null}
          label={t('Area')}
          value={area ?? ''}
          options={[{ value: '', label: t('All areas') }, ...AREAS.map((value) => ({ value, label: translateData(areaNames[value]) }))]}
          onChange={({ target }) => setFilters({ area: target.value })}
        />
        <TextField
          type="date"
          error={null}
          label={t('Pickup day')}
          value={day}
          onChange={({ target }) => setFilters({ day: target.value })}
        />
      </div>
      <LoadState query={query} loading={t('Loading the orders')} failed={t('The orders could not be loaded')} shapes={['block', 'block']} />
      {query.status === 'success' && query.data.kind === 'found' && <Found list={query.data.list} filter={{ ...filter, search }} />}
      {query.status === 'success' && query.data.kind === 'columns' && (
        <Columns board={query.data.board} filter={filter} selected={selected} onSelect={(value) => setFilters({ stage: value })} />
      )}
    </StaffPage>
  );
}

function Search({ search, onSearch }: { search: string; onSearch(text: string): void }) {
  const { t } = useLanguage();
  const [text, setText] = useState(search);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form role="search" onSubmit={submit} className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          type="search"
          error={null}
          label={t('Order number, name or mobile')}
          value={text}
          maxLength={60}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <Button type="submit" variant="secondary">
        {t('Search')}
      </Button>
    </form>
  );
}

function Found({ list, filter }: { list: OrderList; filter: OrderFilter }) {
  const { t } = useLanguage();
  if (list.orders.length === 0) return <p className="text-ink-soft">{t('No order was found.')}</p>;
  return (
    <section>
      <h2 className="sr-only">{t('Orders')}</h2>
      <List list={list} filter={filter} showsStage />
    </section>
  );
}

interface ColumnsProps {
  board: BoardColumns;
  filter: OrderFilter;
  selected: Column;
  onSelect(column: Column): void;
}

function Columns({ board, filter, selected, onSelect }: ColumnsProps) {
  const { t } = useLanguage();
  // Clothes have to go back seldom.
  const columns = COLUMNS.filter((column) => column !== 'cancelled' || board.cancelled.count > 0);
  const shown = columns.includes(selected) ? selected : 'pickup';
  const countOf = (column: Column) => {
    const { count } = board[column];
    return count >= MAX_COUNTED ? `${count}+` : String(count);
  };
  return (
    <>
      <div className="md:hidden">
        <SegmentedChoice
          legend={t('Stage')}
          legendHidden
          variant="chips"
          options={columns.map((column) => ({ value: column, label: `${t(COLUMN_LABELS[column])} ${countOf(column)}` }))}
          value={shown}
          onChange={onSelect}
        />
      </div>
      <div
        role="region"
        aria-label={t('Board')}
        tabIndex={0}
        className="md:grid md:auto-cols-[minmax(11rem,1fr)] md:grid-flow-col md:gap-3 md:overflow-x-auto md:pb-3"
      >
        {columns.map((column) => (
          <section key={column} aria-labelledby={`column-${column}`} className={classes('min-w-0', column !== shown && 'max-md:hidden')}>
            <h2 id={`column-${column}`} className="mb-3 font-bold">
              {t(COLUMN_LABELS[column])} <span className="font-medium text-ink-soft tabular-nums">{countOf(column)}</span>
            </h2>
            <List list={board[column]} filter={{ ...filter, stage: column, ...COLUMN_FILTERS[column] }} isNarrow />
          </section>
        ))}
      </div>
    </>
  );
}

type OrderPage = Pick<OrderList, 'orders' | 'next'>;

interface ListProps {
  list: OrderPage;
  filter: OrderFilter;
  isNarrow?: boolean;
  showsStage?: boolean;
}

/** A list with the pages that were added to it. A new first page replaces them. */
function List({ list, filter, isNarrow = false, showsStage = false }: ListProps) {
  const { t } = useLanguage();
  const query = usePaginatedQuery<OrderPage, ListedOrder, string>({
    firstPage: list,
    queryFn: ({ pageParam: cursor, signal }) => fetchOrders({ ...filter, cursor }, signal),
    getNextPageParam: (pages) => pages.at(-1)?.next ?? undefined,
    getRows: ({ orders }) => orders,
    getRowId: ({ orderid }) => orderid,
    onError: (error) => showProblem(error, 'loading more orders'),
  });
  const { rows, listRef } = query;
  if (rows.length === 0) return <p className="text-sm text-ink-soft">{t('No orders')}</p>;
  return (
    <>
      <ul ref={listRef} className={classes('grid grid-cols-1 gap-3', isNarrow ? 'sm:max-md:grid-cols-2' : 'sm:grid-cols-2 lg:grid-cols-3')}>
        {rows.map((order) => (
          <OrderLine key={order.orderid} order={order} showsStage={showsStage} />
        ))}
      </ul>
      <div className="mt-3 empty:hidden">
        <LoadMore query={query} label={t('Show more')} size="small" />
      </div>
    </>
  );
}
