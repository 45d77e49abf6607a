/** Loads the reviews page: the loader calls it on the server, the client loader in the browser. */
import type { Send } from '../../../contract/send.ts';
import { ConnectionLost } from '../../../contract/call-failures.ts';
import type { Call } from '../../../contract/define-call.ts';
import { getReviews, getSummary, type ListedReview, type Summary } from '../contract.ts';

/** A part is null if it could not be loaded. */
export interface ReviewsData {
  reviews: ListedReview[] | null;
  summary: Summary | null;
  isConnectionLost: boolean;
}

/**
 * Returns the status of the document: 503 without its reviews, so that no cache stores it
 * (server/documents/serve-documents.server.ts).
 */
export const statusOf = ({ reviews, summary }: Pick<ReviewsData, 'reviews' | 'summary'>) => (reviews && summary ? 200 : 503);

/** Loads the first page and the summary. A part is null if its call failed, after `onFailure`. */
export async function loadReviews(send: Send, onFailure: (error: unknown) => void): Promise<ReviewsData> {
  let isConnectionLost = false;
  const read = async <Body, Data>(call: Call<Body, Data>, body: Body): Promise<Data | null> => {
    try {
      return (await send(call, body)).data;
    } catch (error) {
      isConnectionLost ||= error instanceof ConnectionLost;
      onFailure(error);
      return null;
    }
  };
  const [reviews, summary] = await Promise.all([read(getReviews, {}), read(getSummary, {})]);
  return { reviews, summary, isConnectionLost };
}
