import { ArtFrame } from './art-frame.tsx';

const size = 'h-36 w-auto';

/** The pickup van on its way: an order was placed. */
export function PickupVanArt() {
  return (
    <ArtFrame viewBox="0 0 200 140" className={size}>
      <ellipse cx="104" cy="122" rx="84" ry="7" className="fill-sunk" />
      <path d="M8 56h26M2 74h22M12 92h18" className="stroke-edge" strokeWidth="4" />
      <rect x="40" y="28" width="92" height="82" rx="10" className="fill-accent" />
      <path
        d="M132 52h26c4 0 7 2 9 5l16 24c2 2 2 5 2 7v16a6 6 0 0 1-6 6h-47z"
        className="fill-accent-soft stroke-accent-ink"
        strokeWidth="3"
      />
      <path d="M142 62h14l13 20h-27z" className="fill-surface stroke-accent-ink" strokeWidth="3" />
      <path
        d="M86 58v-4c0-3 5-4 5-9a6 6 0 0 0-12 0M86 58l25 17c4 3 2 7-2 7H63c-4 0-6-4-2-7z"
        className="stroke-on-accent"
        strokeWidth="4"
      />
      <circle cx="70" cy="110" r="14" className="fill-ink" />
      <circle cx="152" cy="110" r="14" className="fill-ink" />
      <circle cx="70" cy="110" r="5" className="fill-haldi" />
      <circle cx="152" cy="110" r="5" className="fill-haldi" />
    </ArtFrame>
  );
}

/** Folded clothes tied with a ribbon: delivered, paid, thank you. */
export function FoldedStackArt() {
  return (
    <ArtFrame viewBox="0 0 180 140" className={size}>
      <ellipse cx="90" cy="126" rx="66" ry="7" className="fill-sunk" />
      <rect x="34" y="98" width="112" height="26" rx="13" className="fill-accent" />
      <rect x="40" y="72" width="100" height="26" rx="13" className="fill-accent-soft stroke-accent-ink" strokeWidth="3" />
      <rect x="36" y="46" width="108" height="26" rx="13" className="fill-accent" />
      <path d="M62 59h70M66 111h68" className="stroke-on-accent" strokeWidth="3" />
      <path d="M66 85h64" className="stroke-accent-ink" strokeWidth="3" />
      <path d="M90 46v78" className="stroke-haldi" strokeWidth="9" />
      <path d="M90 44c-6-20-30-22-28-8 1 8 16 9 28 8zM90 44c6-20 30-22 28-8-1 8-16 9-28 8z" className="stroke-haldi" strokeWidth="6" />
    </ArtFrame>
  );
}

/** A gift for a friend: the referral. */
export function GiftArt() {
  return (
    <ArtFrame viewBox="0 0 180 140" className={size}>
      <ellipse cx="90" cy="126" rx="66" ry="7" className="fill-sunk" />
      <rect x="42" y="66" width="96" height="58" rx="8" className="fill-accent" />
      <rect x="34" y="46" width="112" height="26" rx="8" className="fill-accent-soft stroke-accent-ink" strokeWidth="3" />
      <path d="M90 46v78" className="stroke-haldi" strokeWidth="12" />
      <path
        d="M90 44c-7-26-36-28-34-11 1 10 20 12 34 11zM90 44c7-26 36-28 34-11-1 10-20 12-34 11z"
        className="stroke-haldi"
        strokeWidth="7"
      />
      <circle cx="30" cy="30" r="4" className="fill-accent-ink" />
      <circle cx="152" cy="24" r="5" className="fill-haldi" />
      <path d="M150 92l8 8M158 92l-8 8M18 84h10M23 79v10" className="stroke-accent-ink" strokeWidth="3" />
    </ArtFrame>
  );
}
