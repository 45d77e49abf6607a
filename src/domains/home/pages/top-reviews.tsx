import { formatDay } from '../../../kit/dates.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Stars } from '../../../ui/stars.tsx';
import { site } from '../../../web/site.ts';
import type { Review } from '../../reviews/contract.ts';

export function TopReviews({ reviews }: { reviews: readonly Review[] | null }) {
  if (reviews?.length === 0) return null;
  return (
    <section aria-labelledby="reviews-title" className="space-y-4 pt-4">
      <h2 id="reviews-title" className="text-title font-bold">
        What customers say
      </h2>
      {reviews ? <ReviewCards reviews={reviews} /> : <ReviewsFailed />}
    </section>
  );
}

function ReviewsFailed() {
  return (
    <Notice tone="bad" live>
      <p>Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {site().brand.email}</p>
    </Notice>
  );
}

function ReviewCards({ reviews }: { reviews: readonly Review[] }) {
  return (
    <ul className="grid gap-3 md:grid-cols-3 md:gap-5">
      {reviews.map(({ name, star_rating, message, review_added }) => (
        <li
          key={`${name} ${review_added} ${message}`}
          className="flex flex-col gap-2 rounded-card border border-line bg-surface p-5 shadow-card"
        >
          <Stars rating={star_rating} />
          <p className="flex-1 wrap-break-word">{message}</p>
          <p className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-soft">
            <span className="font-semibold text-ink">{name}</span>
            <span>{formatDay(review_added)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
