import { useSearchParams } from 'react-router';

/**
 * The filters of a list, in the URL. `setFilters` changes those that it names and removes the ones
 * with an empty value. Both add an entry to the history, so that Back restores the filters before.
 * With `isTyping`, it replaces the entry: each letter of a search field would be one.
 */
export function useFilters<Name extends string>() {
  const [params, setParams] = useSearchParams();
  const setFilters = (filters: Partial<Record<Name, string>>, { isTyping = false } = {}) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries<string | undefined>(filters)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: isTyping, preventScrollReset: true },
    );
  return { params, setFilters, clearFilters: () => setParams({}, { preventScrollReset: true }) };
}
