/** The reviews for a page: in the document through the page's loader, on navigation by the same calls from the browser. */
import type { Send } from '../../../browser/client.ts';
import type { Call } from '../../../contract/define-call.ts';
import { getReviews, getSummary, type Review, type Summary } from '../contract.ts';

/** Null is what could not be loaded; `onFailure` hears why. */
export interface ReviewsData {
  reviews: Review[] | null;
  summary: Summary | null;
}

/** A document without its reviews is served as a failure, so that nothing keeps it (server/documents/serve-documents.server.ts). */
export const statusOf = ({ reviews, summary }: ReviewsData) => (reviews && summary ? 200 : 503);

export async function loadReviews(send: Send, onFailure: (error: unknown) => void): Promise<ReviewsData> {
  const read = async <Body, Data>(call: Call<Body, Data>, body: Body): Promise<Data | null> => {
    try {
      return (await send(call, body)).data;
    } catch (error) {
      onFailure(error);
      return null;
    }
  };
  const [reviews, summary] = await Promise.all([read(getReviews, {}), read(getSummary, {})]);
  return { reviews, summary };
}
