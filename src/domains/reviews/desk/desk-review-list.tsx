import { useState } from 'react';
import { useMutation } from '../../../browser/use-mutation.ts';
import { usePaginatedQuery, type PageRequest } from '../../../browser/use-paginated-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { TextDialog } from '../../staff/desk/text-dialog.tsx';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { hidingReason, moderateReview, reviewDeskError, type DeskReview, type Moderation, type ReviewPage } from './contract.ts';
import { DeskReviewCard } from './desk-review-card.tsx';
import { ReplyDialog } from './reply-dialog.tsx';

interface DeskReviewListProps {
  firstPage: ReviewPage;
  isFiltered: boolean;
  fetchPage(request: PageRequest<string>): Promise<ReviewPage>;
  onError(error: unknown): void;
  onClear(): void;
}

type Dialog = 'hide' | 'reply' | 'remove-reply';

/**
 * Changes reviews, and keeps the changed ones: a hidden review stays in a list of shown ones, so
 * that the change can be taken back.
 */
function useModeration(onDone: () => void) {
  const [changed, setChanged] = useState<Readonly<Record<string, DeskReview>>>({});
  const [sending, setSending] = useState<string>();
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<{ moderation: Moderation; done: MessageKey }, boolean>({
    async mutationFn({ moderation, done }) {
      setSending(moderation.reviewid);
      const result = await send(moderateReview, moderation);
      if (result.response !== 'success') {
        showRefusal(result);
        return false;
      }
      setChanged((before) => ({ ...before, [result.data.reviewid]: result.data }));
      showToast({ theme: 'green', text: done });
      onDone();
      return true;
    },
    onError: (error) => showProblem(error, 'changing a review'),
  });
  return {
    /** Returns a review of the list as it is after the last change of it. */
    latest: (review: DeskReview) => changed[review.reviewid] ?? review,
    pending,
    /** Returns true while a change of the review is sent. */
    isPending: ({ reviewid }: DeskReview) => pending && sending === reviewid,
    /** Resolves to true if the review was changed. */
    change: async (of: DeskReview | undefined, to: Omit<Moderation, 'reviewid'>, done: MessageKey) =>
      (of && (await mutate({ moderation: { reviewid: of.reviewid, ...to }, done }))) ?? false,
  };
}

export function DeskReviewList({ firstPage, isFiltered, fetchPage, onError, onClear }: DeskReviewListProps) {
  const { t, formatMessage } = useLanguage();
  const query = usePaginatedQuery<ReviewPage, DeskReview, string>({
    firstPage,
    queryFn: fetchPage,
    getNextPageParam: (pages) => pages.at(-1)?.next ?? undefined,
    getRows: ({ reviews }) => reviews,
    getRowId: ({ reviewid }) => reviewid,
    onError,
  });
  const { rows, listRef } = query;
  const [open, setOpen] = useState<{ dialog: Dialog; review: DeskReview }>();
  const close = () => setOpen(undefined);
  const { latest, pending, isPending, change } = useModeration(close);

  if (rows.length === 0) {
    return isFiltered ? (
      <EmptyState
        art={<LostSockArt />}
        title={t('No review fits these filters')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t('Clear the filters')}
          </Button>
        }
      />
    ) : (
      <EmptyState art={<FoldedStackArt />} title={t('No reviews yet')} action={null} />
    );
  }
  const review = open?.review;
  return (
    <>
      <ul ref={listRef} className="space-y-4">
        {rows.map((row) => {
          const current = latest(row);
          return (
            <DeskReviewCard
              key={row.reviewid}
              review={current}
              pending={isPending(row)}
              onHide={() => setOpen({ dialog: 'hide', review: current })}
              onShow={() => void change(current, { hidden: false }, msg('The review is on the site again'))}
              onReply={() => setOpen({ dialog: 'reply', review: current })}
              onRemoveReply={() => setOpen({ dialog: 'remove-reply', review: current })}
            />
          );
        })}
      </ul>
      <LoadMore query={query} label={t('Load more')} />
      <TextDialog
        open={open?.dialog === 'hide'}
        title={t('Hide this review?')}
        label={t('Reason')}
        required={formatMessage(reviewDeskError('hiding-reason-missing'))}
        isPossible={(text) => hidingReason.safeParse(text).success}
        submitLabel={t('Hide')}
        pending={pending}
        onSubmit={(reason) => change(review, { hidden: true, reason }, msg('The review is hidden'))}
        onClose={close}
      >
        <p className="text-ink-soft">{t('It leaves the site and the average. The customer is not told. The reason is in the audit.')}</p>
      </TextDialog>
      <ReplyDialog
        open={open?.dialog === 'reply'}
        review={review}
        pending={pending}
        onSubmit={(reply) => void change(review, { reply }, msg('The reply is on the site'))}
        onClose={close}
      />
      <ConfirmDialog
        open={open?.dialog === 'remove-reply'}
        title={t('Remove the reply?')}
        message={review?.reply?.message ?? ''}
        confirmLabel={t('Remove')}
        pending={pending}
        error={null}
        onConfirm={() => void change(review, { reply: null }, msg('The reply is removed'))}
        onCancel={close}
      />
    </>
  );
}
