/**
 * Loads data for a component: the small part of TanStack Query that these pages need
 * (docs/decisions/0021-loading-data.md).
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';

export type QueryState<Data> = { status: 'loading' } | { status: 'error'; error: unknown } | { status: 'success'; data: Data };

export type Query<Data> = QueryState<Data> & {
  /**
   * Loads again and keeps the current state until the response arrives. Resolves to the new data,
   * or to undefined if the request failed or was superseded.
   */
  refetch(): Promise<Data | undefined>;
  /** Loads again from the loading state: for the button of an error state. */
  retry(): void;
};

interface QueryOptions<Data> {
  /**
   * Everything that `queryFn` depends on. A new key aborts the current request and starts from the
   * loading state.
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

  const load = (signal: AbortSignal, requestKey: string): Promise<Data | undefined> => {
    latestRequest.current += 1;
    const request = latestRequest.current;
    const isStale = () => signal.aborted || request !== latestRequest.current;
    return queryFn({ signal }).then(
      (data) => {
        if (isStale()) return undefined;
        setState({ key: requestKey, result: { status: 'success', data } });
        return data;
      },
      (error: unknown) => {
        if (isStale()) return undefined;
        setState({ key: requestKey, result: { status: 'error', error } });
        onError(error);
        return undefined;
      },
    );
  };

  const loadInEffect = useEffectEvent(load);
  useEffect(() => {
    const controller = new AbortController();
    void loadInEffect(controller.signal, key);
    return () => controller.abort();
  }, [key]);

  return {
    ...(state.key === key ? state.result : { status: 'loading' }),
    refetch: () => load(new AbortController().signal, key),
    retry() {
      setState({ key, result: { status: 'loading' } });
      void load(new AbortController().signal, key);
    },
  };
}
