import { callTimeoutMs, readResponse } from '../../../browser/client.ts';
import { ConnectionLost } from '../../../contract/call-failures.ts';
import { callPath } from '../../../contract/send.ts';
import { addPhoto } from '../contract.ts';

interface UploadOptions {
  /** Undefined for a guest. */
  userid: string | undefined;
  /** Receives the uploaded part, from 0 to 1. */
  onProgress(part: number): void;
  signal: AbortSignal;
}

/**
 * Uploads a photo and returns the envelope of `addPhoto`. Rejects with the errors of the typed
 * client (contract/call-failures.ts). It uses XMLHttpRequest, because fetch does not report the
 * progress of an upload.
 */
export const uploadPhoto = (photo: Blob, { userid, onProgress, signal }: UploadOptions) =>
  new Promise<ReturnType<typeof readUpload>>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', callPath(addPhoto, { userid }));
    request.setRequestHeader('content-type', photo.type);
    request.timeout = callTimeoutMs(navigator.userAgent);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('load', () => {
      try {
        resolve(readUpload(request));
      } catch (error) {
        reject(error);
      }
    });
    const lose = () => reject(new ConnectionLost('Failed to upload'));
    request.addEventListener('error', lose);
    request.addEventListener('timeout', lose);
    request.addEventListener('abort', () => reject(signal.reason as Error));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) reject(signal.reason as Error);
    else request.send(photo);
  });

const readUpload = (request: XMLHttpRequest) =>
  readResponse(addPhoto, request.status, request.responseText, (name) => request.getResponseHeader(name));
