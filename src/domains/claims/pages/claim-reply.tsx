import { useEffect, useRef, useState } from 'react';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { fieldError, toErrorMessage } from '../../../contract/errors.ts';
import { msg, type ErrorMessage } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button, SubmitButton } from '../../../ui/actions/button.tsx';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { addReply, claimFields, MAX_MESSAGE_LENGTH, type Claim } from '../contract.ts';
import { changeClaimDraft, clearClaimDraft, isPhotoErrorResolved, useClaimDraft } from './claim-draft.ts';
import { PhotoPicker } from './photo-picker.tsx';
import { usePhotoUploads } from './use-photo-uploads.ts';

interface ClaimReplyProps {
  claim: Claim;
  /** Undefined for a guest. */
  userid: string | undefined;
  onReplied(): void;
}

/** A button that opens the form for another message of the customer. */
export function ClaimReply({ claim: { claimid, messages }, userid, onReplied }: ClaimReplyProps) {
  const { t, formatMessage } = useLanguage();
  const isAnswered = messages.some(({ author }) => author === 'staff');
  const { message, photos } = useClaimDraft(claimid);
  const photoUploads = usePhotoUploads(claimid, userid);
  const [isOpened, setOpened] = useState(false);
  const [error, setError] = useState<ErrorMessage>();
  const area = useRef<HTMLTextAreaElement>(null);
  const { pending, mutate } = useMutation({
    async mutationFn(text: string) {
      const response = await fetchSend(addReply, { userid, claimid, message: text, photos: photos.map(({ id }) => id) });
      if (response.response !== 'success') {
        if (response.code === 'unknown-photo') changeClaimDraft(claimid, { photos: [] });
        return setError(toErrorMessage(response));
      }
      clearClaimDraft(claimid);
      setOpened(false);
      showToast({ text: msg('We have your message'), theme: 'green', durationMs: TOAST_MS.long });
      onReplied();
    },
    onError: (problem) => alertProblem(problem, { doing: 'replying to a claim' }),
  });
  useEffect(() => {
    if (isOpened) area.current?.focus();
  }, [isOpened]);
  // A message that was begun before a reload.
  if (!isOpened && message === '' && photos.length === 0) {
    return (
      <Button variant="secondary" size="small" onClick={() => setOpened(true)}>
        {isAnswered ? t('Reply') : t('Add a message')}
      </Button>
    );
  }
  const shownError = isPhotoErrorResolved(error, { photos }) ? undefined : error;
  const check = (text: string) => {
    const parsed = claimFields.message.safeParse(text);
    return { parsed, fault: fieldError(addReply.errors, parsed.error?.issues[0]) };
  };
  const send = () => {
    const { parsed, fault } = check(message);
    setError(fault);
    if (parsed.success) return void mutate(parsed.data);
    area.current?.focus();
  };
  return (
    <form
      noValidate
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) send();
      }}
    >
      <TextAreaField
        ref={area}
        label={isAnswered ? t('Your reply') : t('Your message')}
        name="reply"
        rows={2}
        value={message}
        onChange={(event) => {
          changeClaimDraft(claimid, { message: event.target.value });
          // An error of a rule stays until the text satisfies it.
          if (error?.code !== check(event.target.value).fault?.code) setError(undefined);
        }}
        maxLength={MAX_MESSAGE_LENGTH}
        error={shownError && formatMessage(shownError)}
      />
      <PhotoPicker photos={photos} photoUploads={photoUploads} />
      <div className="flex flex-wrap gap-3">
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            clearClaimDraft(claimid);
            setError(undefined);
            setOpened(false);
          }}
        >
          {t('Cancel')}
        </Button>
        <SubmitButton variant="primary" size="small" pending={pending || photoUploads.uploads.length > 0}>
          {t('Send')}
        </SubmitButton>
      </div>
    </form>
  );
}
