/** The newest transactions, and page by page the older ones. Design section 6, "Load more". */
import { useCallback, useState } from 'react';
import { fetchSend, type Send } from '../../../browser/client.ts';
import { useLoaded, type Loading } from '../../../browser/use-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getMoreTransactions, getTransactions, TRANSACTIONS_PER_PAGE, walletMessages, type WalletTransaction } from '../contract.ts';

export interface TransactionPages {
  transactions: readonly WalletTransaction[];
  /** How many pages came; the next begins behind so many times ten. */
  pages: number;
  /** Whether older ones may exist: a list of more than ten whose last page was a full one. */
  mayHaveMore: boolean;
}

const grown = (before: readonly WalletTransaction[], page: readonly WalletTransaction[]) =>
  // A movement made meanwhile pushes the pages on by one: what came twice is shown once.
  [...new Map([...before, ...page].map((transaction) => [transaction.tid, transaction])).values()];

const mayHaveMore = (transactions: readonly WalletTransaction[], lastPageRows: number) =>
  transactions.length > TRANSACTIONS_PER_PAGE && lastPageRows >= TRANSACTIONS_PER_PAGE;

export async function firstPage(send: Send, userid: string, signal?: AbortSignal): Promise<TransactionPages> {
  const answer = await send(getTransactions, { userid }, signal && { signal });
  if (answer.response !== 'success') throw new Error(answer.message);
  return { transactions: answer.data, pages: 1, mayHaveMore: mayHaveMore(answer.data, answer.data.length) };
}

export async function nextPage(send: Send, userid: string, shown: TransactionPages): Promise<TransactionPages> {
  const answer = await send(getMoreTransactions, { userid, offset: TRANSACTIONS_PER_PAGE * shown.pages });
  if (answer.response !== 'success' && answer.message !== walletMessages.outOfTransactions) throw new Error(answer.message);
  const page = answer.data ?? [];
  const transactions = grown(shown.transactions, page);
  return { transactions, pages: shown.pages + 1, mayHaveMore: mayHaveMore(transactions, page.length) };
}

const tellFailure = (error: unknown) => alertProblem(error, { doing: 'loading transactions' });

interface ShownTransactions extends Loading<TransactionPages> {
  shown: TransactionPages | undefined;
  loadingMore: boolean;
  loadMore(): Promise<void>;
}

export function useTransactionPages(userid: string): ShownTransactions {
  const load = useCallback((signal?: AbortSignal) => firstPage(fetchSend, userid, signal), [userid]);
  const first = useLoaded(load, tellFailure);
  const [later, setLater] = useState<TransactionPages>();
  const [loadingMore, setLoadingMore] = useState(false);
  const shown = later ?? (first.loaded.state === 'ready' ? first.loaded.data : undefined);

  const loadMore = async () => {
    if (!shown) return;
    setLoadingMore(true);
    try {
      setLater(await nextPage(fetchSend, userid, shown));
    } catch (error) {
      tellFailure(error);
    } finally {
      setLoadingMore(false);
    }
  };
  return { ...first, shown, loadingMore, loadMore };
}
