import { ScreenPicture } from './screen-picture.tsx';

/** The laundry bag on the rider's scale: the promise. */
export const ScalePicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="130" rx="62" ry="6" fill="var(--color-sunk)" />
    <path d="M90 4v12" stroke="var(--color-edge)" strokeWidth="5" />
    <circle cx="90" cy="40" r="25" fill="var(--color-accent-soft)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M74 40h.1M79 28h.1M90 24h.1M101 28h.1M106 40h.1" stroke="var(--color-accent-ink)" strokeWidth="4" />
    <path d="M90 42l9-11" stroke="var(--color-haldi)" strokeWidth="5" />
    <path d="M90 65v12" stroke="var(--color-edge)" strokeWidth="5" />
    <path d="M64 84c-8 18-10 42 2 46h48c12-4 10-28 2-46z" fill="var(--color-accent)" />
    <path d="M62 84c10-7 46-7 56 0" stroke="var(--color-haldi)" strokeWidth="7" />
    <path d="M78 104c8 6 16 6 24 0" stroke="var(--color-on-accent)" strokeWidth="4" />
  </ScreenPicture>
);
