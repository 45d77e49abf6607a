import { ScreenPicture } from './screen-picture.tsx';

/** A purse with coins: the wallet. */
export const WalletPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="126" rx="70" ry="7" fill="var(--color-sunk)" />
    <circle cx="112" cy="34" r="19" fill="var(--color-haldi)" />
    <path d="M105 27h14M105 33h14M106 27c10 0 10 11 0 11l9 7" stroke="var(--color-ink)" strokeWidth="2.5" />
    <circle cx="76" cy="24" r="12" fill="var(--color-accent-soft)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M34 52l86-14c6-1 10 3 10 8v10H34z" fill="var(--color-accent-soft)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <rect x="30" y="52" width="120" height="72" rx="12" fill="var(--color-accent)" />
    <path d="M156 76h-34a12 12 0 0 0 0 24h34z" fill="var(--color-surface)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <circle cx="126" cy="88" r="5" fill="var(--color-haldi)" />
    <path d="M44 66h60" stroke="var(--color-on-accent)" strokeWidth="3" strokeDasharray="1 8" />
  </ScreenPicture>
);
