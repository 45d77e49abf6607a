import type { ReactNode } from 'react';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { pageTitle } from '../../../site/page-meta.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';

/** The target of the skip link. */
export const STAFF_MAIN_ID = 'main';

interface StaffPageProps {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  width?: 'narrow' | 'text' | 'wide';
  children: ReactNode;
}

/** Every screen of the console: its title, heading and body. */
export function StaffPage({ title, text, actions, width = 'wide', children }: StaffPageProps) {
  const { brand } = useSiteConfig();
  return (
    <PageBody id={STAFF_MAIN_ID} width={width}>
      <title>{pageTitle(title, brand)}</title>
      <PageHeading title={title} text={text} actions={actions} />
      {children}
    </PageBody>
  );
}
