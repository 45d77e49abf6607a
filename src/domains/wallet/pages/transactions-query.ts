/** Fetches pages of transactions. Design section 6, "Load more". */
import { requireData } from '../../../contract/call-failures.ts';
import type { Send } from '../../../contract/send.ts';
import type { PageRequest, Pages } from '../../../browser/use-paginated-query.ts';
import { getMoreTransactions, getTransactions, TRANSACTIONS_PER_PAGE, type WalletTransaction } from '../contract.ts';

/** Returns the newest transactions, at most one more than a page. Throws if the call failed. */
export async function fetchFirstPage(send: Send, userid: string, options: { signal?: AbortSignal } = {}): Promise<WalletTransaction[]> {
  return requireData(await send(getTransactions, { userid }, options));
}

/** Returns an empty page after an error response, which the server sends after the last page. */
export async function fetchPage(
  send: Send,
  userid: string,
  { pageParam: offset, ...options }: Pick<PageRequest, 'pageParam'> & { signal?: AbortSignal },
): Promise<WalletTransaction[]> {
  const result = await send(getMoreTransactions, { userid, offset }, options);
  return result.response === 'success' ? result.data : [];
}

/** Returns the offset of the next page if the list exceeds one page and its last page was full. */
export const nextOffset = (pages: Pages<readonly WalletTransaction[]>): number | undefined =>
  pages[0].length > TRANSACTIONS_PER_PAGE && pages.at(-1)!.length >= TRANSACTIONS_PER_PAGE
    ? TRANSACTIONS_PER_PAGE * pages.length
    : undefined;

export const transactionId = ({ tid }: WalletTransaction) => tid;
