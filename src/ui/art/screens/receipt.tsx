import { ScreenPicture } from './screen-picture.tsx';

/** A receipt: bill and payment. */
export const ReceiptPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="130" rx="62" ry="6" fill="var(--color-sunk)" />
    <path
      d="M50 14h80v112l-10-8-10 8-10-8-10 8-10-8-10 8-10-8-10 8z"
      fill="var(--color-surface)"
      stroke="var(--color-accent-ink)"
      strokeWidth="3"
    />
    <path d="M66 36h48M66 52h30" stroke="var(--color-edge)" strokeWidth="4" />
    <rect x="64" y="68" width="52" height="24" rx="6" fill="var(--color-accent)" />
    <path d="M82 75h16M82 80h16M83 75c10 0 10 7 0 7l8 5" stroke="var(--color-on-accent)" strokeWidth="2.5" />
    <circle cx="134" cy="30" r="16" fill="var(--color-haldi)" />
    <path d="M127 30l5 5 9-10" stroke="var(--color-ink)" strokeWidth="4" />
  </ScreenPicture>
);
