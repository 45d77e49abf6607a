import { ScreenPicture } from './screen-picture.tsx';

/** A list with check marks: the order before it is placed. */
export const ListPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="130" rx="62" ry="6" fill="var(--color-sunk)" />
    <rect x="46" y="20" width="88" height="110" rx="10" fill="var(--color-surface)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <rect x="70" y="11" width="40" height="18" rx="7" fill="var(--color-accent)" />
    <path d="M60 50l5 5 9-10M60 78l5 5 9-10" stroke="var(--color-haldi)" strokeWidth="5" />
    <path d="M86 51h34M86 79h34M86 107h22" stroke="var(--color-edge)" strokeWidth="4" />
    <circle cx="67" cy="107" r="6" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M150 44l3-7 3 7 7 3-7 3-3 7-3-7-7-3z" fill="var(--color-haldi)" />
  </ScreenPicture>
);
