import { useCallback } from 'react';
import { ConnectionLost } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useLoaded, type Loading } from '../../../browser/use-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getAddress, getAddresses, type Address } from '../contract.ts';

const tellFailure = (error: unknown) => {
  // The page itself says that nothing came, and offers to try again.
  if (!(error instanceof ConnectionLost)) alertProblem(error, { doing: 'loading addresses' });
};

/** An answer that is no success is an empty list (specification section 7). */
export function useAddresses(userid: string): Loading<Address[]> {
  const load = useCallback(
    async (signal?: AbortSignal) => (await fetchSend(getAddresses, { userid }, signal && { signal })).data ?? [],
    [userid],
  );
  return useLoaded(load, tellFailure);
}

/** Null when the customer has no such address. */
export function useAddress(userid: string, addressid: string): Loading<Address | null> {
  const load = useCallback(
    async (signal?: AbortSignal) => (await fetchSend(getAddress, { userid, addressid }, signal && { signal })).data?.[0] ?? null,
    [userid, addressid],
  );
  return useLoaded(load, tellFailure);
}
