import { ScreenPicture } from './screen-picture.tsx';

/** Two speech bubbles: contact and reports. */
export const ChatPicture = () => (
  <ScreenPicture>
    <ellipse cx="90" cy="130" rx="62" ry="6" fill="var(--color-sunk)" />
    <path
      d="M30 16h78a14 14 0 0 1 14 14v34a14 14 0 0 1-14 14H62l-22 18 3-18H30a14 14 0 0 1-14-14V30a14 14 0 0 1 14-14z"
      fill="var(--color-accent)"
    />
    <path d="M34 38h66M34 56h44" stroke="var(--color-on-accent)" strokeWidth="5" />
    <path
      d="M90 64h58a12 12 0 0 1 12 12v24a12 12 0 0 1-12 12h-4l2 16-20-16H90a12 12 0 0 1-12-12V76a12 12 0 0 1 12-12z"
      fill="var(--color-accent-soft)"
      stroke="var(--color-accent-ink)"
      strokeWidth="3"
    />
    <path d="M105 88l10 10 20-20" stroke="var(--color-haldi)" strokeWidth="7" />
  </ScreenPicture>
);
