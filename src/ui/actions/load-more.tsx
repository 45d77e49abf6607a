import { Button } from './button.tsx';
import type { ButtonSize } from './button-styles.ts';

interface LoadMoreProps {
  /** The result of `usePaginatedQuery`. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): void };
  label: string;
  size?: ButtonSize;
}

/** The button below a list that loads the next page, while there is one. */
export function LoadMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, label, size = 'regular' }: LoadMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Button variant="secondary" size={size} wide pending={isFetchingNextPage} onClick={fetchNextPage}>
      {label}
    </Button>
  );
}
