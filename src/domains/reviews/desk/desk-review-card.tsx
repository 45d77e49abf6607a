import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { standaloneLinkStyles, textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stars } from '../../../ui/layout/stars.tsx';
import type { DeskReview } from './contract.ts';

interface DeskReviewCardProps {
  review: DeskReview;
  pending: boolean;
  onHide(): void;
  onShow(): void;
  onReply(): void;
  onRemoveReply(): void;
}

/** A review with its author and order, what the laundry replied, and whether customers see it. */
export function DeskReviewCard({ review, pending, onHide, onShow, onReply, onRemoveReply }: DeskReviewCardProps) {
  const { t, day } = useLanguage();
  const { customer, orderid, hidden, reply, message, withdrawn_date: withdrawnDate } = review;
  const name = customer.name || t('A customer');
  const replyButton = useFocusAfterReplyRemoved(reply !== null);
  const ofReview = <span className="sr-only"> {name}</span>;
  return (
    <Card as="li">
      <div className="-mt-2 flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="font-semibold wrap-anywhere">
          <Link to={staffLinks.customers({ mobile: customer.mobile })} className={standaloneLinkStyles}>
            <bdi>{name}</bdi>
          </Link>
        </h2>
        {withdrawnDate === null ? hidden && <Badge tone="warn">{t('Hidden')}</Badge> : <Badge tone="plain">{t('Withdrawn')}</Badge>}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
        <Stars rating={review.star_rating} />
        {day(review.review_added)}
        {orderid !== null && (
          <Link to={staffLinks.order(orderid)} className={textLinkStyles}>
            {t('Order {orderid}', { orderid })}
          </Link>
        )}
      </p>
      <p dir="auto" className="mt-3 contain-paint wrap-anywhere whitespace-pre-line">
        {message}
      </p>
      {hidden && (
        <p className="mt-3 text-sm font-medium text-warn wrap-anywhere">
          {t('Hidden on {day}: {reason}', { day: day(hidden.at), reason: hidden.reason })}
        </p>
      )}
      {reply && (
        <div className="mt-3 rounded-field bg-accent-soft p-3">
          <p className="text-sm font-semibold">{t('Your reply of {day}', { day: day(reply.at) })}</p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {reply.message}
          </p>
        </div>
      )}
      {withdrawnDate === null ? (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button ref={replyButton} variant="secondary" size="small" onClick={onReply}>
            {reply ? t('Change the reply') : t('Reply')}
            {ofReview}
          </Button>
          {reply && (
            <Button variant="quiet" size="small" onClick={onRemoveReply}>
              {t('Remove the reply')}
              {ofReview}
            </Button>
          )}
          {hidden ? (
            <Button variant="secondary" size="small" pending={pending} onClick={onShow}>
              {t('Show again')}
              {ofReview}
            </Button>
          ) : (
            <Button variant="quiet" size="small" onClick={onHide}>
              {t('Hide')}
              {ofReview}
            </Button>
          )}
        </div>
      ) : (
        <p className="mt-3 text-sm text-ink-soft">
          {t('The customer withdrew this review on {day}. Nobody else sees it.', { day: day(withdrawnDate) })}
        </p>
      )}
    </Card>
  );
}

/**
 * Returns the ref of the button that replies. It gets the focus once the reply is removed, because
 * the button that removes it disappears.
 */
function useFocusAfterReplyRemoved(hasReply: boolean) {
  const replyButton = useRef<HTMLButtonElement>(null);
  const hadReply = useRef(hasReply);
  useEffect(() => {
    if (hadReply.current && !hasReply) replyButton.current?.focus();
    hadReply.current = hasReply;
  }, [hasReply]);
  return replyButton;
}
