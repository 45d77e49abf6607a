import { useSearchParams } from 'react-router';

/**
 * The filters of a list, in the URL. `setFilters` changes those that it names and removes the ones
 * with an empty value. Neither function adds an entry to the history.
 */
export function useFilters<Name extends string>() {
  const [params, setParams] = useSearchParams();
  const setFilters = (filters: Partial<Record<Name, string>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries<string | undefined>(filters)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return { params, setFilters, clearFilters: () => setParams({}, { replace: true }) };
}
