/**
 * Loads the further pages of a list whose first page came from a loader or from `useQuery`, and
 * manages the focus of its 'Load more' button.
 */
import { useEffect, useRef, useState } from 'react';

export type Pages<Page> = readonly [firstPage: Page, ...laterPages: Page[]];

/** The request for one page. `pageParam` is the value that `getNextPageParam` returned. */
export interface PageRequest<Param = number> {
  pageParam: Param;
  signal: AbortSignal;
}

interface PaginatedQueryOptions<Page, Row, Param> {
  /**
   * Another page, as after a refetch, drops the further pages and the response of a request for
   * one.
   */
  firstPage: Page;
  queryFn(request: PageRequest<Param>): Promise<Page>;
  /** Where the next page starts; undefined if there is no next page. */
  getNextPageParam(pages: Pages<Page>): Param | undefined;
  getRows(page: Page): readonly Row[];
  /**
   * The list shows one row for each id: new rows shift the pages, so that a page can repeat rows.
   */
  getRowId(row: Row): string;
  onError(error: unknown): void;
}

/**
 * The rows of all pages in order, without repetitions. A repeated row keeps its first place and has
 * its last content.
 */
export function uniqueRows<Row>(pages: readonly (readonly Row[])[], getRowId: (row: Row) => string): Row[] {
  return [...new Map(pages.flat().map((row) => [getRowId(row), row])).values()];
}

/**
 * Returns the rows that are loaded, whether there are more, and a function that loads the next
 * page. That function never throws: it calls `onError`.
 */
export function usePaginatedQuery<Page, Row, Param = number>(options: PaginatedQueryOptions<Page, Row, Param>) {
  const { firstPage, queryFn, getNextPageParam, getRows, getRowId, onError } = options;
  const [pages, setPages] = useState<Pages<Page>>([firstPage]);
  if (pages[0] !== firstPage) setPages([firstPage]);
  const [isFetchingNextPage, setIsFetchingNextPage] = useState(false);
  const pageParam = getNextPageParam(pages);
  const rows = uniqueRows(pages.map(getRows), getRowId);
  const { listRef, focusFrom } = useFocusOnNewRows(isFetchingNextPage);

  const latest = useRef<{ firstPage: Page; controller: AbortController }>(undefined);
  useEffect(() => {
    if (latest.current?.firstPage !== firstPage) latest.current?.controller.abort();
  }, [firstPage]);
  useEffect(() => () => latest.current?.controller.abort(), []);

  const load = async (request: PageRequest<Param>) => {
    setIsFetchingNextPage(true);
    try {
      const page = await queryFn(request);
      setPages((current) => (current[0] === firstPage ? [...current, page] : current));
    } catch (error) {
      // The focus stays where it is: after an error on the button, which loads the page again.
      focusFrom(undefined);
      if (!request.signal.aborted) onError(error);
    } finally {
      setIsFetchingNextPage(false);
    }
  };

  return {
    rows,
    hasNextPage: pageParam !== undefined,
    isFetchingNextPage,
    fetchNextPage() {
      if (pageParam === undefined || isFetchingNextPage) return;
      focusFrom(rows.length);
      const controller = new AbortController();
      latest.current = { firstPage, controller };
      void load({ pageParam, signal: controller.signal });
    },
    /** For the list that shows the rows as its children. */
    listRef,
  };
}

/**
 * The button may disappear with the last page, and with it the focus. After each page the focus
 * moves to the first new row: to its first link, or to the row itself, which then needs a
 * tabIndex. Returns a ref for the list and `focusFrom`, which sets the index of that row; undefined
 * keeps the focus where it is.
 */
function useFocusOnNewRows(isFetching: boolean) {
  const listRef = useRef<HTMLUListElement>(null);
  const firstNewIndex = useRef<number>(undefined);

  useEffect(() => {
    if (isFetching || firstNewIndex.current === undefined) return;
    const items = [...(listRef.current?.children ?? [])] as HTMLElement[];
    const item = items[firstNewIndex.current] ?? items.at(-1);
    (item?.querySelector('a') ?? item)?.focus({ preventScroll: true });
    firstNewIndex.current = undefined;
  }, [isFetching]);

  return {
    listRef,
    focusFrom(index: number | undefined) {
      firstNewIndex.current = index;
    },
  };
}
