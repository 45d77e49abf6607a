/**
 * Loads data for a component: the small part of TanStack Query that these pages need
 * (docs/decisions/0021-loading-data.md).
 */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

export type QueryState<Data> =
  | { status: 'loading' }
  | { status: 'error'; error: unknown }
  /** `isRefetchError` is true if the last refetch failed: the data can then be out of date. */
  | { status: 'success'; data: Data; isRefetchError: boolean };

export type Query<Data> = QueryState<Data> & {
  /**
   * Loads again and keeps the current data, also if the request fails. Resolves to the new data, or
   * to undefined if the request failed or was superseded.
   */
  refetch(): Promise<Data | undefined>;
  /** Loads again from the loading state: for the button of an error state. */
  retry(): void;
};

interface QueryOptions<Data> {
  /**
   * Everything that `queryFn` depends on. A new key aborts the current request and starts from the
   * loading state. The key of the last result starts from that result, also if another key was
   * loading in between.
   */
  queryKey: readonly (string | undefined)[];
  queryFn(request: { signal: AbortSignal }): Promise<Data>;
  /** Called once for each request that failed, unless it was aborted or superseded. */
  onError(error: unknown): void;
}

/**
 * Starts a request when the component mounts and aborts it when the component unmounts. A refetch
 * is not aborted: code that awaits it may outlive the page. Requests may overlap, and an older one
 * may finish last: only the latest one changes the state.
 */
export function useQuery<Data>({ queryKey, queryFn, onError }: QueryOptions<Data>): Query<Data> {
  const key = JSON.stringify(queryKey);
  const [state, setState] = useState<{ key: string; result: QueryState<Data> }>({ key, result: { status: 'loading' } });
  const latestRequest = useRef(0);
  // Code that holds `refetch` of an earlier render loads the current key.
  const latestOptions = useRef({ key, queryFn, onError });
  useLayoutEffect(() => {
    latestOptions.current = { key, queryFn, onError };
  });

  const load = async (signal: AbortSignal, requestKey: string): Promise<Data | undefined> => {
    latestRequest.current += 1;
    const request = latestRequest.current;
    const isStale = () => signal.aborted || request !== latestRequest.current;
    const options = latestOptions.current;
    try {
      const data = await options.queryFn({ signal });
      if (isStale()) return undefined;
      setState({ key: requestKey, result: { status: 'success', data, isRefetchError: false } });
      return data;
    } catch (error) {
      if (isStale()) return undefined;
      setState(({ key: loadedKey, result }) => ({
        key: requestKey,
        result: loadedKey === requestKey && result.status === 'success' ? { ...result, isRefetchError: true } : { status: 'error', error },
      }));
      options.onError(error);
      return undefined;
    }
  };

  const loadInEffect = useEffectEvent(load);
  useEffect(() => {
    const controller = new AbortController();
    void loadInEffect(controller.signal, key);
    return () => controller.abort();
  }, [key]);

  const loadCurrentKey = () => load(new AbortController().signal, latestOptions.current.key);
  return {
    ...(state.key === key ? state.result : { status: 'loading' }),
    refetch: loadCurrentKey,
    retry() {
      setState({ key, result: { status: 'loading' } });
      void loadCurrentKey();
    },
  };
}
