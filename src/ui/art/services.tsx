import { ArtFrame } from './art-frame.tsx';

const tile = 'size-20';

/** A front loader with water in its drum. */
export function WashArt() {
  return (
    <ArtFrame viewBox="0 0 96 96" className={tile}>
      <rect x="17" y="7" width="62" height="80" rx="11" className="fill-surface stroke-accent-ink" strokeWidth="3" />
      <path d="M17 26h62" className="stroke-accent-ink" strokeWidth="3" />
      <path d="M26 17h14" className="stroke-edge" strokeWidth="4" />
      <circle cx="68" cy="17" r="4" className="fill-haldi" />
      <circle cx="48" cy="57" r="23" className="fill-accent-soft stroke-accent-ink" strokeWidth="3" />
      <path d="M31 57c6-5 11-5 17 0s11 5 17 0a17 17 0 0 1-34 0z" className="fill-accent" />
      <circle cx="41" cy="47" r="3" className="fill-accent" />
      <circle cx="52" cy="43" r="2" className="fill-haldi" />
      <path d="M26 90h8M62 90h8" className="stroke-accent-ink" strokeWidth="4" />
    </ArtFrame>
  );
}

/** A steam iron at work. */
export function IronArt() {
  return (
    <ArtFrame viewBox="0 0 96 96" className={tile}>
      <path d="M9 70c1-19 15-31 36-31h31c4 0 7 3 8 6l5 25z" className="fill-accent" />
      <path d="M35 41c1-11 7-17 18-17h14c9 0 13 6 14 17" className="stroke-accent-ink" strokeWidth="5" />
      <path d="M30 56h34" className="stroke-on-accent" strokeWidth="4" />
      <circle cx="75" cy="55" r="4" className="fill-haldi" />
      <rect x="7" y="70" width="84" height="9" rx="4.5" className="fill-accent-soft stroke-accent-ink" strokeWidth="3" />
      <path d="M17 88c4-3 7 3 11 0s7 3 11 0 7 3 11 0 7 3 11 0 7 3 11 0" className="stroke-edge" strokeWidth="2.5" />
      <path d="M12 47c-4-4 3-7-1-11M22 37c-4-4 3-7-1-11" className="stroke-edge" strokeWidth="2.5" />
    </ArtFrame>
  );
}

/** The drum and the iron together. */
export function WashIronArt() {
  return (
    <ArtFrame viewBox="0 0 96 96" className={tile}>
      <rect x="7" y="7" width="56" height="74" rx="10" className="fill-surface stroke-accent-ink" strokeWidth="3" />
      <path d="M7 24h56" className="stroke-accent-ink" strokeWidth="3" />
      <path d="M15 16h12" className="stroke-edge" strokeWidth="4" />
      <circle cx="53" cy="16" r="3.5" className="fill-haldi" />
      <circle cx="35" cy="50" r="19" className="fill-accent-soft stroke-accent-ink" strokeWidth="3" />
      <path d="M21 50c5-4 9-4 14 0s9 4 14 0a14 14 0 0 1-28 0z" className="fill-accent" />
      <path d="M36 80c1-12 10-20 24-20h18c4 0 6 2 7 5l4 15z" className="fill-accent stroke-surface" strokeWidth="3" />
      <path d="M53 60c1-7 5-10 11-10h9c6 0 9 4 10 10" className="stroke-accent-ink" strokeWidth="4" />
      <rect x="34" y="80" width="57" height="8" rx="4" className="fill-haldi stroke-surface" strokeWidth="2" />
    </ArtFrame>
  );
}
