/** What a page of the customer reads from the server once it is shown: a document never carries it. The three states make forgetting one impossible. */
import { useCallback, useEffect, useState } from 'react';

export type Loaded<Data> = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; data: Data };

export interface Loading<Data> {
  loaded: Loaded<Data>;
  /** Reads again, leaving what is shown until the answer is there. */
  reload(): Promise<void>;
  /** Reads again from the start: for the button of a failed state. */
  retry(): void;
}

/** Both functions must stay the same from one rendering to the next: a new `load` is a new thing to read. */
export function useLoaded<Data>(load: (signal?: AbortSignal) => Promise<Data>, onFailure: (error: unknown) => void): Loading<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ state: 'loading' });

  const read = useCallback(
    (signal?: AbortSignal) =>
      load(signal).then(
        (data) => {
          if (!signal?.aborted) setLoaded({ state: 'ready', data });
        },
        (error: unknown) => {
          if (signal?.aborted) return;
          setLoaded({ state: 'failed' });
          onFailure(error);
        },
      ),
    [load, onFailure],
  );

  useEffect(() => {
    const leaving = new AbortController();
    void read(leaving.signal);
    return () => leaving.abort();
  }, [read]);

  return {
    loaded,
    reload: () => read(),
    retry() {
      setLoaded({ state: 'loading' });
      void read();
    },
  };
}
