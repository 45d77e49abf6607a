/**
 * Loads the catalogue for a page: from the server loader for a document, from the client loader on
 * navigation.
 */
import type { Send } from '../../../contract/send.ts';
import { programsAndReviews } from '../contract.ts';
import { toServices, type Service } from '../rules.ts';
import type { Review } from '../../reviews/contract.ts';

/** Both are null if the call failed. */
export interface CatalogueData {
  services: Service[] | null;
  reviews: Review[] | null;
}

/**
 * Returns the HTTP status of the document. Without rates it is 503, so that the document is not
 * cached (server/documents/serve-documents.server.ts).
 */
export const statusOf = ({ services }: CatalogueData) => (services ? 200 : 503);

/** Returns nulls if the call fails, and calls `onFailure` if `send` throws. Never throws. */
export async function loadCatalogue(send: Send, onFailure: (error: unknown) => void): Promise<CatalogueData> {
  try {
    const result = await send(programsAndReviews, { reviews: 'best' });
    if (result.response === 'success') return { services: toServices(result.data), reviews: result.data.reviews };
  } catch (error) {
    onFailure(error);
  }
  return { services: null, reviews: null };
}
