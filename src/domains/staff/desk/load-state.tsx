import { Link } from 'react-router';
import type { Query } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Skeleton, SkeletonGroup, type SkeletonShape } from '../../../ui/feedback/skeleton.tsx';

interface LoadStateProps {
  query: Query<unknown>;
  /** Announced by screen readers while the query loads. */
  loading: string;
  /** The title of the notice after a failure. */
  failed: string;
  /** The placeholders of the content. */
  shapes: readonly SkeletonShape[];
}

/** Shows placeholders until content is loaded, or a notice with a button to retry. */
export function LoadState({ query, loading, failed, shapes }: LoadStateProps) {
  const { t } = useLanguage();
  if (query.status === 'error') {
    return (
      <div className="space-y-3">
        <LoadingFailed title={failed} onRetry={query.retry} />
        {!navigator.onLine && (
          <p className="text-sm">
            {t('You are offline. The round works without a connection.')}{' '}
            <Link to={staffLinks.round()} className={textLinkStyles}>
              {t('Open the round')}
            </Link>
          </p>
        )}
      </div>
    );
  }
  if (query.status === 'success') return null;
  return (
    <SkeletonGroup label={loading}>
      {Object.entries(shapes).map(([place, shape]) => (
        <Skeleton key={place} shape={shape} />
      ))}
    </SkeletonGroup>
  );
}
