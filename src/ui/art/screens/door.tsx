import { ScreenPicture } from './screen-picture.tsx';

/** The laundry bag at the door: log-in and sign-up. */
export const DoorPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="128" rx="72" ry="7" fill="var(--color-sunk)" />
    <rect x="48" y="14" width="72" height="114" rx="8" fill="var(--color-accent-soft)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <rect x="58" y="24" width="52" height="104" rx="4" fill="var(--color-accent)" />
    <path d="M68 36h32v26H68zM68 74h32v22H68z" stroke="var(--color-on-accent)" strokeWidth="3" />
    <circle cx="101" cy="106" r="4" fill="var(--color-haldi)" />
    <path d="M116 92c-4 12-6 32 2 36h30c8-4 6-24 2-36z" fill="var(--color-surface)" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M114 92c6-5 32-5 38 0" stroke="var(--color-haldi)" strokeWidth="6" />
    <path d="M126 86c2-12 14-12 16 0" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M128 108c4 3 8 3 12 0" stroke="var(--color-accent-ink)" strokeWidth="3" />
    <path d="M24 40l3-7 3 7 7 3-7 3-3 7-3-7-7-3z" fill="var(--color-haldi)" />
  </ScreenPicture>
);
