import { StarShape } from './star-shape.tsx';

/** A rating from 1 to 5, as stars. */
export function Stars({ rating, large = false }: { rating: number; large?: boolean }) {
  return (
    <span className="inline-flex flex-wrap gap-0.5 text-star">
      <span className="sr-only">{rating} out of 5 stars</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <StarShape key={star} filled={star <= Math.round(rating)} large={large} />
      ))}
    </span>
  );
}
