import type { Clock } from '../../lib/clock.ts';
import { withTimeout } from '../../lib/with-timeout.ts';

/** A cached document is rendered again by the first request after this time. */
const FRESH_MS = 1000;

/** A rendering waits for calls, whose statements time out after four seconds. */
const RENDER_TIMEOUT_MS = 10_000;

interface Entry<Document> {
  freshUntil: number;
  rendering: Promise<Document>;
  /** Undefined until the rendering is complete. */
  document?: Document;
}

/** A cache of rendered documents. It has no size limit: the caller uses a fixed set of keys. */
export interface DocumentCache<Document> {
  /** Returns a fresh document that is already rendered, or undefined. */
  peek(key: string): Document | undefined;
  /**
   * Returns the fresh document, or renders it. Concurrent requests share one rendering, also one
   * that takes longer than a document stays fresh: while the database is slow, renderings must not
   * queue. Errors are not cached. Rejects if `render` rejects or exceeds the timeout.
   */
  get(key: string, render: (previous?: Document) => Promise<Document>): Promise<Document>;
}

/** Without a timeout, a rendering that never ends would block its key for ever. */
export function createDocumentCache<Document extends { status: number }>(
  clock: Clock,
  timeoutMs = RENDER_TIMEOUT_MS,
): DocumentCache<Document> {
  const entries = new Map<string, Entry<Document>>();
  const isFresh = ({ freshUntil }: Entry<Document>) => {
    const freshMs = freshUntil - clock.now().getTime();
    // More than FRESH_MS: the clock was set back.
    return freshMs > 0 && freshMs <= FRESH_MS;
  };

  return {
    peek(key) {
      const entry = entries.get(key);
      return entry?.document && isFresh(entry) ? entry.document : undefined;
    },

    get(key, render) {
      const entry = entries.get(key);
      if (entry && (!entry.document || isFresh(entry))) return entry.rendering;
      const rendering = withRenderTimeout(render(entry?.document), timeoutMs);
      const added: Entry<Document> = { freshUntil: clock.now().getTime() + FRESH_MS, rendering };
      entries.set(key, added);
      const remove = () => void entries.delete(key);
      rendering.then((document) => {
        if (document.status >= 500) remove();
        else added.document = document;
      }, remove);
      return rendering;
    },
  };
}

/** Rejects after the timeout. The rendering is not interrupted, and its result is not used. */
export const withRenderTimeout = <Result>(rendering: Promise<Result>, timeoutMs = RENDER_TIMEOUT_MS): Promise<Result> =>
  withTimeout(rendering, timeoutMs, () => new Error(`A document was not rendered in ${timeoutMs} ms`));
