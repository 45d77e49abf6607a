import { useEffect, useEffectEvent, useRef } from 'react';
import { fetchSend } from '../../../browser/client.ts';
import { endTabSession } from '../../../browser/session-user.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { CallRefused } from '../../../contract/call-failures.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { getClaims, type Claim } from '../contract.ts';

/**
 * Loads the claims of an order, and again for each new `version` of the order. The data is null if
 * the order is not the caller's.
 */
export function useClaims(userid: string | undefined, orderid: string, version?: number) {
  const query = useQuery({
    queryKey: [userid, orderid],
    async queryFn({ signal }): Promise<readonly Claim[] | null> {
      const result = await fetchSend(getClaims, { userid, orderid }, { signal });
      return result.response === 'success' ? result.data : null;
    },
    onError(error) {
      if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading claims' });
      else if (error.code === 'login-required') endTabSession();
    },
  });
  const refetch = useEffectEvent(() => void query.refetch());
  const loadedVersion = useRef(version);
  useEffect(() => {
    if (version === loadedVersion.current) return;
    loadedVersion.current = version;
    refetch();
  }, [version]);
  return query;
}
