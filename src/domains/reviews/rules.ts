/** The average and the percentages of the star counts. Pure. */
import { STAR_LEVELS, type Summary } from './contract.ts';

export type StarCounts = ReadonlyMap<number, number>;

/** The average is 0 if there is no review (design section 6, "Reviews"). */
export function summarizeStars(byStar: StarCounts): Summary {
  const counts = STAR_LEVELS.map(({ star }) => ({ star, reviews: byStar.get(star) ?? 0 }));
  const total = totalReviews({ counts });
  const stars = counts.reduce((sum, { star, reviews }) => sum + star * reviews, 0);
  return { average: total === 0 ? 0 : Math.round((stars * 10) / total) / 10, counts };
}

export const totalReviews = ({ counts }: Pick<Summary, 'counts'>) => counts.reduce((sum, { reviews }) => sum + reviews, 0);

/**
 * Returns the percentage of reviews with this number of stars, rounded to an integer. It is 0 if
 * there is no review.
 */
export function percentOf(summary: Pick<Summary, 'counts'>, star: number): number {
  const total = totalReviews(summary);
  const reviews = summary.counts.find((count) => count.star === star)?.reviews ?? 0;
  return total === 0 ? 0 : Math.round((reviews * 100) / total);
}
