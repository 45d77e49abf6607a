import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { ChevronLeftIcon } from '../../../ui/icons/chevron.tsx';
import { backStyles } from '../../../ui/layout/page-heading.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { links } from '../../../shared/links.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { HousePicture } from '../../../ui/art/screens/house.tsx';

/** The layout of the pages that add and edit an address. */
export function AddressFormPage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split
        width="text"
        picture={<HousePicture />}
        title={title}
        back={
          <Link to={links.addresses()} className={backStyles}>
            <ChevronLeftIcon small />
            {t('Your addresses')}
          </Link>
        }
      >
        <Card>{children}</Card>
      </Split>
    </PageBody>
  );
}

export function AddressFormSkeleton() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading the form')}>
      {['name', 'mobile', 'address', 'landmark'].map((field) => (
        <div key={field} className="space-y-2">
          <Skeleton shape="line" short />
          <Skeleton shape="field" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
