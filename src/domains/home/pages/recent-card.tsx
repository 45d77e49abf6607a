import type { ReactNode } from 'react';

/**
 * A card of the strip of recent orders. All have the height of the skeleton. `relative` keeps their
 * visually hidden texts inside the strip.
 */
export const RecentCard = ({ children, actions }: { children: ReactNode; actions: ReactNode }) => (
  <li className="relative flex min-h-56 shrink-0 basis-[88%] snap-start flex-col justify-between gap-4 rounded-card border border-line bg-surface p-5 shadow-card only:basis-full sm:basis-96 sm:only:basis-full">
    <div>{children}</div>
    {actions}
  </li>
);
