import type { Query } from '../../../browser/use-query.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
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
  if (query.status === 'error') return <LoadingFailed title={failed} onRetry={query.retry} />;
  if (query.status === 'success') return null;
  return (
    <SkeletonGroup label={loading}>
      {Object.entries(shapes).map(([place, shape]) => (
        <Skeleton key={place} shape={shape} />
      ))}
    </SkeletonGroup>
  );
}
