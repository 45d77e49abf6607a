import type { ReactNode } from 'react';
import { classes } from '../classes.ts';

export type CardProps = {
  as?: 'div' | 'section' | 'article' | 'li';
  /** Makes the whole card tappable: give its only link `cardLinkStyles`. */
  linked?: boolean;
  children: ReactNode;
};

/** A raised surface. `as` is its HTML element. */
export function Card({ as: Element = 'div', linked = false, children }: CardProps) {
  return (
    <Element
      className={classes(
        'rounded-card border border-line bg-surface p-card shadow-card',
        linked &&
          'relative transition-colors hover:border-accent-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink',
      )}
    >
      {children}
    </Element>
  );
}

/**
 * The classes of the link of a tappable card. The link covers the card, and the card shows the
 * focus ring.
 */
export const cardLinkStyles = 'outline-none after:absolute after:inset-0 after:rounded-card';
