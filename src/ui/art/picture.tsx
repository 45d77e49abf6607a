import pictures from './pictures.svg?no-inline';

/**
 * An illustration from pictures.svg. The file is fetched once and cached for all pages, so neither
 * documents nor scripts carry the shapes. A document fetches it after its first paint
 * (pre-hydration/load-deferred.ts). Decoration only: the text beside it has the same meaning.
 */
export function Picture({ id, viewBox, className }: { id: string; viewBox: string; className: string }) {
  const href = `${pictures}#${id}`;
  return (
    <svg viewBox={viewBox} aria-hidden="true" className={className}>
      <use {...(typeof document === 'undefined' ? { 'data-href': href } : { href })} />
    </svg>
  );
}
