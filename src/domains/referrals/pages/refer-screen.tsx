import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';
import { PageBody } from '../../../ui/container.tsx';
import { PageHeading } from '../../../ui/page-heading.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/skeleton.tsx';
import { formatRupees } from '../../../kit/money.ts';
import { MAIN_ID } from '../../../web/site-layout.tsx';
import { MOST_BONUSES, MOST_BONUSES_DAYS, REFERRAL_BONUS_PAISE, referralMessages as messages } from '../contract.ts';

/** The frame of the refer page, on the site and inside the native app. */
export function ReferScreen({ children }: { children: ReactNode }) {
  const bonus = formatRupees(REFERRAL_BONUS_PAISE);
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading
        title={messages.heading}
        text={`Share your link. When a friend signs up with it, ${bonus} go to your wallet, for up to ${MOST_BONUSES} friends in ${MOST_BONUSES_DAYS} days.`}
      />
      <Card>{children}</Card>
    </PageBody>
  );
}

export function LinkLoading() {
  return (
    <SkeletonGroup label="Loading your link">
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
}
