/**
 * The copy of a customer's data: a ZIP archive with everything that is stored and the photos.
 * docs/decisions/0075.
 */
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Clock } from '../../lib/clock.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { zip, type ZipEntry } from '../../lib/zip.server.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import { consumeLimit, releaseUse, type Limit } from '../../db/limits.server.ts';
import { ApiError } from '../../contract/api-error.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import type { Client } from '../../security/client.ts';
import { concurrencyLimitByKey, QueueFull, type RunLimited } from '../../security/concurrency-limit.server.ts';
import { readDetails } from '../accounts/store.server.ts';
import type { PhotoStorage } from '../photos/provider.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { consumeGrant, hasGrant, type Browsers } from '../verification/authentication.server.ts';
import { exportCustomer, type CustomerExport } from './service.server.ts';

/** A download has one or two photos in memory, of 5 MB at most. */
const MAX_DOWNLOADS = 4;
const DOWNLOADS_OF_CUSTOMER = { concurrent: 1, queued: 0 } as const;
const MAX_DOWNLOAD_MS = 15 * 60 * 1000;
/** A code is used up by a whole download only, so that a customer can repeat an interrupted one. */
const ATTEMPTS_OF_CUSTOMER: Limit = { name: 'copies of the data of a customer', max: 10, windowSeconds: 60 * 60 };
/** A download that is slower after this time gives its place to another customer. */
const SLOW = { bytesPerSecond: 50_000, afterSeconds: 30 } as const;
/** After this time, any download gives its place to a customer who had none in this hour. */
const LONG_SECONDS = 60;
/** A part of a photo that is sent, and counted, at a time. */
const PART_BYTES = 64 * 1024;

export interface DataCopyDependencies {
  db: Db;
  clock: Clock;
  browsers: Browsers;
  storage: Pick<PhotoStorage, 'get'>;
  onFailure(error: unknown, what: string): void;
}

export interface DataCopy {
  fileName: string;
  content: Readable;
}

/**
 * Opens the copy of a customer, or returns undefined if this browser has no unused code for it.
 * Throws `QueueFull` beyond the limits.
 */
export type OpenDataCopy = (client: Client, customer: SignedInCustomer) => Promise<DataCopy | undefined>;

/** Returns a function that opens copies. The downloads of all customers share its limits. */
export function createDataCopies({ db, clock, browsers, storage, onFailure }: DataCopyDependencies): OpenDataCopy {
  const downloads = new Set<Download>();
  const runLimitedByCustomer = concurrencyLimitByKey(DOWNLOADS_OF_CUSTOMER);

  return async (client, customer) => {
    const now = clock.now();
    const { mobile } = await readDetails(db, customer);
    const scope = { browser: browsers.find(client), mobile, purpose: 'export' } as const;
    const ended = Promise.withResolvers<void>();
    try {
      await holdPlace((work) => runLimitedByCustomer(customer.id, work), ended.promise);
      // Once the place is taken: an earlier download has used the code up before it ended.
      if (!(await hasGrant(db, scope, now))) {
        ended.resolve();
        return undefined;
      }
      const isRepeated = (await countAttempt(db, customer, now)) > 1;
      // Only a customer with a code can end the download of another one.
      if (downloads.size >= MAX_DOWNLOADS && !endOne(downloads, { isRepeated, now })) {
        // An attempt without a place is none.
        await releaseUse(db, attemptOf(customer, now));
        throw new QueueFull();
      }
      const ending = new AbortController();
      const download: Download = { startedAt: now, isRepeated, sentBytes: 0, end: () => ending.abort() };
      downloads.add(download);
      void ended.promise.then(() => downloads.delete(download));
      const exported = await exportCustomer(db, customer, now);
      const archive = async function* () {
        for await (const content of exported ? zip(zipEntries(exported.data, storage, now)) : []) {
          for (let start = 0; start < content.length; start += PART_BYTES) {
            const part = content.subarray(start, start + PART_BYTES);
            yield part;
            download.sentBytes += part.length;
          }
        }
        // A copy that did not arrive uses no code up.
        await transaction(db, (tx) => consumeGrant(tx, scope, clock.now()));
      };
      // Bytes, not objects: those are read sixteen ahead.
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(MAX_DOWNLOAD_MS)]);
      const content = addAbortSignal(signal, Readable.from(archive(), { objectMode: false }));
      content.once('error', (error) => onFailure(error, 'sending a copy of the data'));
      content.once('close', () => ended.resolve());
      return { fileName: `my-data-${kolkataDateTime(now).slice(0, 10)}.zip`, content };
    } catch (error) {
      ended.resolve();
      throw error;
    }
  };
}

const attemptOf = ({ id }: SignedInCustomer, now: Date) => ({ ...ATTEMPTS_OF_CUSTOMER, subject: id, now });

/** Returns the number of this attempt within the hour. Throws `ApiError` (rate-limited). */
async function countAttempt(db: Db, customer: SignedInCustomer, now: Date): Promise<number> {
  const result = await consumeLimit(db, attemptOf(customer, now));
  if (!result.allowed) throw new ApiError('rate-limited', protocolError('too-many-requests'), result.retryAfterSeconds);
  return result.uses;
}

/** A download that has a place. */
interface Download {
  readonly startedAt: Date;
  /** The customer has begun another one in this hour. */
  readonly isRepeated: boolean;
  sentBytes: number;
  end(): void;
}

/**
 * Ends the slowest of the slow and of the repeated downloads: a customer who begins again and again
 * would never be slow. Without such a download, the longest of those that have run for long ends,
 * unless the waiting download is repeated itself. Returns false if no download gives way.
 */
function endOne(downloads: Set<Download>, waiting: { isRepeated: boolean; now: Date }): boolean {
  const secondsOf = ({ startedAt }: Download) => (waiting.now.getTime() - startedAt.getTime()) / 1000;
  const rateOf = (download: Download) => download.sentBytes / secondsOf(download);
  const isSlow = (download: Download) => secondsOf(download) >= SLOW.afterSeconds && rateOf(download) < SLOW.bytesPerSecond;
  const [slowest] = [...downloads].filter((download) => download.isRepeated || isSlow(download)).toSorted((a, b) => rateOf(a) - rateOf(b));
  const [longest] = [...downloads]
    .filter((download) => !waiting.isRepeated && secondsOf(download) > LONG_SECONDS)
    .toSorted((a, b) => secondsOf(b) - secondsOf(a));
  const ended = slowest ?? longest;
  if (!ended) return false;
  downloads.delete(ended);
  ended.end();
  return true;
}

/** Resolves once it has a place, and keeps it until `ended` resolves. Throws `QueueFull`. */
const holdPlace = (runLimited: RunLimited, ended: Promise<void>) =>
  new Promise<void>((resolve, reject) => {
    const hold = async () => {
      resolve();
      await ended;
    };
    runLimited(hold).catch(reject);
  });

/**
 * Yields my-data.json, then the photos. Omits a photo whose file is lost. Throws the errors of
 * `storage`.
 */
async function* zipEntries(data: CustomerExport['data'], storage: Pick<PhotoStorage, 'get'>, now: Date): AsyncGenerator<ZipEntry> {
  const text = JSON.stringify({ exported_at: kolkataDateTime(now), ...data }, null, 2);
  yield { name: 'my-data.json', modifiedAt: now, content: Buffer.from(text) };
  const read = async (name: string, { id, type, created_at: modifiedAt }: Photo): Promise<ZipEntry[]> => {
    const stored = await storage.get(id);
    return stored ? [{ name: `photos/${name}-${id}.${type.replace('image/', '')}`, modifiedAt, content: await buffer(stored) }] : [];
  };
  for (const photo of data.reports.photos) yield* await read(photo.claim_id === null ? 'not-sent' : `report-${photo.claim_id}`, photo);
  if (!('photos_of_orders' in data)) return;
  for (const photo of data.photos_of_orders) yield* await read(`order-${photo.order_id}-${photo.kind}`, photo);
}

interface Photo {
  id: string;
  type: string;
  created_at: Date;
}
