import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { Avatar } from '../../../ui/art/avatars.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Stars } from '../../../ui/layout/stars.tsx';
import type { Review } from '../contract.ts';

/**
 * A review with an avatar, which depends only on the review's id (specification section 2). `bdi`
 * and `dir` isolate the direction of user text, so its bidirectional marks do not affect the page.
 * `contain-paint` clips combining marks at the edge of the card.
 * `children` follow its text.
 */
export function ReviewCard({ review, children }: { review: Review; children?: ReactNode }) {
  const { t, day } = useLanguage();
  const { reviewid, name, star_rating, message, review_added, verified } = review;
  return (
    <li tabIndex={-1} className="flex flex-col gap-3 contain-paint rounded-card border border-line bg-surface p-5 shadow-card">
      <div className="flex items-center gap-3">
        <Avatar seed={reviewid} />
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere font-semibold">
            <bdi>{name || t('A customer')}</bdi>
          </p>
          {/* A browser may abbreviate month names differently from the server. */}
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft" suppressHydrationWarning>
            <Stars rating={star_rating} />
            {day(review_added)}
            {verified && <Badge tone="good">{t('Verified order')}</Badge>}
          </p>
        </div>
      </div>
      <p dir="auto" className="contain-paint wrap-anywhere whitespace-pre-line">
        {message}
      </p>
      {children}
    </li>
  );
}
