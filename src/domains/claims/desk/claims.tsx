/** Claims: what waits for an answer, with its deadline, thread and photos. */
import { useState } from 'react';
import { toErrorMessage } from '../../../contract/errors.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useFilters } from '../../../browser/use-filters.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { staffSend } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { CLAIM_KINDS, CLAIM_STATUSES, type ClaimKind, type ClaimStatus } from '../contract.ts';
import { claimKindNames } from '../pages/claim-texts.ts';
import { AnswerDialog } from './answer-dialog.tsx';
import { ClaimReasons } from './claim-reasons.tsx';
import { listDeskClaims, type ClaimPage, type DeskClaim } from './contract.ts';
import { DeskClaimCard } from './desk-claim-card.tsx';
import { setOpenClaims } from './open-claims.ts';

interface Filters {
  status?: ClaimStatus | undefined;
  kind?: ClaimKind | undefined;
  claimid?: string | undefined;
  orderid?: string | undefined;
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | null) => values.find((value) => value === text);

async function fetchClaims(filters: Filters & { cursor?: string }, signal?: AbortSignal): Promise<ClaimPage> {
  const answer = await staffSend(listDeskClaims, filters, signal && { signal });
  if (answer.response !== 'success') throw new Error(toErrorMessage(answer).message);
  setOpenClaims(answer.data.counts.open);
  return answer.data;
}

export function Component() {
  const { t } = useLanguage();
  const { params, setFilters, clearFilters } = useFilters<'status' | 'kind'>();
  const filters: Filters = {
    status: oneOf(CLAIM_STATUSES, params.get('status')),
    kind: oneOf(CLAIM_KINDS, params.get('kind')),
    claimid: params.get('claimid') ?? undefined,
    orderid: params.get('orderid') ?? undefined,
  };
  const query = useQuery<ClaimPage>({
    queryKey: [filters.status, filters.kind, filters.claimid, filters.orderid],
    queryFn: ({ signal }) => fetchClaims(filters, signal),
    onError: (error) => showProblem(error, 'loading the claims'),
  });
  const page = query.status === 'success' ? query.data : undefined;
  const countOf = (status: ClaimStatus) => (page ? ` (${page.counts[status]})` : '');
  return (
    <StaffPage width="reading" title={t('Problems')} text={t('Customers get an answer within 48 hours.')}>
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
        onChange={(value) => setFilters({ status: value === 'todo' ? '' : value })}
      />
      <SelectField
        label={t('What is wrong')}
        error={undefined}
        value={filters.kind ?? ''}
        options={[{ value: '', label: t('Everything') }, ...CLAIM_KINDS.map((kind) => ({ value: kind, label: t(claimKindNames[kind]) }))]}
        onChange={(event) => setFilters({ kind: event.target.value })}
      />
      {query.status === 'loading' && (
        <SkeletonGroup label={t('Loading the problems')}>
          <Skeleton shape="block" />
          <Skeleton shape="block" />
        </SkeletonGroup>
      )}
      {query.status === 'error' && <LoadingFailed title={t('The problems could not be loaded')} onRetry={query.retry} />}
      {page && <ClaimList firstPage={page} filters={filters} onChanged={query.refetch} onClear={clearFilters} />}
      {page && <ClaimReasons reasons={page.reasons} />}
    </StaffPage>
  );
}

interface ClaimListProps {
  firstPage: ClaimPage;
  filters: Filters;
  onChanged(): Promise<unknown>;
  onClear(): void;
}

function ClaimList({ firstPage, filters, onChanged, onClear }: ClaimListProps) {
  const { t } = useLanguage();
  const [open, setOpen] = useState<{ claim: DeskClaim; settles: boolean }>();
  // Further pages belong to the first page that they followed.
  const [further, setFurther] = useState<{ of: ClaimPage; pages: ClaimPage[] }>({ of: firstPage, pages: [] });
  const pages = [firstPage, ...(further.of === firstPage ? further.pages : [])];
  const claims = pages.flatMap((page) => page.claims);
  const next = pages.at(-1)?.next ?? null;
  const { pending, mutate } = useMutation<string>({
    async mutationFn(cursor) {
      const page = await fetchClaims({ ...filters, cursor });
      setFurther({ of: firstPage, pages: [...pages.slice(1), page] });
    },
    onError: (error) => showProblem(error, 'loading the claims'),
  });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (claims.length === 0) {
    return (
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
    );
  }
  return (
    <>
      <ul className="space-y-4">
        {claims.map((claim) => (
          <DeskClaimCard
            key={claim.claimid}
            claim={claim}
            onAnswer={() => setOpen({ claim, settles: false })}
            onSettle={() => setOpen({ claim, settles: true })}
          />
        ))}
      </ul>
      {next !== null && (
        <Button variant="secondary" wide pending={pending} onClick={() => void mutate(next)}>
          {t('Load more')}
        </Button>
      )}
      <AnswerDialog
        open={open !== undefined}
        claim={open?.claim}
        settles={open?.settles ?? false}
        onDone={async (message) => {
          setOpen(undefined);
          showToast({ theme: 'green', text: message });
          await onChanged();
        }}
        onClose={() => setOpen(undefined)}
      />
    </>
  );
}
