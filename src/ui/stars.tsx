import { StarShape } from './star-shape.tsx';

/** A rating from 1 to 5, as stars. */
export function Stars({ rating, large = false }: { rating: number; large?: boolean }) {
  return (
    <span role="img" aria-label={`${rating} out of 5 stars`} className="inline-flex gap-0.5 text-star">
      {[1, 2, 3, 4, 5].map((star) => (
        <StarShape key={star} filled={star <= Math.round(rating)} large={large} />
      ))}
    </span>
  );
}
