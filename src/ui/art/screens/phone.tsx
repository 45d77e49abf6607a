import { ScreenPicture } from './screen-picture.tsx';

/** A code arrives on the phone: verification. */
export const PhonePicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="130" rx="62" ry="7" fill="var(--color-sunk)" />
    <rect x="42" y="10" width="66" height="120" rx="12" fill="var(--color-accent)" />
    <rect x="49" y="22" width="52" height="90" rx="4" fill="var(--color-surface)" />
    <path d="M70 121h10" stroke="var(--color-on-accent)" strokeWidth="4" />
    <path d="M60 84h30M60 96h20" stroke="var(--color-edge)" strokeWidth="4" />
    <path
      d="M76 38h68a10 10 0 0 1 10 10v18a10 10 0 0 1-10 10h-44l-14 12 1-12H76a8 8 0 0 1-8-8V46a8 8 0 0 1 8-8z"
      fill="var(--color-accent-soft)"
      stroke="var(--color-accent-ink)"
      strokeWidth="3"
    />
    <path d="M86 57v.1M100 57v.1M114 57v.1M128 57v.1M142 57v.1" stroke="var(--color-accent-ink)" strokeWidth="7" />
    <path d="M136 18l3-7 3 7 7 3-7 3-3 7-3-7-7-3z" fill="var(--color-haldi)" />
  </ScreenPicture>
);
