/** The figures of the laundry by day, week or month, with filters in the address of the page. */
import { useState } from 'react';
import { toErrorMessage } from '../../../contract/errors.ts';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import { useFilters } from '../../../browser/use-filters.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { addDays, kolkataDay } from '../../../lib/dates.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { DownloadIcon } from '../../../ui/icons/edit.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { calendarDay } from '../../staff/desk/contract.ts';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffSend } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { BarChart, type Series } from './bar-chart.tsx';
import * as columns from './columns.ts';
import { COLUMNS, figuresCsv, formatFigure, METHODS, type Column } from './columns.ts';
import { getReport, type DayFigures } from './contract.ts';
import { FiguresTable } from './figures-table.tsx';
import { groupByPeriod, PERIODS, totalOf, type Period } from './rules.ts';

type Name = 'from' | 'to' | 'by';
type Result = { days: DayFigures[] } | { refused: ErrorMessage };

const DEFAULT_DAYS = 30;
const RANGES = [7, 30, 90, 365] as const;

/** Returns undefined for an impossible day, as without one. */
const dayIn = (text: string | null) => (text !== null && calendarDay.safeParse(text).success ? text : undefined);

export function Component() {
  const { t, formatMessage } = useLanguage();
  const { params, setFilters, clearFilters } = useFilters<Name>();
  const [today] = useState(() => kolkataDay(serverClock.now()));
  const to = dayIn(params.get('to')) ?? today;
  const from = dayIn(params.get('from')) ?? addDays(to, 1 - DEFAULT_DAYS);
  const by = PERIODS.find((period) => period === params.get('by')) ?? 'day';
  const query = useQuery<Result>({
    queryKey: [from, to],
    async queryFn({ signal }) {
      const result = await staffSend(getReport, { from, to }, { signal });
      return result.response === 'success' ? result.data : { refused: toErrorMessage(result) };
    },
    onError: (error) => showProblem(error, 'loading the numbers'),
  });
  return (
    <StaffPage title={t('Numbers')} text={t('Days in Asia/Kolkata. A correction counts on its own day.')}>
      <Card as="section">
        <h2 className="sr-only">{t('Filters')}</h2>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <TextField
            type="date"
            label={t('From')}
            error={undefined}
            value={from}
            max={to}
            onChange={({ target }) => setFilters({ from: target.value })}
          />
          <TextField
            type="date"
            label={t('To')}
            error={undefined}
            value={to}
            min={from}
            onChange={({ target }) => setFilters({ to: target.value })}
          />
          <SegmentedChoice
            variant="segments"
            legend={t('By')}
            options={[
              { value: 'day', label: t('Day') },
              { value: 'week', label: t('Week') },
              { value: 'month', label: t('Month') },
            ]}
            value={by}
            onChange={(value) => setFilters({ by: value === 'day' ? '' : value })}
          />
        </div>
        <div className="mt-4 flex flex-wrap gap-2">
          {RANGES.map((days) => (
            <Button key={days} variant="secondary" size="small" onClick={() => setFilters({ from: addDays(today, 1 - days), to: '' })}>
              {t('Last {days} days', { days })}
            </Button>
          ))}
        </div>
      </Card>
      <LoadState query={query} loading={t('Loading the numbers')} failed={t('The numbers could not be loaded')} shapes={['card', 'card']} />
      {query.status === 'success' && 'refused' in query.data && (
        <Notice tone="bad" live>
          {formatMessage(query.data.refused)}
        </Notice>
      )}
      {query.status === 'success' && 'days' in query.data && <Figures days={query.data.days} by={by} onClear={clearFilters} />}
    </StaffPage>
  );
}

const isEmpty = (days: readonly DayFigures[]) => days.every((row) => COLUMNS.every(({ value }) => !value(row)));

function Figures({ days, by, onClear }: { days: readonly DayFigures[]; by: Period; onClear(): void }) {
  const language = useLanguage();
  const { t } = language;
  const rows = groupByPeriod(days, by);
  const total = totalOf(days);
  if (!total || isEmpty(days)) {
    return (
      <EmptyState
        art={<LostSockArt />}
        title={t('Nothing happened on these days')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t('Clear the filters')}
          </Button>
        }
      />
    );
  }
  const nameOf = (day: string) => nameOfPeriod(language, day, by);
  const received = total.received.cash + total.received.upi + total.received.gateway + total.received.wallet;
  const chart = { rows, total, nameOf };
  return (
    <>
      <section aria-labelledby="charts" className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        <h2 id="charts" className="sr-only">
          {t('Charts')}
        </h2>
        <ColumnChart {...chart} column={columns.orders} />
        <ColumnChart {...chart} column={columns.weight} />
        <ColumnChart {...chart} column={columns.revenue} />
        <Card>
          <BarChart
            title={t('Received')}
            total={formatFigure(language, 'paise', received)}
            description={t('Received: {amounts}', {
              amounts: Object.values(METHODS)
                .map(({ label, unit, value }) => `${t(label)} ${formatFigure(language, unit, value(total))}`)
                .join(', '),
            })}
            ends={endsOf(rows, nameOf)}
            format={(value) => formatFigure(language, 'paise', value)}
            series={[
              seriesOf(METHODS.cash, 'good'),
              seriesOf(METHODS.upi, 'accent'),
              seriesOf(METHODS.gateway, 'star'),
              seriesOf(METHODS.wallet, 'edge'),
            ]}
          />
        </Card>
        <ColumnChart {...chart} column={columns.onTime} max={1} />
        <ColumnChart {...chart} column={columns.liability} />
      </section>
      <section className="space-y-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-lg font-bold">{t('All figures')}</h2>
          <Button variant="secondary" size="small" onClick={() => download(figuresCsv(language, rows), fileNameOf(days, by))}>
            <DownloadIcon />
            {t('Download as CSV')}
          </Button>
        </div>
        <FiguresTable rows={rows} nameOf={nameOf} />
      </section>
    </>
  );

  function seriesOf({ label, value }: Column, tone: Series['tone']): Series {
    return { label: t(label), values: rows.map(value), tone };
  }
}

interface ColumnChartProps {
  column: Column;
  rows: readonly DayFigures[];
  total: DayFigures;
  nameOf(day: string): string;
  max?: number;
}

function ColumnChart({ column, rows, total, nameOf, max }: ColumnChartProps) {
  const language = useLanguage();
  const { t } = language;
  const { label, unit, value } = column;
  const title = t(label);
  const figure = formatFigure(language, unit, value(total));
  const best = rows.reduce((one, row) => ((value(row) ?? 0) > (value(one) ?? 0) ? row : one));
  const values = { title, total: figure, most: formatFigure(language, unit, value(best)), day: nameOf(best.day) };
  return (
    <Card>
      <BarChart
        title={title}
        total={figure}
        description={t('{title}: {total}. The most was {most}: {day}.', values)}
        ends={endsOf(rows, nameOf)}
        format={(axisValue) => formatFigure(language, unit, axisValue)}
        series={[{ label: title, values: rows.map(value), tone: 'accent' }]}
        {...(max !== undefined && { max })}
      />
    </Card>
  );
}

const endsOf = (rows: readonly DayFigures[], nameOf: (day: string) => string): [string, string] => [
  nameOf(rows[0]?.day ?? ''),
  nameOf(rows.at(-1)?.day ?? ''),
];

function nameOfPeriod({ code, day, t }: Language, first: string, by: Period): string {
  if (by === 'day') return day(first);
  if (by === 'week') return t('Week from {day}', { day: day(first) });
  const locale = code === 'en' ? 'en-GB' : code;
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(new Date(`${first}T00:00:00Z`));
}

const fileNameOf = (days: readonly DayFigures[], by: Period) => `numbers-${days[0]?.day}-${days.at(-1)?.day}-by-${by}.csv`;

function download(text: string, name: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
