/**
 * The time after hydration for the page's own requests. Scripts that load later do not count as
 * scripts of the page (test/e2e/budget.spec.ts).
 */
const QUIET_MS = 2000;

/**
 * Calls `preload` when the page is idle, unless the customer asked the browser to save data.
 * Returns the clean-up function.
 */
export function preloadWhenIdle(preload: () => void): () => void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return () => {};
  const timer = setTimeout(() => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) requestIdleCallback(preload);
    else preload();
  }, QUIET_MS);
  return () => clearTimeout(timer);
}
