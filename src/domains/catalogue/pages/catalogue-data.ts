/** The catalogue for a page: in the document through the page's loader, on navigation by the same call from the browser. */
import type { Send } from '../../../browser/client.ts';
import { programsAndReviews } from '../contract.ts';
import { servicesOf, type Service } from '../rules.ts';
import type { Review } from '../../reviews/contract.ts';

/** Both null when they could not be loaded; `onFailure` hears why. */
export interface CatalogueData {
  services: Service[] | null;
  reviews: Review[] | null;
}

/** A document without its rates is served as a failure, so that nothing keeps it (server/documents/serve-documents.server.ts). */
export const statusOf = ({ services }: CatalogueData) => (services ? 200 : 503);

export async function loadCatalogue(send: Send, onFailure: (error: unknown) => void): Promise<CatalogueData> {
  try {
    const answer = await send(programsAndReviews, {});
    if (answer.response === 'success') return { services: servicesOf(answer.data), reviews: answer.data.reviews };
  } catch (error) {
    onFailure(error);
  }
  return { services: null, reviews: null };
}
