import { usePaginatedQuery, type PageRequest } from '../../../browser/use-paginated-query.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { EmptyBasketArt } from '../../../ui/art/empty.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffRead } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { listErrorReports, type ReportPage } from './contract.ts';
import { Details } from './details.tsx';
import { timeText } from './system-texts.ts';

function fetchPage(signal: AbortSignal, cursor?: string): Promise<ReportPage> {
  return staffRead(listErrorReports, { cursor }, { signal });
}

const onError = (error: unknown) => showProblem(error, 'reading the error reports');

/** Errors in the browsers of visitors, by message. */
export function ErrorReports({ now, lastDay }: { now: string; lastDay: number }) {
  const { t, plural } = useLanguage();
  const query = useQuery({ queryKey: [], queryFn: ({ signal }) => fetchPage(signal), onError });
  return (
    <section aria-labelledby="errors" className="space-y-3">
      <h2 id="errors" className="text-lg font-bold">
        {t('Errors that visitors met')}
      </h2>
      <p className="text-ink-soft">
        {plural(lastDay, { one: '{count} error in the last 24 hours.', other: '{count} errors in the last 24 hours.' }, { count: lastDay })}{' '}
        {t('A few are normal. If one comes again and again, send its details to the person who maintains the site.')}
      </p>
      <LoadState query={query} loading={t('Loading the errors')} failed={t('The errors could not be loaded')} shapes={['block', 'block']} />
      {query.status === 'success' && <Groups firstPage={query.data} now={now} />}
    </section>
  );
}

function Groups({ firstPage, now }: { firstPage: ReportPage; now: string }) {
  const language = useLanguage();
  const { t, plural } = language;
  const query = usePaginatedQuery({
    firstPage,
    queryFn: ({ pageParam, signal }: PageRequest<string>) => fetchPage(signal, pageParam),
    getNextPageParam: (pages) => pages.at(-1)?.next ?? undefined,
    getRows: ({ groups }) => groups,
    getRowId: ({ reportid }) => reportid,
    onError,
  });
  const { rows, listRef } = query;
  if (rows.length === 0) return <EmptyState art={<EmptyBasketArt />} title={t('No visitor met an error in 30 days')} action={null} />;
  return (
    <>
      <ul ref={listRef} className="space-y-3">
        {rows.map(({ reportid, message, count, last, report }) => (
          <li key={reportid} tabIndex={-1} className="rounded-card border border-line bg-surface p-4">
            <div className="flex items-start justify-between gap-4">
              <h3 className="text-sm font-semibold wrap-anywhere">{message || t('Without words')}</h3>
              <span className="shrink-0">
                <Badge tone="plain">{plural(count, { one: '{count} time', other: '{count} times' }, { count })}</Badge>
              </span>
            </div>
            <p className="text-xs text-ink-soft">{t('Last {time}', { time: timeText(language, last, now) })}</p>
            <Details summary={t('Details')} text={formatReport(report)} />
          </li>
        ))}
      </ul>
      <LoadMore query={query} label={t('Load more')} />
    </>
  );
}

/** Indents the JSON of a report. Returns a truncated report, which is not JSON, unchanged. */
function formatReport(report: string): string {
  try {
    return JSON.stringify(JSON.parse(report), null, 2).replaceAll(String.raw`\n`, '\n    ');
  } catch {
    return report;
  }
}
