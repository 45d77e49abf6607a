import { useState } from 'react';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { preparePhoto } from '../../photos/pages/prepare-photo.ts';
import { photoError } from '../../photos/contract.ts';
import { claimError, MAX_PHOTOS } from '../contract.ts';
import { changeClaimDraft, claimDraftOf } from './claim-draft.ts';
import { uploadPhoto } from './upload-photo.ts';

export interface PhotoUpload {
  id: string;
  /** From 0 to 1. */
  progress: number;
  cancel(): void;
}

/** Uploads photos one after another and adds them to a draft, which gets at most `MAX_PHOTOS`. */
export function usePhotoUploads(draftKey: string, userid: string | undefined) {
  const [uploads, setUploads] = useState<readonly PhotoUpload[]>([]);
  const [error, setError] = useState<ErrorMessage | null>(null);

  const uploadOne = async (file: File, id: string, signal: AbortSignal) => {
    const prepared = await preparePhoto(file);
    if (signal.aborted) return;
    if (!prepared) return setError(photoError('photo-type'));
    const onProgress = (progress: number) =>
      setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, progress } : upload)));
    const response = await uploadPhoto(prepared.photo, { userid, onProgress, signal });
    if (response.response !== 'success') return setError(toErrorMessage(response));
    const { photos } = claimDraftOf(draftKey);
    changeClaimDraft(draftKey, { photos: [...photos, { id: response.data.photoid, thumbnail: prepared.thumbnail }] });
  };

  /** Never throws. Ignores files beyond the maximum and shows an error. */
  const add = async (files: readonly File[]) => {
    const free = MAX_PHOTOS - claimDraftOf(draftKey).photos.length - uploads.length;
    setError(files.length > free ? claimError('too-many-photos') : null);
    const started = files.slice(0, free).map((file) => ({ file, id: newId(), controller: new AbortController() }));
    setUploads((before) => [
      ...before,
      ...started.map(({ id, controller }) => ({
        id,
        progress: 0,
        cancel: () => controller.abort(new DOMException('Cancelled', 'AbortError')),
      })),
    ]);
    for (const { file, id, controller } of started) {
      try {
        if (!controller.signal.aborted) await uploadOne(file, id, controller.signal);
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
