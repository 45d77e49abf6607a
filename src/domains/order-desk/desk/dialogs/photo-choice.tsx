import { useLanguage } from '../../../../i18n/language.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { SpinnerRing } from '../../../../ui/actions/spinner-ring.tsx';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { ORDER_PHOTO_KINDS, type OrderPhotoKind } from '../order-photo.ts';
import { PHOTO_KIND_TEXTS } from '../desk-texts.ts';

const KIND_OF_STAGE: Readonly<Record<string, OrderPhotoKind>> = { pickup: 'weigh', delivery: 'hand-over', delivered: 'hand-over' };

/** Returns the likely subject of a photo of an order in this stage. */
export const kindOfStage = (stage: string): OrderPhotoKind => KIND_OF_STAGE[stage] ?? 'damage';

interface PhotoChoiceProps {
  kind: OrderPhotoKind;
  pending: boolean;
  onKind(kind: OrderPhotoKind): void;
  onFile(file: File): void;
}

/** The subject of a photo, and the button that opens the camera or the files. */
export function PhotoChoice({ kind, pending, onKind, onFile }: PhotoChoiceProps) {
  const { t } = useLanguage();
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-44">
        <SelectField
          label={t('What does it show?')}
          error={null}
          value={kind}
          options={ORDER_PHOTO_KINDS.map((value) => ({ value, label: t(PHOTO_KIND_TEXTS[value]) }))}
          onChange={({ target }) => onKind(target.value as OrderPhotoKind)}
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
            if (file) onFile(file);
          }}
        />
        {pending && <SpinnerRing />}
        {t('Add a photo')}
      </label>
    </div>
  );
}
