/** The audit of the staff: the newest first, with filters in the address of the page. */
import { usePaginatedQuery, type PageRequest } from '../../../browser/use-paginated-query.ts';
import { useFilters } from '../../../browser/use-filters.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { auditActions, getAudit, type AuditAction, type AuditPage } from '../../staff/desk/audit-contract.ts';
import { calendarDay, getPeople, type Person } from '../../staff/desk/contract.ts';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffRead } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { AuditCard } from './audit-card.tsx';

const FILTERS = ['personid', 'action', 'subject', 'from', 'to'] as const;
type Filter = (typeof FILTERS)[number];
type Filters = Partial<Record<Filter, string>>;

function fetchPage(filters: Filters, signal: AbortSignal, cursor?: string): Promise<AuditPage> {
  return staffRead(getAudit, { ...filters, cursor }, { signal });
}

const onError = (error: unknown) => showProblem(error, 'reading the audit');

/** An impossible day is as none. */
const isFilter = (name: Filter, value: string | null): boolean =>
  Boolean(value) && ((name !== 'from' && name !== 'to') || calendarDay.safeParse(value).success);

export function Component() {
  const { t } = useLanguage();
  const { params, setFilters, clearFilters } = useFilters<Filter>();
  const filters: Filters = Object.fromEntries(
    FILTERS.flatMap((name) => (isFilter(name, params.get(name)) ? [[name, params.get(name)]] : [])),
  );
  const people = useQuery({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(getPeople, {}, { signal }),
    onError,
  });
  const entries = useQuery({
    queryKey: FILTERS.map((name) => filters[name]),
    queryFn: ({ signal }) => fetchPage(filters, signal),
    onError,
  });
  return (
    <StaffPage width="text" title={t('Audit')} text={t('Who changed what and when. No entry can be changed.')}>
      <FilterForm
        filters={filters}
        people={people.status === 'success' ? people.data : []}
        onChange={(name, value) => setFilters({ [name]: value })}
      />
      <LoadState
        query={entries}
        loading={t('Loading the audit')}
        failed={t('The audit could not be loaded')}
        shapes={['block', 'block', 'block']}
      />
      {entries.status === 'success' && <Entries filters={filters} firstPage={entries.data} onClear={clearFilters} />}
    </StaffPage>
  );
}

interface FilterFormProps {
  filters: Filters;
  people: readonly Person[];
  onChange(name: Filter, value: string): void;
}

function FilterForm({ filters, people, onChange }: FilterFormProps) {
  const { t } = useLanguage();
  const actions = Object.entries(auditActions) as [AuditAction, (typeof auditActions)[AuditAction]][];
  return (
    <Card as="section">
      <h2 className="sr-only">{t('Filters')}</h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('Person')}
          error={undefined}
          value={filters.personid ?? ''}
          options={[{ value: '', label: t('Everybody') }, ...people.map(({ personid, name }) => ({ value: personid, label: name }))]}
          onChange={(event) => onChange('personid', event.target.value)}
        />
        <SelectField
          label={t('Kind of change')}
          error={undefined}
          value={filters.action ?? ''}
          options={[{ value: '', label: t('Every change') }, ...actions.map(([value, label]) => ({ value, label: t(label) }))]}
          onChange={(event) => onChange('action', event.target.value)}
        />
        <TextField
          type="date"
          label={t('From')}
          error={undefined}
          value={filters.from ?? ''}
          onChange={(event) => onChange('from', event.target.value)}
        />
        <TextField
          type="date"
          label={t('To')}
          error={undefined}
          value={filters.to ?? ''}
          onChange={(event) => onChange('to', event.target.value)}
        />
      </div>
    </Card>
  );
}

function Entries({ filters, firstPage, onClear }: { filters: Filters; firstPage: AuditPage; onClear(): void }) {
  const { t } = useLanguage();
  const query = usePaginatedQuery({
    firstPage,
    queryFn: ({ pageParam, signal }: PageRequest<string>) => fetchPage(filters, signal, pageParam),
    getNextPageParam: (pages) => pages.at(-1)?.next ?? undefined,
    getRows: ({ entries, names }) => entries.map((entry) => ({ entry, names })),
    getRowId: ({ entry: { entryid } }) => entryid,
    onError,
  });
  const { rows, listRef } = query;
  if (rows.length === 0) {
    return (
      <EmptyState
        art={<LostSockArt />}
        title={t('There is no entry for these filters')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t('Clear the filters')}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <ul ref={listRef} className="space-y-3">
        {rows.map((row) => (
          <AuditCard key={row.entry.entryid} {...row} isOfOneSubject={filters.subject !== undefined} />
        ))}
      </ul>
      <LoadMore query={query} label={t('Load more')} />
    </>
  );
}
