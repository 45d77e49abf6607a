import { useRef, useState } from 'react';
import { useMutation } from '../../../../browser/use-mutation.ts';
import { toErrorMessage } from '../../../../contract/errors.ts';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import type { ErrorMessage } from '../../../../i18n/messages.ts';
import { newId } from '../../../../lib/ids.ts';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { photoError } from '../../../photos/contract.ts';
import { preparePhoto } from '../../../photos/pages/prepare-photo.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import type { DeskOrder } from '../contract.ts';
import type { OrderPhotoKind } from '../order-photo.ts';
import { PHOTO_KIND_TEXTS } from '../desk-texts.ts';
import { kindOfStage, PhotoChoice } from '../dialogs/photo-choice.tsx';
import { orderPhotoPath } from '../photos-contract.ts';
import { uploadOrderPhoto } from '../upload-photo.ts';

/** The photos of the staff. `onAdded` loads the order again. */
export function OrderPhotos({ order, onAdded }: { order: DeskOrder; onAdded(): void }) {
  const language = useLanguage();
  const { t, formatMessage } = language;
  const { orderid, photos, washing_stage: stage } = order;
  const [kind, setKind] = useState<OrderPhotoKind>(kindOfStage(stage));
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
      const result = await uploadOrderPhoto(prepared.photo, { orderid, kind }, { idempotencyKey: key });
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
          {photos.map(({ photoid, kind: shown, at, device_at: deviceAt, clocks_differ: differ, by }) => (
            <li key={photoid} className="min-w-0 text-xs">
              <a href={orderPhotoPath(photoid)} target="_blank" rel="noreferrer" className="block">
                <img
                  src={orderPhotoPath(photoid)}
                  alt={t(PHOTO_KIND_TEXTS[shown])}
                  loading="lazy"
                  className="aspect-square w-full rounded-field border border-line bg-sunk object-cover"
                />
              </a>
              <p className="mt-1 font-medium">{t(PHOTO_KIND_TEXTS[shown])}</p>
              <p className="[overflow-wrap:anywhere] text-ink-soft">
                {formatDayTime(language, at)} · {by}
              </p>
              {deviceAt !== null && differ && (
                <p className="mt-1 text-warn">{t('On the phone: {time}', { time: formatDayTime(language, deviceAt) })}</p>
              )}
            </li>
          ))}
        </ul>
      )}
      {!order.customer.is_erased && (
        <div className="mt-3">
          <PhotoChoice kind={kind} pending={pending} onKind={setKind} onFile={(file) => void mutate(file)} />
        </div>
      )}
      <FormError text={error && formatMessage(error)} />
    </Card>
  );
}
