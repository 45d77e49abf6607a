import type { ReactNode } from 'react';

/** A white sheet on the linen. `as` names what it is to those who cannot see it. */
export function Card({ as: Element = 'div', children }: { as?: 'div' | 'section' | 'article' | 'li'; children: ReactNode }) {
  return <Element className="rounded-card border border-line bg-surface p-5 shadow-card">{children}</Element>;
}
