import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { defineMessages } from '../../../i18n/messages.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { MAX_BONUSES, BONUS_PERIOD_DAYS, REFERRAL_BONUS_PAISE, referralMessages as messages } from '../contract.ts';
import { FriendsPicture } from '../../../ui/art/screens/friends.tsx';

/** The layout of the refer page, on the site and inside the native app. */
export function ReferScreen({ children }: { children: ReactNode }) {
  const { t, rupees } = useLanguage();
  const { referralBonusTime } = useSiteConfig();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split
        width="text"
        picture={<FriendsPicture />}
        title={t(messages.heading)}
        text={t(PROMISES[referralBonusTime], { bonus: rupees(REFERRAL_BONUS_PAISE), friends: MAX_BONUSES, days: BONUS_PERIOD_DAYS })}
      >
        <Card>{children}</Card>
        <p className="text-sm text-ink-soft">{t('There is no bonus for friends who have already ordered, even as guests.')}</p>
      </Split>
    </PageBody>
  );
}

const PROMISES = defineMessages({
  'sign-up': 'Share your link. When a friend signs up with it, {bonus} go to your wallet, for up to {friends} friends in {days} days.',
  'first-delivery':
    'Share your link. When a friend signs up with it and the first order is delivered, {bonus} go to your wallet, for up to {friends} friends in {days} days.',
});

export function LinkLoading() {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your link')}>
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
}
