import type { ReactNode } from 'react';

/**
 * The `<svg>` of the picture beside the heading of a screen. The children are its SVG shapes, on
 * 180 x 140 units. Decoration only. Inline in the document: a file of all pictures would be a
 * request before the largest paint. Decision 0051.
 */
export const ScreenPicture = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 180 140" fill="none" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" className="h-auto w-full">
    {children}
  </svg>
);
