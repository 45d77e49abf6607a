import pictures from './pictures.svg?no-inline';

/**
 * An illustration out of pictures.svg: fetched once for all pages and kept, so that neither documents nor scripts carry its shapes. Decoration only: what it
 * says stands beside it in words.
 */
export function Picture({ id, viewBox, className }: { id: string; viewBox: string; className: string }) {
  return (
    <svg viewBox={viewBox} aria-hidden="true" className={className}>
      <use href={`${pictures}#${id}`} />
    </svg>
  );
}
