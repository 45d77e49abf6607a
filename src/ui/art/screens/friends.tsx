import { ScreenPicture } from './screen-picture.tsx';

/** Two friends and a coin: the referral. */
export const FriendsPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="130" rx="72" ry="6" fill="var(--color-sunk)" />
    <circle cx="50" cy="58" r="18" fill="var(--color-accent)" />
    <path d="M18 128c0-56 64-56 64 0z" fill="var(--color-accent)" />
    <path d="M38 90c6 8 18 8 24 0" stroke="var(--color-on-accent)" strokeWidth="4" />
    <circle cx="130" cy="58" r="18" fill="var(--color-accent-soft)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M98 128c0-56 64-56 64 0z" fill="var(--color-accent-soft)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M118 92c6 8 18 8 24 0" stroke="var(--color-accent-ink)" strokeWidth="4" />
    <circle cx="90" cy="24" r="18" fill="var(--color-haldi)" />
    <path d="M83 17h14M83 23h14M84 17c10 0 10 11 0 11l9 7" stroke="var(--color-ink)" strokeWidth="2.5" />
    <path d="M62 34c3-6 6-9 9-10M118 34c-3-6-6-9-9-10" stroke="var(--color-edge)" strokeWidth="3" strokeDasharray="1 7" />
  </ScreenPicture>
);
