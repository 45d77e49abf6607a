import { useLanguage } from '../../i18n/language.tsx';
import { StarShape } from './star-shape.tsx';

/** A rating from 1 to 5, as stars. */
export function Stars({ rating, large = false }: { rating: number; large?: boolean }) {
  const { t } = useLanguage();
  return (
    <span className="inline-flex flex-wrap gap-0.5 text-star">
      <span className="sr-only">{t('{rating} out of 5 stars', { rating })}</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <StarShape key={star} filled={star <= Math.round(rating)} large={large} />
      ))}
    </span>
  );
}
