import { useRef } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { StarChoice } from '../../../ui/fields/star-choice.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { links, type ReturnState } from '../../../shared/links.ts';
import { tabStorage } from '../../../browser/tab-storage.ts';
import { useSession } from '../../../browser/session-user.ts';
import { MAX_MESSAGE_LENGTH } from '../contract.ts';
import { usePostReview } from './use-post-review.ts';

interface WriteReviewProps {
  open: boolean;
  /** A delivered order of the customer, if the review is about one. */
  orderid?: string;
  onClose(): void;
  /** Called after the review was stored. */
  onPosted(stars: number): void;
}

export function WriteReview({ open, orderid, onClose, onPosted }: WriteReviewProps) {
  const { t } = useLanguage();
  const session = useSession();
  return (
    <Dialog open={open} onClose={onClose} title={t('Write a Review')}>
      {session === 'unknown' ? (
        <Spinner label={t('One moment')} />
      ) : session === 'signed-out' ? (
        <LoginFirst />
      ) : (
        <ReviewForm
          userid={session.userid}
          orderid={orderid}
          onPosted={(stars) => {
            onClose();
            onPosted(stars);
          }}
        />
      )}
    </Dialog>
  );
}

function LoginFirst() {
  const { t } = useLanguage();
  return (
    <div className="space-y-5 pt-2">
      <p>{t('You need to login first')}</p>
      <Link
        to={links.login()}
        state={{ returnTo: links.reviews() } satisfies ReturnState}
        className={buttonStyles('primary', 'regular', true)}
      >
        {t('Login')}
      </Link>
    </div>
  );
}

interface UnfinishedReview {
  star: number;
  message: string;
}
const EMPTY: UnfinishedReview = { star: 0, message: '' };

/** The input by customer and order, restored after a reload. */
const unfinished = tabStorage<Readonly<Record<string, UnfinishedReview>>>('unfinishedreviews', {});

function ReviewForm({ userid, orderid, onPosted }: { userid: string; orderid: string | undefined; onPosted(stars: number): void }) {
  const { t, formatMessage } = useLanguage();
  const key = `${userid} ${orderid ?? ''}`;
  const { star, message } = unfinished.use()[key] ?? EMPTY;
  const change = (changed: Partial<UnfinishedReview>) => unfinished.set({ ...unfinished.get(), [key]: { star, message, ...changed } });
  const form = useRef<HTMLFormElement>(null);
  const { pending, errors, formError, post } = usePostReview(userid, orderid, { star, message });

  const send = async () => {
    const outcome = await post();
    if (outcome === 'posted') {
      change(EMPTY);
      onPosted(star);
    }
    if (outcome === 'star') form.current?.querySelector('input')?.focus();
    if (outcome === 'message') form.current?.querySelector('textarea')?.focus();
  };

  return (
    <form
      ref={form}
      noValidate
      className="space-y-5 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <StarChoice
        legend={t('How was it?')}
        value={star}
        onChange={(chosen) => change({ star: chosen })}
        error={errors.star && formatMessage(errors.star)}
      />
      <TextAreaField
        label={t('Message')}
        name="message"
        value={message}
        onChange={(event) => change({ message: event.target.value })}
        maxLength={MAX_MESSAGE_LENGTH}
        error={errors.message && formatMessage(errors.message)}
        hint={t('Shown to everyone with your name. At most three reviews a day.')}
      />
      <FormError text={formError && formatMessage(formError)} />
      <SubmitButton variant="primary" wide pending={pending}>
        {t('Submit')}
      </SubmitButton>
    </form>
  );
}
