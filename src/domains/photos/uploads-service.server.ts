/** Limits the memory that uploaded photos take. */
import { finished, type Readable } from 'node:stream';
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
  /** The Content-Length of the request, 0 without one. */
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
 * Creates the limits that all uploads of one kind share. Without memory for another part, the file
 * that began first ends with 429: senders that stop in the middle must not keep the others out.
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
    // The files that are being stored use all of the memory.
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
function readFile({ statedBytes, content }: UploadedFile, reserveBytes: (bytes: number) => void, aborted: Promise<never>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const file = createGrowingBuffer();
  // A destroyed stream would close the connection before the response.
  const stop = (error: unknown) => {
    content.off('data', add).pause();
    reject(error);
  };
  const add = (part: Buffer) => {
    try {
      if (file.length() + part.length > MAX_PHOTO_BYTES) throw new ApiError('too-large', photoError('photo-too-large'));
      reserveBytes(part.length);
      file.add(part);
    } catch (error) {
      stop(error);
    }
  };
  if (statedBytes > MAX_PHOTO_BYTES) stop(new ApiError('too-large', photoError('photo-too-large')));
  else {
    aborted.catch(stop);
    finished(content, { writable: false }, (error) => (error ? reject(error) : resolve(file.content())));
    content.on('data', add);
  }
  return promise;
}

/** Copies parts into one buffer: a list of small parts takes many times their size. */
function createGrowingBuffer() {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  let length = 0;
  return {
    length: () => length,
    add(part: Buffer) {
      if (length + part.length > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, length + part.length));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      length += part.copy(buffer, length);
    },
    content: () => buffer.subarray(0, length),
  };
}
