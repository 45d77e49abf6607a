import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { MAX_BONUSES, BONUS_PERIOD_DAYS, REFERRAL_BONUS_PAISE, referralMessages as messages } from '../contract.ts';

/** The layout of the refer page, on the site and inside the native app. */
export function ReferScreen({ children }: { children: ReactNode }) {
  const { t, rupees } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading
        title={t(messages.heading)}
        text={t('Share your link. When a friend signs up with it, {bonus} go to your wallet, for up to {friends} friends in {days} days.', {
          bonus: rupees(REFERRAL_BONUS_PAISE),
          friends: MAX_BONUSES,
          days: BONUS_PERIOD_DAYS,
        })}
      />
      <Card>{children}</Card>
    </PageBody>
  );
}

export function LinkLoading() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your link')}>
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
}
