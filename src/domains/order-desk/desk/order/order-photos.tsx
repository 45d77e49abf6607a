import { useRef, useState } from 'react';
import { callTimeoutMs } from '../../../../browser/client.ts';
import { useMutation } from '../../../../browser/use-mutation.ts';
import { ConnectionLost } from '../../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../../contract/errors.ts';
import { callPath, readEnvelope } from '../../../../contract/send.ts';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type ErrorMessage, type MessageKey } from '../../../../i18n/messages.ts';
import { newId } from '../../../../lib/ids.ts';
import { parseJson } from '../../../../lib/parse-json.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { SpinnerRing } from '../../../../ui/actions/spinner-ring.tsx';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { photoError } from '../../../photos/contract.ts';
import { preparePhoto } from '../../../photos/pages/prepare-photo.ts';
import { staffHeaders } from '../../../staff/desk/session.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { ORDER_PHOTO_KINDS, type DeskOrder, type OrderPhotoKind } from '../contract.ts';
import { addOrderPhoto, orderPhotoPath } from '../photos-contract.ts';

export const KIND_TEXTS: Readonly<Record<OrderPhotoKind, MessageKey>> = {
  weigh: msg('On the scale'),
  damage: msg('Damage'),
  'hand-over': msg('Handed over'),
};

const KIND_OF_STAGE: Readonly<Record<string, OrderPhotoKind>> = { pickup: 'weigh', delivery: 'hand-over', delivered: 'hand-over' };

/** The photos of the staff. `onAdded` loads the order again. */
export function OrderPhotos({ order, onAdded }: { order: DeskOrder; onAdded(): void }) {
  const language = useLanguage();
  const { t, formatMessage } = language;
  const { orderid, photos, washing_stage: stage } = order;
  const [kind, setKind] = useState<OrderPhotoKind>(KIND_OF_STAGE[stage] ?? 'damage');
  const [error, setError] = useState<ErrorMessage>();
  /** A photo whose response was lost is sent again with its key. */
  const last = useRef<{ file: File; kind: OrderPhotoKind; key: string }>(undefined);
  const { pending, mutate } = useMutation<File>({
    async mutationFn(file) {
      setError(undefined);
      const prepared = await preparePhoto(file);
      if (!prepared) return setError(photoError('photo-type'));
      const isRepeated = last.current?.file === file && last.current.kind === kind;
      const key = isRepeated && last.current ? last.current.key : newId();
      last.current = { file, kind, key };
      const result = await upload(prepared.photo, { orderid, kind }, key);
      if (result.response === 'success') onAdded();
      else setError(toErrorMessage(result));
    },
    onError: (problem) => showProblem(problem, 'uploading a photo'),
  });
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Photos')}</h2>
      <p className="text-sm text-ink-soft">{t('The customer sees those of the scale. Only the staff sees the others.')}</p>
      {photos.length > 0 && (
        <ul className="mt-3 grid grid-cols-3 gap-3">
          {photos.map(({ photoid, kind: shown, at, by }) => (
            <li key={photoid} className="min-w-0 text-xs">
              <a href={orderPhotoPath(photoid)} target="_blank" rel="noreferrer" className="block">
                <img
                  src={orderPhotoPath(photoid)}
                  alt={t(KIND_TEXTS[shown])}
                  loading="lazy"
                  className="aspect-square w-full rounded-field border border-line bg-sunk object-cover"
                />
              </a>
              <p className="mt-1 font-medium">{t(KIND_TEXTS[shown])}</p>
              <p className="[overflow-wrap:anywhere] text-ink-soft">
                {formatDayTime(language, at)} · {by}
              </p>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <div className="w-44">
          <SelectField
            label={t('What does it show?')}
            error={null}
            value={kind}
            options={ORDER_PHOTO_KINDS.map((value) => ({ value, label: t(KIND_TEXTS[value]) }))}
            onChange={({ target }) => setKind(target.value as OrderPhotoKind)}
          />
        </div>
        <label
          className={`${buttonStyles('secondary')} relative cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink`}
        >
          <input
            type="file"
            accept="image/*"
            capture="environment"
            disabled={pending}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            onChange={({ target }) => {
              const [file] = Array.from(target.files ?? []);
              // The same file can be chosen again.
              target.value = '';
              if (file) void mutate(file);
            }}
          />
          {pending && <SpinnerRing />}
          {t('Add a photo')}
        </label>
      </div>
      <FormError text={error && formatMessage(error)} />
    </Card>
  );
}

async function upload(photo: Blob, body: { orderid: string; kind: OrderPhotoKind }, key: string) {
  let response: Response;
  let text: string;
  try {
    response = await fetch(callPath(addOrderPhoto, body), {
      method: 'POST',
      headers: { 'content-type': photo.type, 'idempotency-key': key, ...staffHeaders() },
      body: photo,
      signal: AbortSignal.timeout(callTimeoutMs(navigator.userAgent)),
    });
    text = await response.text();
  } catch (cause) {
    throw new ConnectionLost('Failed to upload', { cause });
  }
  return readEnvelope(addOrderPhoto, response.status, parseJson(text));
}
