import { useId } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { CloseIcon } from '../../../ui/icons/close.tsx';
import { PlusIcon } from '../../../ui/icons/edit.tsx';
import { MAX_PHOTOS } from '../contract.ts';
import type { DraftPhoto } from './claim-draft.ts';
import type { usePhotoUploads } from './use-photo-uploads.ts';

interface PhotoPickerProps {
  photos: readonly DraftPhoto[];
  photoUploads: ReturnType<typeof usePhotoUploads>;
}

const tile = 'relative grid aspect-square place-items-center overflow-hidden rounded-field border';

/** Up to three photos: their thumbnails, the progress of uploads, and a button that adds one. */
export function PhotoPicker({ photos, photoUploads: { uploads, error, add, remove } }: PhotoPickerProps) {
  const { t, formatMessage } = useLanguage();
  const id = useId();
  const isFull = photos.length + uploads.length >= MAX_PHOTOS;
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-error`} className="min-w-0 space-y-1.5">
      <legend className="text-sm font-medium">{t('Photos (optional)')}</legend>
      <ul className="grid max-w-sm grid-cols-3 gap-3">
        {photos.map(({ id: photoid, thumbnail }, index) => (
          <li key={photoid} className={`${tile} border-line bg-sunk`}>
            <img src={thumbnail} alt={t('Photo {number}', { number: index + 1 })} className="size-full object-cover" />
            <span className="absolute end-1 top-1 rounded-full bg-surface text-ink">
              <IconButton label={t('Remove photo {number}', { number: index + 1 })} icon={<CloseIcon />} onClick={() => remove(photoid)} />
            </span>
          </li>
        ))}
        {uploads.map(({ id: uploadId, progress, cancel }) => (
          <li key={uploadId} className={`${tile} border-line bg-sunk p-3`}>
            <progress className="bar" max={1} value={progress} aria-label={t('Uploading a photo')} />
            <span className="absolute end-1 top-1">
              <IconButton label={t('Cancel the upload')} icon={<CloseIcon />} onClick={cancel} />
            </span>
          </li>
        ))}
        {!isFull && (
          <li>
            <label
              className={`${tile} cursor-pointer place-content-center gap-1 border-dashed border-edge bg-surface p-2 text-center text-sm font-semibold text-accent-ink hover:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink`}
            >
              <input
                type="file"
                accept="image/*"
                multiple
                className="absolute inset-0 size-full cursor-pointer opacity-0"
                onChange={(event) => {
                  const files = Array.from(event.target.files ?? []);
                  // The same file can be chosen again.
                  event.target.value = '';
                  void add(files);
                }}
              />
              <PlusIcon />
              {t('Add a photo')}
            </label>
          </li>
        )}
      </ul>
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        {t('At most three. The location in a photo is removed before it leaves your phone.')}
      </p>
      <FormError id={`${id}-error`} text={error && formatMessage(error)} />
    </fieldset>
  );
}
