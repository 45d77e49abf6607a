import { ScreenPicture } from './screen-picture.tsx';

/** A padlock with a shirt button as its keyhole: password and privacy. */
export const LockPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="128" rx="62" ry="7" fill="var(--color-sunk)" />
    <path d="M62 66V44a28 28 0 0 1 56 0v22" stroke="var(--color-edge)" strokeWidth="10" />
    <rect x="42" y="60" width="96" height="68" rx="14" fill="var(--color-accent)" />
    <circle cx="90" cy="92" r="18" fill="var(--color-haldi)" />
    <path d="M84 87v.1M96 87v.1M84 98v.1M96 98v.1" stroke="var(--color-ink)" strokeWidth="5" />
    <path d="M28 70l-8-4M24 84h-9M152 70l8-4M156 84h9" stroke="var(--color-accent-ink)" strokeWidth="3" />
  </ScreenPicture>
);
