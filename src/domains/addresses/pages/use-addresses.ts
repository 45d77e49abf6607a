import { ConnectionLost } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useQuery, type Query } from '../../../browser/use-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getAddress, getAddresses, type Address } from '../contract.ts';

/** A lost connection needs no toast: the page shows its error state with a retry button. */
const onError = (error: unknown) => {
  if (!(error instanceof ConnectionLost)) alertProblem(error, { doing: 'loading addresses' });
};

/** A response other than success is an empty list (specification section 7). */
export const useAddresses = (userid: string): Query<Address[]> =>
  useQuery({
    queryKey: [userid],
    queryFn: async ({ signal }) => (await fetchSend(getAddresses, { userid }, { signal })).data ?? [],
    onError,
  });

/** The data is null if the customer has no such address. */
export const useAddress = (userid: string, addressid: string): Query<Address | null> =>
  useQuery({
    queryKey: [userid, addressid],
    queryFn: async ({ signal }) => (await fetchSend(getAddress, { userid, addressid }, { signal })).data?.[0] ?? null,
    onError,
  });
