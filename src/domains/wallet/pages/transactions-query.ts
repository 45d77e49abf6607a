/** Which pages of transactions exist and how one is read. Design section 6, "Load more". */
import type { Send } from '../../../browser/client.ts';
import type { PageRequest, Pages } from '../../../browser/use-paginated-query.ts';
import { getMoreTransactions, getTransactions, TRANSACTIONS_PER_PAGE, type WalletTransaction } from '../contract.ts';

/** The newest transactions; one more than a page if there are so many. */
export async function fetchFirstPage(send: Send, userid: string, options: { signal?: AbortSignal } = {}): Promise<WalletTransaction[]> {
  const answer = await send(getTransactions, { userid }, options);
  if (answer.response !== 'success') throw new Error(answer.message);
  return answer.data;
}

/** The server refuses the page after the last one: it is an empty page here. */
export async function fetchPage(
  send: Send,
  userid: string,
  { pageParam: offset, ...options }: Pick<PageRequest, 'pageParam'> & { signal?: AbortSignal },
): Promise<WalletTransaction[]> {
  const answer = await send(getMoreTransactions, { userid, offset }, options);
  return answer.response === 'success' ? answer.data : [];
}

/** More may exist if the list exceeds one page and its last page was full. */
export const nextOffset = (pages: Pages<WalletTransaction>): number | undefined =>
  pages[0].length > TRANSACTIONS_PER_PAGE && pages.at(-1)!.length >= TRANSACTIONS_PER_PAGE
    ? TRANSACTIONS_PER_PAGE * pages.length
    : undefined;

export const transactionId = ({ tid }: WalletTransaction) => tid;
