import type { ReactNode } from 'react';
import { classes } from '../../../ui/classes.ts';

interface RecentCardProps {
  children: ReactNode;
  actions: ReactNode;
  /** Hides the card on phones. */
  isWideOnly?: boolean;
}

/**
 * A card of the strip of recent orders. With what is below them, all have the height of the
 * skeleton. `relative` keeps their visually hidden texts inside the strip.
 */
export const RecentCard = ({ children, actions, isWideOnly }: RecentCardProps) => (
  <li
    className={classes(
      'relative flex min-h-49 shrink-0 basis-[88%] snap-start flex-col justify-between gap-4 rounded-card border border-line bg-surface p-4 shadow-card',
      // The only card, or the only one beside a card that phones do not show.
      'only:min-h-63 only:basis-full max-sm:nth-last-2:has-[+.wide-only]:basis-full sm:min-h-56 sm:basis-96 sm:p-5 sm:only:min-h-56 sm:only:basis-full',
      isWideOnly && 'wide-only max-sm:hidden',
    )}
  >
    <div>{children}</div>
    {actions}
  </li>
);
