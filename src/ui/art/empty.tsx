import { ArtFrame } from './art-frame.tsx';

const size = 'h-36 w-auto';

/** A laundry basket with nothing in it: empty lists. */
export function EmptyBasketArt() {
  return (
    <ArtFrame viewBox="0 0 180 140" className={size}>
      <ellipse cx="90" cy="126" rx="66" ry="8" className="fill-sunk" />
      <path d="M40 52c8-34 92-34 100 0" className="stroke-edge" strokeWidth="5" />
      <path d="M30 54h120l-12 66a7 7 0 0 1-7 6H49a7 7 0 0 1-7-6z" className="fill-accent-soft stroke-accent-ink" strokeWidth="3" />
      <path d="M62 72l4 38M90 72v38M118 72l-4 38" className="stroke-accent-ink" strokeWidth="4" />
      <rect x="24" y="46" width="132" height="14" rx="7" className="fill-accent" />
      <path d="M132 20l4-9 4 9 9 4-9 4-4 9-4-9-9-4z" className="fill-haldi" />
    </ArtFrame>
  );
}

/** One sock on the line, its partner gone: what was not found. */
export function LostSockArt() {
  return (
    <ArtFrame viewBox="0 0 180 140" className={size}>
      <path d="M6 24c50 12 120 12 168 0" className="stroke-edge" strokeWidth="3" />
      <path d="M50 32h30v44l24 16c10 8 5 24-9 22-16-2-33-12-43-24-3-4-3-8-3-13z" className="fill-accent" />
      <path d="M49 46h31" className="stroke-on-accent" strokeWidth="5" />
      <path d="M104 92c-8 0-14 6-13 21M50 80c9 0 15 6 14 16" className="stroke-on-accent" strokeWidth="3" />
      <path d="M65 24v17M126 24v17" className="stroke-haldi" strokeWidth="6" />
      <path
        d="M50 32h30v44l24 16c10 8 5 24-9 22-16-2-33-12-43-24-3-4-3-8-3-13z"
        transform="translate(61 2)"
        className="stroke-edge"
        strokeWidth="2.5"
        strokeDasharray="1 8"
      />
    </ArtFrame>
  );
}
