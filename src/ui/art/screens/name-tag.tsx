import { ScreenPicture } from './screen-picture.tsx';

/** A name tag on a clothes hanger: the profile. */
export const NameTagPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="130" rx="62" ry="6" fill="var(--color-sunk)" />
    <path d="M90 30v-4c0-4 7-5 7-12a8 8 0 0 0-16 0" stroke="var(--color-edge)" strokeWidth="4" />
    <path d="M90 30L42 58h96z" stroke="var(--color-edge)" strokeWidth="5" />
    <rect x="50" y="56" width="80" height="72" rx="12" fill="var(--color-accent-soft)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <circle cx="90" cy="82" r="12" fill="var(--color-accent)" />
    <path d="M68 116c2-22 42-22 44 0z" fill="var(--color-accent)" />
    <path d="M144 84l3-7 3 7 7 3-7 3-3 7-3-7-7-3z" fill="var(--color-haldi)" />
  </ScreenPicture>
);
