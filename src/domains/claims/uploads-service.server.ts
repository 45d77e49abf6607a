/** Limits the memory that uploaded photos take. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/route.server.ts';
import { concurrencyLimit, concurrencyLimitByKey, QueueFull } from '../../security/concurrency-limit.server.ts';
import { claimError, MAX_PHOTO_BYTES } from './contract.ts';

/** The photos that are cleaned and stored at a time, which holds each in memory once more. */
const STORING = { concurrent: 4, queued: 60 } as const;
/** The total of all files that are being read or stored. A slow sender holds what it has sent. */
export const MAX_HELD_BYTES = 4 * MAX_PHOTO_BYTES;
/** The uploads of one caller must not use all memory. */
const UPLOADS_PER_CALLER = { concurrent: 1, queued: 3 } as const;

interface Upload {
  /** Reads the file. Throws `ApiError` (413) and `QueueFull`. */
  read(): Promise<Buffer>;
  /** Runs the work that holds the file in memory once more. */
  runLimited<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface PhotoUploads {
  /** Receives a photo. Throws `QueueFull` beyond the limits. */
  receive<Result>(request: FastifyRequest, callerId: string, work: (upload: Upload) => Promise<Result>): Promise<Result>;
}

/**
 * Without memory for another part, the file that began first ends with 429: senders that stop in
 * the middle must not keep the others out.
 */
export function createPhotoUploads(): PhotoUploads {
  const runLimited = concurrencyLimit(STORING);
  const runLimitedByCaller = concurrencyLimitByKey(UPLOADS_PER_CALLER);
  let heldBytes = 0;
  /** The files that are being read, in the order of their beginning. */
  const readings = new Set<Reading>();

  const release = (file: Reading) => {
    readings.delete(file);
    heldBytes -= file.bytes;
    file.bytes = 0;
  };
  const hold = (file: Reading, bytes: number) => {
    file.bytes += bytes;
    heldBytes += bytes;
    for (const first of readings) {
      if (heldBytes <= MAX_HELD_BYTES) return;
      release(first);
      first.end();
    }
    // The files that are being stored take it all.
    if (heldBytes > MAX_HELD_BYTES) throw new QueueFull();
  };

  return {
    async receive(request, callerId, work) {
      const { promise: ended, reject } = Promise.withResolvers<never>();
      // Without this, it is an unhandled rejection while no part is awaited.
      ended.catch(() => {});
      const file: Reading = { bytes: 0, end: () => reject(new QueueFull({ isOfOneKey: true })) };
      const read = async () => {
        readings.add(file);
        const content = await readFile(request, (bytes) => hold(file, bytes), ended);
        readings.delete(file);
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

interface Reading {
  /** What has been read. */
  bytes: number;
  end(): void;
}

/**
 * Reads the body of an upload and passes the bytes of each part to `hold`. Throws `ApiError` (413)
 * without reading the rest, and the reason of `ended`.
 */
async function readFile({ headers, raw }: FastifyRequest, hold: (bytes: number) => void, ended: Promise<never>): Promise<Buffer> {
  const tooLarge = () => new ApiError(413, claimError('photo-too-large'));
  if (Number(headers['content-length'] ?? 0) > MAX_PHOTO_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An iterator that destroyed the stream would close the connection before the response.
  const parts: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false });
  for (;;) {
    const part = await Promise.race([ended, parts.next()]);
    if (part.done === true) return Buffer.concat(chunks);
    bytes += part.value.length;
    if (bytes > MAX_PHOTO_BYTES) throw tooLarge();
    hold(part.value.length);
    chunks.push(part.value);
  }
}
