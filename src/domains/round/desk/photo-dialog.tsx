import { useState } from 'react';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type Message } from '../../../i18n/messages.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import type { ListedOrder } from '../../order-desk/desk/contract.ts';
import type { OrderPhotoKind } from '../../order-desk/desk/order-photo.ts';
import { DialogOrder } from '../../order-desk/desk/dialogs/dialog-order.tsx';
import { kindOfStage, PhotoChoice } from '../../order-desk/desk/dialogs/photo-choice.tsx';
import { photoError } from '../../photos/contract.ts';
import { preparePhoto } from '../../photos/pages/prepare-photo.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { addEntry, countPhotos } from './entries.ts';
import { entryError, canKeepPhoto, MAX_KEPT_PHOTOS } from './entry.ts';

interface PhotoDialogProps {
  open: boolean;
  order: ListedOrder;
  onClose(): void;
}

/** Takes a photo at the door. It is reduced, and kept on this phone until it is sent. */
export function PhotoDialog({ open, order, onClose }: PhotoDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={t('Add a photo')}>
      <PhotoForm order={order} onClose={onClose} />
    </Dialog>
  );
}

function PhotoForm({ order, onClose }: Omit<PhotoDialogProps, 'open'>) {
  const { t, formatMessage } = useLanguage();
  const [kind, setKind] = useState<OrderPhotoKind>(kindOfStage(order.stage));
  const [error, setError] = useState<Message>();
  const { pending, mutate } = useMutation<File>({
    async mutationFn(file) {
      setError(undefined);
      const prepared = await preparePhoto(file);
      if (!prepared) return setError(photoError('photo-type'));
      const { photo } = prepared;
      if (!canKeepPhoto(photo, await countPhotos())) return setError(entryError('too-many-photos-kept', { max: MAX_KEPT_PHOTOS }));
      const outcome = await addEntry({ call: 'photo', body: { kind, photo } }, order);
      if (outcome.kind === 'refused') return showRefusal(outcome.refusal, setError);
      showToast({
        theme: 'green',
        text: outcome.kind === 'done' ? msg('The photo is stored') : msg('Kept on this phone until it can be sent'),
      });
      return onClose();
    },
    onError: (problem) => showProblem(problem, 'keeping a photo', setError),
  });
  return (
    <div className="space-y-4">
      <DialogOrder order={order} />
      <p className="text-sm text-ink-soft">{t('The customer sees those of the scale. Only the staff sees the others.')}</p>
      <PhotoChoice kind={kind} pending={pending} onKind={setKind} onFile={(file) => void mutate(file)} />
      <FormError text={error && formatMessage(error)} />
    </div>
  );
}
