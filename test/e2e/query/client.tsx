/** Two lists, and code that keeps `refetch` of the first render while the list changes. */
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useQuery } from '../../../src/browser/use-query.ts';

let requests = 0;
let failure: Error | undefined;

function QueryPage() {
  const [list, setList] = useState('A');
  const query = useQuery({
    queryKey: [list],
    async queryFn() {
      requests += 1;
      if (failure) throw failure;
      return `list ${list}, request ${requests}`;
    },
    onError: (error) => document.querySelector('output')?.append(String(error)),
  });
  const [refetchOfFirstRender] = useState(() => query.refetch);
  return (
    <>
      <h1>{query.status === 'success' ? query.data : query.status}</h1>
      {query.status === 'success' && query.isRefetchError && <p>out of date</p>}
      <button onClick={() => setList('B')}>List B</button>
      <button onClick={() => void refetchOfFirstRender()}>Refetch</button>
      <button onClick={query.retry}>Retry</button>
      <button onClick={() => (failure = failure ? undefined : new Error('no connection'))}>Fail</button>
      <output />
    </>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root');
createRoot(root).render(<QueryPage />);
