/** What a page of the customer reads from the server once it is shown: a document never carries it. The three states make forgetting one impossible. */
import { useCallback, useEffect, useRef, useState } from 'react';

export type Loaded<Data> = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; data: Data };

export interface Loading<Data> {
  loaded: Loaded<Data>;
  /** Reads again, leaving what is shown until the answer is there: it comes back, or nothing when reading failed or a later reading took its place. */
  reload(): Promise<Data | undefined>;
  /** Reads again from the start: for the button of a failed state. */
  retry(): void;
}

/** Both functions must stay the same from one rendering to the next: a new `load` is a new thing to read. */
export function useLoaded<Data>(load: (signal?: AbortSignal) => Promise<Data>, onFailure: (error: unknown) => void): Loading<Data> {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ state: 'loading' });

  /** Readings may overlap, and an older one may answer last: only the latest one counts. */
  const latest = useRef(0);

  const read = useCallback(
    (signal?: AbortSignal) => {
      latest.current += 1;
      const turn = latest.current;
      const isOver = () => signal?.aborted || turn !== latest.current;
      return load(signal).then(
        (data) => {
          if (isOver()) return undefined;
          setLoaded({ state: 'ready', data });
          return data;
        },
        (error: unknown) => {
          if (isOver()) return undefined;
          setLoaded({ state: 'failed' });
          onFailure(error);
          return undefined;
        },
      );
    },
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
