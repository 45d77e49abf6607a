import { useEffect, useRef } from 'react';

interface LoadMoreOptions {
  /** How many rows the list has now. */
  shown: number;
  loading: boolean;
  loadMore(): Promise<void>;
}

/**
 * The button below a list that grows by a page. Where it stood, the next row stands then, or nothing: the focus goes on in the list, to the row's first
 * link, or to a row without one itself (it needs a tabIndex).
 */
export function useLoadMore({ shown, loading, loadMore }: LoadMoreOptions) {
  const list = useRef<HTMLUListElement>(null);
  const firstNew = useRef<number>(undefined);

  useEffect(() => {
    if (loading || firstNew.current === undefined) return;
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    const row = rows[firstNew.current] ?? rows.at(-1);
    (row?.querySelector('a') ?? row)?.focus({ preventScroll: true });
    firstNew.current = undefined;
  }, [loading]);

  const showMore = () => {
    firstNew.current = shown;
    void loadMore();
  };
  return { list, showMore };
}
