import type { ReactNode } from 'react';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';

/** What stands around every form that leads in: one column, one heading, one card. */
export function Entrance({ title, text, children, below }: { title: string; text?: ReactNode; children: ReactNode; below?: ReactNode }) {
  return (
    <PageBody id={MAIN_ID} width="narrow">
      <PageHeading title={title} text={text} />
      <Card>{children}</Card>
      {below && <div className="text-center">{below}</div>}
    </PageBody>
  );
}
