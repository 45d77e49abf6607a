/** What the counts of stars come to. Pure. */
import { STAR_LEVELS, type Summary } from './contract.ts';

export type StarCounts = ReadonlyMap<number, number>;

/** Zero reviews are 0.0 on average (design section 6, "Reviews"). */
export function summaryOf(byStar: StarCounts): Summary {
  const counts = STAR_LEVELS.map(({ star }) => ({ star, reviews: byStar.get(star) ?? 0 }));
  const all = totalOf({ counts });
  const stars = counts.reduce((sum, { star, reviews }) => sum + star * reviews, 0);
  return { average: all === 0 ? 0 : Math.round((stars * 10) / all) / 10, counts };
}

export const totalOf = ({ counts }: Pick<Summary, 'counts'>) => counts.reduce((sum, { reviews }) => sum + reviews, 0);

/** The whole percentage of all reviews that gave this many stars. */
export function percentOf(summary: Pick<Summary, 'counts'>, star: number): number {
  const all = totalOf(summary);
  const reviews = summary.counts.find((count) => count.star === star)?.reviews ?? 0;
  return all === 0 ? 0 : Math.round((reviews * 100) / all);
}
