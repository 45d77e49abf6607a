import type { ReactNode } from 'react';
import { Card } from '../../../ui/layout/card.tsx';

/** A heading with the kinds of data that a copy contains, or that a deletion removes or keeps. */
export const ContentsCard = ({ title, items, children }: { title: string; items: readonly string[]; children?: ReactNode }) => (
  <Card as="section">
    <h2 className="font-semibold">{title}</h2>
    <ul className="mt-2 list-disc space-y-1 ps-5 text-ink-soft">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
    {children}
  </Card>
);
