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

export function createPhotoUploads(): PhotoUploads {
  const runLimited = concurrencyLimit(STORING);
  const runLimitedByCaller = concurrencyLimitByKey(UPLOADS_PER_CALLER);
  let heldBytes = 0;
  return {
    async receive(request, callerId, work) {
      let held = 0;
      const hold = (bytes: number) => {
        held += bytes;
        heldBytes += bytes;
        if (heldBytes > MAX_HELD_BYTES) throw new QueueFull();
      };
      try {
        return await runLimitedByCaller(callerId, () => work({ read: () => readFile(request, hold), runLimited }));
      } finally {
        heldBytes -= held;
      }
    },
  };
}

/**
 * Reads the body of an upload and passes the bytes of each part to `hold`. Throws `ApiError` (413)
 * without reading the rest.
 */
async function readFile({ headers, raw }: FastifyRequest, hold: (bytes: number) => void): Promise<Buffer> {
  const tooLarge = () => new ApiError(413, claimError('photo-too-large'));
  if (Number(headers['content-length'] ?? 0) > MAX_PHOTO_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An iterator that destroyed the stream would close the connection before the response.
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_PHOTO_BYTES) throw tooLarge();
    hold(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
