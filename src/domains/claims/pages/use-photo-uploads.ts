import { useRef, useState } from 'react';
import { msg, type Message } from '../../../i18n/messages.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { preparePhoto } from '../../photos/pages/prepare-photo.ts';
import { photoError } from '../../photos/contract.ts';
import { claimError, MAX_PHOTOS } from '../contract.ts';
import { changeClaimDraft, claimDraftOf, type DraftPhoto } from './claim-draft.ts';
import { uploadPhoto } from './upload-photo.ts';

export interface PhotoUpload {
  id: string;
  /** From 0 to 1. */
  progress: number;
  cancel(): void;
}

/** A photo without its id, which its upload returns. */
type Picture = Omit<DraftPhoto, 'id'>;

/**
 * Uploads photos one after another and adds them to a draft, which gets at most `MAX_PHOTOS`, each
 * of them once.
 */
export function usePhotoUploads(draftKey: string, userid: string | undefined) {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>([]);
  const [error, setError] = useState<Message | null>(null);
  const uploading = useRef(new Set<Picture>());

  /** Compares the reduced pictures: a phone can write other metadata each time. */
  const isAdded = ({ size, thumbnail }: Picture) =>
    [...claimDraftOf(draftKey).photos, ...uploading.current].some((other) => other.size === size && other.thumbnail === thumbnail);

  /** Returns 'added-before' without an upload if the draft has the photo already. */
  const uploadOne = async (file: File, id: string, signal: AbortSignal) => {
    const prepared = await preparePhoto(file);
    if (signal.aborted) return;
    if (!prepared) return setError(photoError('photo-type'));
    const picture: Picture = { thumbnail: prepared.thumbnail, size: prepared.photo.size };
    if (isAdded(picture)) return 'added-before';
    uploading.current.add(picture);
    try {
      const onProgress = (progress: number) =>
        setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, progress } : upload)));
      const response = await uploadPhoto(prepared.photo, { userid, onProgress, signal });
      if (response.response !== 'success') return setError(toErrorMessage(response));
      changeClaimDraft(draftKey, { photos: [...claimDraftOf(draftKey).photos, { id: response.data.photoid, ...picture }] });
    } finally {
      uploading.current.delete(picture);
    }
  };

  /** Never throws. Ignores files beyond the maximum and shows an error. */
  const add = async (files: readonly File[]) => {
    const free = MAX_PHOTOS - claimDraftOf(draftKey).photos.length - uploads.length;
    setError(files.length > free ? claimError('too-many-photos') : null);
    const waiting = files.map((file) => ({ file, id: newId(), controller: new AbortController() }));
    const started = waiting.splice(0, free);
    const show = (shown: typeof started) =>
      setUploads((before) => [
        ...before,
        ...shown.map(({ id, controller }) => ({
          id,
          progress: 0,
          cancel: () => controller.abort(new DOMException('Cancelled', 'AbortError')),
        })),
      ]);
    show(started);
    for (const { file, id, controller } of started) {
      try {
        if (!controller.signal.aborted && (await uploadOne(file, id, controller.signal)) === 'added-before') {
          // The next file has its place.
          const next = waiting.splice(0, 1);
          started.push(...next);
          show(next);
          if (waiting.length === 0) setError(msg('You have added this photo already. It is kept once.'));
        }
      } catch (problem) {
        alertProblem(problem, { doing: 'uploading a photo' });
      }
      setUploads((before) => before.filter((upload) => upload.id !== id));
    }
  };

  const remove = (photoid: string) => {
    setError(null);
    changeClaimDraft(draftKey, { photos: claimDraftOf(draftKey).photos.filter(({ id }) => id !== photoid) });
  };

  return { uploads, error, add, remove };
}
