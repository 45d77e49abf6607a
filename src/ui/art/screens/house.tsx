import { ScreenPicture } from './screen-picture.tsx';

/** A house with the pin of a map: addresses. */
export const HousePicture = () => (
  <ScreenPicture>
    <ellipse cx="86" cy="126" rx="74" ry="7" fill="var(--color-sunk)" />
    <path
      d="M30 64h84v56a4 4 0 0 1-4 4H34a4 4 0 0 1-4-4z"
      fill="var(--color-accent-soft)"
      stroke="var(--color-accent-ink)"
      strokeWidth="3"
    />
    <path d="M16 68l50-46a9 9 0 0 1 12 0l50 46" stroke="var(--color-accent)" strokeWidth="10" />
    <path d="M62 124V92a6 6 0 0 1 6-6h10a6 6 0 0 1 6 6v32z" fill="var(--color-accent)" />
    <path d="M40 82h12v14H40zM94 82h10v14H94z" fill="var(--color-surface)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path
      d="M136 122c-14-20-22-32-22-42a22 22 0 0 1 44 0c0 10-8 22-22 42z"
      fill="var(--color-haldi)"
      stroke="var(--color-surface)"
      strokeWidth="4"
    />
    <circle cx="136" cy="80" r="9" fill="var(--color-surface)" />
  </ScreenPicture>
);
