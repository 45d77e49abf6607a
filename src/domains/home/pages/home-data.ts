/** What the home page shows of the laundry. */
import type { Send } from '../../../browser/client.ts';
import { AREAS, areaNames, type Area } from '../../catalogue/contract.ts';
import { loadCatalogue, type CatalogueData } from '../../catalogue/pages/catalogue-data.ts';

export interface HomeData extends CatalogueData {
  areas: { area: Area; name: string }[];
}

const MOST_REVIEWS = 3;
const FEWEST_STARS = 4;

export async function loadHome(send: Send, onFailure: (error: unknown) => void): Promise<HomeData> {
  const { services, reviews } = await loadCatalogue(send, onFailure);
  return {
    areas: AREAS.map((area) => ({ area, name: areaNames[area] })),
    services,
    reviews: reviews && reviews.filter(({ star_rating }) => star_rating >= FEWEST_STARS).slice(0, MOST_REVIEWS),
  };
}
