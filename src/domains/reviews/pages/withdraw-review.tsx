import { useState } from 'react';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { requireData } from '../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { getOwnReviews, reviewMessages, withdrawReview } from '../contract.ts';

interface WithdrawReviewProps {
  userid: string;
  /** The review, or the order that it is about. */
  of: { reviewid: string } | { orderid: string };
  onWithdrawn(): void;
}

/** A button that withdraws a review of the customer, after a question. */
export function WithdrawReview({ userid, of, onWithdrawn }: WithdrawReviewProps) {
  const { t, formatMessage } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<ErrorMessage | null>(null);
  const { pending, mutate } = useMutation<void>({
    async mutationFn() {
      setError(null);
      const reviewid = 'reviewid' in of ? of.reviewid : requireData(await fetchSend(getOwnReviews, { userid, ...of }))[0]?.reviewid;
      // Without one, another page of the customer has withdrawn it.
      if (reviewid !== undefined) {
        const response = await fetchSend(withdrawReview, { userid, reviewid });
        if (response.response !== 'success') return setError(toErrorMessage(response));
      }
      setOpen(false);
      showToast({ text: reviewMessages.withdrawn, theme: 'green' });
      onWithdrawn();
    },
    onError: (problem) => alertProblem(problem, { doing: 'withdrawing a review' }),
  });
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        {t('Withdraw this review')}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('Withdraw your review?')}
        message={t('It leaves the site and the average for good. You can write a new one.')}
        confirmLabel={t('Withdraw')}
        cancelLabel={t('Keep the review')}
        pending={pending}
        error={error && formatMessage(error)}
        onConfirm={() => void mutate()}
        onCancel={() => setOpen(false)}
      />
    </>
  );
}
