import { useState, type FormEvent } from 'react';
import { fieldError } from '../../../contract/errors.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Message } from '../../../i18n/messages.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { MAX_MESSAGE_LENGTH } from '../contract.ts';
import { moderateReview, reply as replyRule, type DeskReview } from './contract.ts';

interface ReplyFormProps {
  review: DeskReview;
  pending: boolean;
  onSubmit(reply: string): void;
}

interface ReplyDialogProps extends Omit<ReplyFormProps, 'review'> {
  open: boolean;
  review: DeskReview | undefined;
  onClose(): void;
}

export function ReplyDialog({ open, onClose, review, ...form }: ReplyDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={review?.reply ? t('Change the reply') : t('Reply in public')}>
      {review && <ReplyForm review={review} {...form} />}
    </Dialog>
  );
}

function ReplyForm({ review, pending, onSubmit }: ReplyFormProps) {
  const { t, formatMessage } = useLanguage();
  const [text, setText] = useState(review.reply?.message ?? '');
  const [error, setError] = useState<Message>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const reply = replyRule.safeParse(text);
    setError(fieldError(moderateReview.errors, reply.error?.issues[0]));
    if (reply.success && !pending) onSubmit(reply.data);
  };
  return (
    <form method="post" onSubmit={submit} noValidate className="space-y-4">
      <blockquote dir="auto" className="line-clamp-4 border-s-4 border-line ps-3 text-sm wrap-anywhere whitespace-pre-line text-ink-soft">
        {review.message}
      </blockquote>
      <TextAreaField
        label={t('Your reply')}
        hint={t('Everybody can read it below the review.')}
        error={error && formatMessage(error)}
        value={text}
        maxLength={MAX_MESSAGE_LENGTH}
        onChange={({ target }) => setText(target.value)}
        data-autofocus
      />
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Publish')}
      </SubmitButton>
    </form>
  );
}
