/**
 * The port to the storage of photos. Its adapters are in providers/: a folder, and any service with
 * the interface of Amazon S3.
 */
import type { Readable } from 'node:stream';

/** The time for one request to the storage, without the download of a photo. */
export const STORAGE_TIMEOUT_MS = 8000;

/** The storage did not respond as expected. Whether it stored or deleted the photo is unknown. */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** Every function throws `StorageError`. An id consists of letters and digits. */
export interface PhotoStorage {
  /** Stores a photo. A second call with the same id replaces it. */
  put(id: string, type: string, bytes: Buffer): Promise<void>;
  /** Returns undefined if there is no such photo. The stream fails if the download does. */
  get(id: string): Promise<Readable | undefined>;
  /** Does nothing if there is no such photo. */
  delete(id: string): Promise<void>;
  /** Tries to store. A bucket is not tried: each request costs money. */
  check(): Promise<void>;
}
