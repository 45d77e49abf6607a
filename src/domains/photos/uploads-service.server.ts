/** Limits the memory that uploaded photos take. */
import type { Readable } from 'node:stream';
import { ApiError } from '../../contract/api-error.ts';
import { concurrencyLimit, concurrencyLimitByKey, QueueFull } from '../../security/concurrency-limit.server.ts';
import { MAX_PHOTO_BYTES, photoError } from './contract.ts';

/** How many photos are cleaned and stored at a time. This holds a second copy of each in memory. */
const STORING = { concurrent: 4, queued: 60 } as const;
/** The total of all files that are being read or stored. A slow sender holds what it has sent. */
export const MAX_BUFFERED_BYTES = 4 * MAX_PHOTO_BYTES;
/** The uploads of one caller must not use all memory. */
const UPLOADS_PER_CALLER = { concurrent: 1, queued: 3 } as const;

/** The body of an upload, which is not read yet. */
export interface UploadedFile {
  /** Of the header. 0 without one. */
  statedBytes: number;
  content: Readable;
}

interface Upload {
  /** Reads the file. Throws `ApiError` (too-large) and `QueueFull`. */
  read(): Promise<Buffer>;
  /** Runs the work that holds a second copy of the file in memory. */
  runLimited<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface PhotoUploads {
  /** Receives a photo. Throws `QueueFull` beyond the limits. */
  receive<Result>(file: UploadedFile, callerId: string, work: (upload: Upload) => Promise<Result>): Promise<Result>;
}

/**
 * Without memory for another part, the file that began first ends with 429: senders that stop in
 * the middle must not keep the others out.
 */
export function createPhotoUploads(): PhotoUploads {
  const runLimited = concurrencyLimit(STORING);
  const runLimitedByCaller = concurrencyLimitByKey(UPLOADS_PER_CALLER);
  let bufferedBytes = 0;
  /** The files that are being read, the oldest request first. */
  const partialFiles = new Set<PartialFile>();

  const release = (file: PartialFile) => {
    partialFiles.delete(file);
    bufferedBytes -= file.bytes;
    file.bytes = 0;
  };
  const reserveBytes = (file: PartialFile, bytes: number) => {
    file.bytes += bytes;
    bufferedBytes += bytes;
    for (const first of partialFiles) {
      if (bufferedBytes <= MAX_BUFFERED_BYTES) return;
      release(first);
      first.abort();
    }
    // The files that are being stored take it all.
    if (bufferedBytes > MAX_BUFFERED_BYTES) throw new QueueFull();
  };

  return {
    async receive(uploaded, callerId, work) {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      // Without this, it is an unhandled rejection while no part is awaited.
      aborted.catch(() => {});
      // 429: a 503 would count as a fault of the process.
      const file: PartialFile = { bytes: 0, abort: () => reject(new QueueFull({ isOfOneKey: true })) };
      const read = async () => {
        partialFiles.add(file);
        const content = await readFile(uploaded, (bytes) => reserveBytes(file, bytes), aborted);
        partialFiles.delete(file);
        return content;
      };
      try {
        return await runLimitedByCaller(callerId, () => work({ read, runLimited }));
      } finally {
        release(file);
      }
    },
  };
}

interface PartialFile {
  /** The number of bytes that have been read. */
  bytes: number;
  abort(): void;
}

/**
 * Reads the body of an upload and passes the size of each part to `reserveBytes`. Throws
 * `ApiError` (too-large) without reading the rest, and the reason of `aborted`.
 */
async function readFile(
  { statedBytes, content }: UploadedFile,
  reserveBytes: (bytes: number) => void,
  aborted: Promise<never>,
): Promise<Buffer> {
  const tooLarge = (): ApiError => new ApiError('too-large', photoError('photo-too-large'));
  if (statedBytes > MAX_PHOTO_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An iterator that destroyed the stream would close the connection before the response.
  const parts: AsyncIterator<Buffer> = content.iterator({ destroyOnReturn: false });
  for (;;) {
    const part = await Promise.race([aborted, parts.next()]);
    if (part.done === true) return Buffer.concat(chunks);
    bytes += part.value.length;
    if (bytes > MAX_PHOTO_BYTES) throw tooLarge();
    reserveBytes(part.value.length);
    chunks.push(part.value);
  }
}
