import type { ReactNode } from 'react';

/** An illustration: flat shapes in the tokens' colours, so it follows light and dark by itself. Decoration only. */
export function ArtFrame({ viewBox, className, children }: { viewBox: string; className: string; children: ReactNode }) {
  return (
    <svg viewBox={viewBox} fill="none" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" className={className}>
      {children}
    </svg>
  );
}
