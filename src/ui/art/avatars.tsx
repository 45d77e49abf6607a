import { ArtFrame } from './art-frame.tsx';

const size = 'size-11 shrink-0';

/** Three faces of the laundry, for people who have shown none of their own. */
export const AVATARS = [ShirtAvatar, DrumAvatar, BasketAvatar] as const;

function ShirtAvatar() {
  return (
    <ArtFrame viewBox="0 0 48 48" className={size}>
      <circle cx="24" cy="24" r="24" className="fill-accent-soft" />
      <path d="M17 13c1 5 13 5 14 0l5 2 6 9-6 4-2-2v11H14V26l-2 2-6-4 6-9z" className="fill-accent" />
      <path d="M18 13c2 4 10 4 12 0" className="stroke-on-accent" strokeWidth="2" />
      <path d="M24 21v.1M24 26v.1M24 31v.1" className="stroke-on-accent" strokeWidth="2.5" />
    </ArtFrame>
  );
}

function DrumAvatar() {
  return (
    <ArtFrame viewBox="0 0 48 48" className={size}>
      <circle cx="24" cy="24" r="24" className="fill-haldi" />
      <circle cx="24" cy="24" r="15" className="fill-surface stroke-ink" strokeWidth="2.5" />
      <path d="M11 25c4-4 8-4 13 0s9 4 13 0a13 13 0 0 1-26 0z" className="fill-accent" />
      <circle cx="20" cy="17" r="2.5" className="fill-accent" />
      <circle cx="28" cy="15" r="1.5" className="fill-accent" />
    </ArtFrame>
  );
}

function BasketAvatar() {
  return (
    <ArtFrame viewBox="0 0 48 48" className={size}>
      <circle cx="24" cy="24" r="24" className="fill-accent" />
      <path d="M14 21c2-10 18-10 20 0" className="stroke-haldi" strokeWidth="3" />
      <path d="M10 21h28l-3 14a3 3 0 0 1-3 2H16a3 3 0 0 1-3-2z" className="fill-surface" />
      <path d="M18 26l1 6M24 26v6M30 26l-1 6" className="stroke-accent-ink" strokeWidth="2" />
    </ArtFrame>
  );
}
