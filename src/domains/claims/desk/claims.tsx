/** The claims of all customers with filters, each with its deadline, thread and photos. */
import { useRef, useState } from 'react';
import { useFilters } from '../../../browser/use-filters.ts';
import { usePaginatedQuery, type PageRequest } from '../../../browser/use-paginated-query.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { LiveStatus } from '../../staff/desk/live-status.tsx';
import { staffRead } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { useDeskEvents } from '../../staff/desk/use-desk-events.ts';
import { CLAIM_KINDS, CLAIM_STATUSES, type ClaimKind, type ClaimStatus } from '../contract.ts';
import { claimKindNames } from '../pages/claim-texts.ts';
import { AnswerDialog } from './answer-dialog.tsx';
import { ClaimAssignment } from './claim-assignment.tsx';
import { ClaimReasons } from './claim-reasons.tsx';
import { listDeskClaims, type ClaimPage, type DeskClaim } from './contract.ts';
import { DeskClaimCard } from './desk-claim-card.tsx';
import { setOpenClaims } from './open-claims.ts';

interface Filters {
  status?: ClaimStatus | undefined;
  kind?: ClaimKind | undefined;
  mine?: true | undefined;
  claimid?: string | undefined;
  orderid?: string | undefined;
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | null) => values.find((value) => value === text);

/** Returns a page, and shows its number of open claims in the navigation. */
async function fetchPage(filters: Filters, signal?: AbortSignal, cursor?: string): Promise<ClaimPage> {
  const page = await staffRead(listDeskClaims, { ...filters, cursor }, signal && { signal });
  setOpenClaims(page.counts.open);
  return page;
}

/** Returns the claims of this number of first pages as one page. */
async function fetchPages(filters: Filters, count: number, signal: AbortSignal): Promise<ClaimPage> {
  let pages = await fetchPage(filters, signal);
  for (let number = 1; number < count && pages.next !== null; number += 1) {
    const page = await fetchPage(filters, signal, pages.next);
    pages = { ...page, claims: [...pages.claims, ...page.claims] };
  }
  return pages;
}

const onError = (error: unknown) => showProblem(error, 'loading the claims');

export function Component() {
  const { t } = useLanguage();
  const { params, setFilters, clearFilters } = useFilters<'status' | 'kind' | 'mine'>();
  const filters: Filters = {
    status: oneOf(CLAIM_STATUSES, params.get('status')),
    kind: oneOf(CLAIM_KINDS, params.get('kind')),
    mine: params.has('mine') || undefined,
    claimid: params.get('claimid') ?? undefined,
    orderid: params.get('orderid') ?? undefined,
  };
  /** A live update loads the pages that are shown, so that the list keeps its length. */
  const shownPages = useRef(1);
  const query = useQuery<ClaimPage>({
    queryKey: [filters.status, filters.kind, String(filters.mine), filters.claimid, filters.orderid],
    queryFn: ({ signal }) => fetchPages(filters, shownPages.current, signal),
    onError,
  });
  const live = useDeskEvents(async () => (await query.refetch()) !== undefined);
  const filter = (change: Parameters<typeof setFilters>[0]) => {
    shownPages.current = 1;
    setFilters(change);
  };
  const fetchNextPage = async ({ pageParam, signal }: PageRequest<string>) => {
    const next = await fetchPage(filters, signal, pageParam);
    shownPages.current += 1;
    return next;
  };
  const page = query.status === 'success' ? query.data : undefined;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const countOf = (status: ClaimStatus) => (page ? ` (${page.counts[status]})` : '');
  return (
    <StaffPage width="text" title={t('Problems')} text={t('Customers get an answer within 48 hours.')} actions={<LiveStatus {...live} />}>
      <SegmentedChoice
        variant="chips"
        legend={t('Filters')}
        legendHidden
        options={[
          { value: 'todo', label: t('To settle') },
          { value: 'open', label: `${t('Without an answer')}${countOf('open')}` },
          { value: 'answered', label: `${t('Answered')}${countOf('answered')}` },
          { value: 'settled', label: t('Settled') },
        ]}
        value={filters.status ?? 'todo'}
        onChange={(value) => filter({ status: value === 'todo' ? '' : value })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t('What is wrong')}
          error={undefined}
          value={filters.kind ?? ''}
          options={[{ value: '', label: t('Everything') }, ...CLAIM_KINDS.map((kind) => ({ value: kind, label: t(claimKindNames[kind]) }))]}
          onChange={(event) => filter({ kind: event.target.value })}
        />
        <SelectField
          label={t('Handled by')}
          error={undefined}
          value={filters.mine ? 'mine' : ''}
          options={[
            { value: '', label: t('Everyone') },
            { value: 'mine', label: t('Me') },
          ]}
          onChange={(event) => filter({ mine: event.target.value && 'yes' })}
        />
      </div>
      <LoadState
        query={query}
        loading={t('Loading the problems')}
        failed={t('The problems could not be loaded')}
        shapes={['block', 'block']}
      />
      {page && <ClaimList firstPage={page} {...{ isFiltered, fetchNextPage }} onChanged={query.refetch} onClear={clearFilters} />}
      {page && <ClaimReasons reasons={page.reasons} />}
    </StaffPage>
  );
}

interface ClaimListProps {
  firstPage: ClaimPage;
  isFiltered: boolean;
  fetchNextPage(request: PageRequest<string>): Promise<ClaimPage>;
  onChanged(): Promise<unknown>;
  onClear(): void;
}

function ClaimList({ firstPage, isFiltered, fetchNextPage, onChanged, onClear }: ClaimListProps) {
  const { t } = useLanguage();
  const [open, setOpen] = useState<{ claim: DeskClaim; settles: boolean }>();
  const [assigning, setAssigning] = useState<DeskClaim>();
  const query = usePaginatedQuery({
    firstPage,
    queryFn: fetchNextPage,
    getNextPageParam: (pages) => pages.at(-1)?.next ?? undefined,
    getRows: ({ claims }) => claims,
    getRowId: ({ claimid }) => claimid,
    onError,
  });
  const { rows: claims, listRef } = query;
  const { people } = firstPage;
  /** A changed status removes a claim from the list, even if its dialog is open. */
  const answered = open && newest(open.claim, claims);
  const reload = async ({ claimid }: DeskClaim) => {
    const { claims: found } = await fetchPage({ claimid });
    setOpen((current) => current && { ...current, claim: newest(current.claim, found) });
  };
  return (
    <>
      {claims.length === 0 && (
        <EmptyState
          art={<LostSockArt />}
          title={isFiltered ? t('No problem fits these filters') : t('Everything is settled')}
          action={
            isFiltered && (
              <Button variant="secondary" onClick={onClear}>
                {t('Clear the filters')}
              </Button>
            )
          }
        />
      )}
      {claims.length > 0 && (
        <ul ref={listRef} className="space-y-4">
          {claims.map((claim) => (
            <DeskClaimCard
              key={claim.claimid}
              claim={claim}
              isMine={people.some((person) => person.is_me && person.personid === claim.assigned?.personid)}
              onAssign={() => setAssigning(claim)}
              onAnswer={() => setOpen({ claim, settles: false })}
              onSettle={() => setOpen({ claim, settles: true })}
            />
          ))}
        </ul>
      )}
      <LoadMore query={query} label={t('Load more')} />
      <AnswerDialog
        open={open !== undefined}
        claim={answered}
        creditsLeft={firstPage.credits_left}
        settles={open?.settles ?? false}
        onDone={async (message) => {
          setOpen(undefined);
          showToast({ theme: 'green', text: message });
          await onChanged();
        }}
        onOutdated={async () => {
          if (answered) await reload(answered);
        }}
        onClose={() => setOpen(undefined)}
      />
      {assigning && (
        <ClaimAssignment
          claim={assigning}
          people={people}
          onDone={async () => {
            showToast({ theme: 'green', text: msg('The report is assigned') });
            await onChanged();
          }}
          onOutdated={async () => {
            const { claims: found } = await fetchPage({ claimid: assigning.claimid });
            await onChanged();
            return found[0]?.assigned ?? null;
          }}
          onClose={() => setAssigning(undefined)}
        />
      )}
    </>
  );
}

/** Returns the claim with the most messages: its copy in a list may be newer. */
const newest = (claim: DeskClaim, listed: readonly DeskClaim[]): DeskClaim =>
  listed.find(({ claimid, messages }) => claimid === claim.claimid && messages.length > claim.messages.length) ?? claim;
