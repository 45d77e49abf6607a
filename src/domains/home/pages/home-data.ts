/** The data of the home page. */
import type { Send } from '../../../contract/send.ts';
import { AREAS, areaNames, type Area } from '../../catalogue/contract.ts';
import { loadCatalogue, type CatalogueData } from '../../catalogue/pages/catalogue-data.ts';

export interface HomeData extends CatalogueData {
  areas: { area: Area; name: string }[];
}

const MAX_REVIEWS = 3;
const MIN_STARS = 4;

/** Services and reviews are null if the call failed. Calls `onFailure` if `send` throws. */
export async function loadHome(send: Send, onFailure: (error: unknown) => void): Promise<HomeData> {
  const { services, reviews } = await loadCatalogue(send, onFailure);
  return {
    areas: AREAS.map((area) => ({ area, name: areaNames[area] })),
    services,
    reviews: reviews && reviews.filter(({ star_rating }) => star_rating >= MIN_STARS).slice(0, MAX_REVIEWS),
  };
}
