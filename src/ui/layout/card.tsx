import type { ReactNode } from 'react';
import { classes } from '../classes.ts';

export type CardProps = {
  as?: 'div' | 'section' | 'article' | 'li';
  /** The whole card can be tapped: give its one link `cardLinkLook`. */
  linked?: boolean;
  children: ReactNode;
};

/** A white sheet on the linen. `as` names what it is to those who cannot see it. */
export function Card({ as: Element = 'div', linked = false, children }: CardProps) {
  return (
    <Element
      className={classes(
        'rounded-card border border-line bg-surface p-5 shadow-card',
        linked &&
          'relative transition-colors hover:border-accent-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink',
      )}
    >
      {children}
    </Element>
  );
}

/** The look of the link that makes its card tappable: it covers the card, and the card shows its focus. */
export const cardLinkLook = 'outline-none after:absolute after:inset-0 after:rounded-card';
