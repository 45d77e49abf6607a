import { useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { msg, type ErrorMessage } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { fieldError, toErrorMessage } from '../../../contract/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { SubmitButton } from '../../../ui/actions/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { TextAreaField } from '../../../ui/fields/text-area-field.tsx';
import { readSeenOrders } from '../../orders/pages/offline/seen-orders.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { addClaim, CLAIM_KINDS, claimFields, MAX_MESSAGE_LENGTH, type ClaimKind } from '../contract.ts';
import { changeClaimDraft, clearClaimDraft, isPhotoErrorResolved, useClaimDraft, type ClaimDraft } from './claim-draft.ts';
import { kindsByLikelihood } from '../rules.ts';
import { claimKindHints, claimKindNames } from './claim-texts.ts';
import { PhotoPicker } from './photo-picker.tsx';
import { usePhotoUploads } from './use-photo-uploads.ts';

interface ClaimFormProps {
  orderid: string;
  /** Undefined for a guest. */
  userid: string | undefined;
  /** Called when there is a new claim, also if another attempt has created it. */
  onReported(): void;
}

type FieldErrors = Partial<Record<'kind' | 'message', ErrorMessage | undefined>>;

export function ClaimForm({ orderid, userid, onReported }: ClaimFormProps) {
  const { t, formatMessage } = useLanguage();
  // Not useSearchParams: home would load its code.
  const search = new URLSearchParams(useLocation().search);
  const stored = useClaimDraft(orderid);
  // A link about one problem names its kind.
  const draft: ClaimDraft = { ...stored, kind: stored.kind || (CLAIM_KINDS.find((kind) => kind === search.get('kind')) ?? '') };
  const photoUploads = usePhotoUploads(orderid, userid);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [formError, setFormError] = useState<ErrorMessage | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const shownError = isPhotoErrorResolved(formError, draft) ? null : formError;
  // The page of the order, which links here, has stored the order.
  const [kinds] = useState(() => kindsByLikelihood(readSeenOrders().find(({ order }) => order.orderid === orderid)?.order));

  const { pending, mutate } = useMutation({
    async mutationFn(claim: { kind: ClaimKind; message: string }) {
      const key = draft.key || newId();
      changeClaimDraft(orderid, { key });
      const body = { userid, orderid, ...claim, photos: draft.photos.map(({ id }) => id) };
      const response = await fetchSend(addClaim, body, { idempotencyKey: key });
      if (response.response === 'success') {
        clearClaimDraft(orderid);
        showToast({ text: msg('We have your report'), theme: 'green', durationMs: TOAST_MS.long });
        onReported();
        return;
      }
      setFormError(toErrorMessage(response));
      if (response.code === 'unknown-photo') changeClaimDraft(orderid, { photos: [] });
      // The first attempt arrived. The changed claim can be sent as a second one.
      if (response.code === 'claim-key-reused') {
        changeClaimDraft(orderid, { key: '' });
        onReported();
      }
    },
    onError: (error) => alertProblem(error, { doing: 'sending a claim' }),
  });

  const send = async () => {
    const kind = claimFields.kind.safeParse(draft.kind);
    const message = claimFields.message.safeParse(draft.message);
    setFormError(null);
    setErrors({
      kind: fieldError(addClaim.errors, kind.error?.issues[0]),
      message: fieldError(addClaim.errors, message.error?.issues[0]),
    });
    if (!kind.success) return form.current?.querySelector('input')?.focus();
    if (!message.success) return form.current?.querySelector('textarea')?.focus();
    await mutate({ kind: kind.data, message: message.data });
  };

  return (
    <form
      ref={form}
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <SegmentedChoice
        variant="chips"
        legend={t('What went wrong?')}
        options={kinds.map((value) => ({ value, label: t(claimKindNames[value]) }))}
        value={draft.kind}
        onChange={(kind) => {
          changeClaimDraft(orderid, { kind });
          setErrors((before) => ({ ...before, kind: undefined }));
        }}
        error={errors.kind && formatMessage(errors.kind)}
      />
      <TextAreaField
        label={t('What happened?')}
        name="message"
        value={draft.message}
        onChange={(event) => {
          changeClaimDraft(orderid, { message: event.target.value });
          // An error stays until the text satisfies the rule.
          if (claimFields.message.safeParse(event.target.value).success) setErrors((before) => ({ ...before, message: undefined }));
        }}
        maxLength={MAX_MESSAGE_LENGTH}
        error={errors.message && formatMessage(errors.message)}
        hint={t(claimKindHints[CLAIM_KINDS.find((kind) => kind === draft.kind) ?? 'other'])}
      />
      <PhotoPicker photos={draft.photos} photoUploads={photoUploads} />
      <FormError text={shownError && formatMessage(shownError)} />
      <SubmitButton variant="primary" wide pending={pending || photoUploads.uploads.length > 0}>
        {t('Send the report')}
      </SubmitButton>
    </form>
  );
}
