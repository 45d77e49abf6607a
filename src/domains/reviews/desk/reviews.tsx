/** All reviews, the newest first: hide them, show them again, and reply in public. */
import { useFilters } from '../../../browser/use-filters.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffRead } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { STAR_LEVELS } from '../contract.ts';
import { listDeskReviews, type ReviewPage } from './contract.ts';
import { DeskReviewList } from './desk-review-list.tsx';

interface Filters {
  star?: number;
  hidden?: boolean;
}

function fetchReviews(filters: Filters & { cursor?: string }, signal: AbortSignal): Promise<ReviewPage> {
  return staffRead(listDeskReviews, filters, { signal });
}

const onError = (error: unknown) => showProblem(error, 'loading the reviews');

export function Component() {
  const { t, plural } = useLanguage();
  const { params, setFilters, clearFilters } = useFilters<'star' | 'hidden'>();
  const level = STAR_LEVELS.find(({ star }) => String(star) === params.get('star'));
  const hidden = params.get('hidden');
  const filters: Filters = {
    ...(level && { star: level.star }),
    ...((hidden === 'yes' || hidden === 'no') && { hidden: hidden === 'yes' }),
  };
  const query = useQuery({
    queryKey: [String(filters.star), String(filters.hidden)],
    queryFn: ({ signal }) => fetchReviews(filters, signal),
    onError,
  });
  return (
    <StaffPage
      width="text"
      title={t('Reviews')}
      text={t('What you hide leaves the site and the average. A reply is on the page of all reviews.')}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label={t('Stars')}
          error={undefined}
          value={level ? String(level.star) : ''}
          options={[
            { value: '', label: t('Every rating') },
            ...STAR_LEVELS.map(({ star }) => ({
              value: String(star),
              label: plural(star, { one: '1 star', other: '{count} stars' }, { count: star }),
            })),
          ]}
          onChange={({ target }) => setFilters({ star: target.value })}
        />
        <SegmentedChoice
          variant="segments"
          legend={t('On the site')}
          options={[
            { value: 'all', label: t('All') },
            { value: 'no', label: t('Shown') },
            { value: 'yes', label: t('Hidden') },
          ]}
          value={filters.hidden === undefined ? 'all' : filters.hidden ? 'yes' : 'no'}
          onChange={(value) => setFilters({ hidden: value === 'all' ? '' : value })}
        />
      </div>
      <LoadState
        query={query}
        loading={t('Loading the reviews')}
        failed={t('The reviews could not be loaded')}
        shapes={['order', 'order', 'order']}
      />
      {query.status === 'success' && (
        <DeskReviewList
          firstPage={query.data}
          isFiltered={Object.keys(filters).length > 0}
          fetchPage={({ pageParam: cursor, signal }) => fetchReviews({ ...filters, cursor }, signal)}
          onError={onError}
          onClear={clearFilters}
        />
      )}
    </StaffPage>
  );
}
