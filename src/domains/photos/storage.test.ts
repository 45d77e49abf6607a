/** The photo storage: a folder, and S3 over real HTTP, also slow and failing. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { transaction } from '../../db/database.server.ts';
import { addSeconds } from '../../lib/clock.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { samplePhoto, upload, uploadedPhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { S3_KEY, startS3 } from '../../../test/support/s3-stand-in.ts';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { SHORT_TIMEOUTS } from '../../../test/support/stand-in.ts';
import { photoPath } from '../claims/contract.ts';
import { UNSENT_PHOTO_SECONDS } from '../claims/rules.ts';
import { deleteUnsentPhotos } from '../claims/service.server.ts';
import { StorageError, type PhotoStorage } from './provider.server.ts';
import { folderStorage } from './providers/folder.server.ts';
import { deleteQueuedFiles, queueFileDeletions } from './service.server.ts';
import { s3Storage, signedHeaders } from './providers/s3.server.ts';

const clock = fakeClock();
const s3 = await startS3(clock);
const TIMEOUT_MS = 300;
const options = { url: s3.url, region: S3_KEY.region, bucket: S3_KEY.bucket, accessKeyId: S3_KEY.id, secretAccessKey: S3_KEY.secret };
const bucket = s3Storage({ ...options, clock, timeoutMs: TIMEOUT_MS });
afterEach(() => s3.behave());

async function newFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'dhulai-photos-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const STORAGES: { name: string; create: () => Promise<PhotoStorage> }[] = [
  { name: 'a folder', create: async () => folderStorage(path.join(await newFolder(), 'photos')) },
  { name: 'S3', create: async () => bucket },
];

describe.each(STORAGES)('$name', ({ create }) => {
  test('stores, replaces, reads and deletes a photo', async () => {
    const storage = await create();
    const contentOf = async (id: string) => {
      const stream = await storage.get(id);
      return stream && buffer(stream);
    };
    expect(await contentOf('A1')).toBeUndefined();
    await storage.put('A1', 'image/jpeg', samplePhoto('jpeg'));
    await storage.put('B2', 'image/png', samplePhoto('png'));
    await storage.put('A1', 'image/webp', samplePhoto('webp'));
    expect(await contentOf('A1')).toEqual(samplePhoto('webp'));
    await storage.delete('A1');
    await storage.delete('A1');
    expect(await contentOf('A1')).toBeUndefined();
    expect(await contentOf('B2')).toEqual(samplePhoto('png'));
    await storage.delete('B2');
  });
});

describe('a folder', () => {
  test('is created with the first photo, and other users cannot read it', async () => {
    const folder = path.join(await newFolder(), 'new', 'photos');
    const storage = folderStorage(folder);
    await storage.delete('A1');
    await storage.put('A1', 'image/jpeg', samplePhoto('jpeg'));
    expect(await readdir(folder)).toEqual(['A1']);
    const modes = await Promise.all([folder, path.join(folder, 'A1')].map(async (name) => (await stat(name)).mode & 0o777));
    expect(modes).toEqual([0o700, 0o600]);
    expect(await readFile(path.join(folder, 'A1'))).toEqual(samplePhoto('jpeg'));
  });

  test('deletes what a killed program has left of a photo', async () => {
    const folder = await newFolder();
    await writeFile(path.join(folder, 'A1.part'), 'half');
    await folderStorage(folder).delete('A1');
    expect(await readdir(folder)).toEqual([]);
  });

  test('that cannot be used is a StorageError', async () => {
    const file = path.join(await newFolder(), 'file');
    await writeFile(file, '');
    const storage = folderStorage(path.join(file, 'photos'));
    await expect(storage.put('A1', 'image/jpeg', samplePhoto('jpeg'))).rejects.toThrow(StorageError);
    await expect(storage.get('A1')).rejects.toThrow(StorageError);
  });
});

describe('S3', () => {
  test('stores a photo below claims/ with its type', async () => {
    await bucket.put('A1', 'image/png', samplePhoto('png'));
    expect(s3.objects.get(`/${S3_KEY.bucket}/claims/A1`)).toEqual({ type: 'image/png', bytes: samplePhoto('png') });
  });

  test.each([
    ['another secret', { secretAccessKey: 'another' }, 'SignatureDoesNotMatch'],
    ['another region', { region: 'us-east-1' }, 'AccessDenied'],
    ['an unknown key', { accessKeyId: 'AKIDUNKNOWN' }, 'AccessDenied'],
    ['a clock that is an hour ahead', { clock: { now: () => addSeconds(clock.now(), 3600) } }, 'RequestTimeTooSkewed'],
  ])('the stand-in refuses %s', async (_what, change, code) => {
    const storage = s3Storage({ ...options, clock, timeoutMs: TIMEOUT_MS, ...change });
    await expect(storage.put('C3', 'image/jpeg', samplePhoto('jpeg'))).rejects.toThrow(StorageError);
    expect(s3.refusals.at(-1)).toBe(code);
    expect([...s3.objects.keys()]).not.toContain(`/${S3_KEY.bucket}/claims/C3`);
  });

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Examples". */
  test.each([
    {
      what: 'GET Object',
      request: { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' }, body: '' },
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      what: 'PUT Object',
      request: {
        method: 'PUT',
        path: '/test%24file.text',
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        body: 'Welcome to Amazon S3.',
      },
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
  ])('signs the published example $what', ({ request: { method, path, headers, body }, signature }) => {
    const url = new URL(path, 'https://examplebucket.s3.amazonaws.com');
    const keys = { region: 'us-east-1', accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
    const signed = signedHeaders({ method, url, headers, bytes: Buffer.from(body) }, keys, new Date('2013-05-24T00:00:00Z'));
    expect(signed.authorization?.slice(-64)).toBe(signature);
  });

  test.each(['hang', 'drop', 500, 503, 301] as const)('that responds with %s is a StorageError within its deadline', async (behaviour) => {
    await bucket.put('D4', 'image/jpeg', samplePhoto('jpeg'));
    s3.behave(behaviour);
    const startedAt = performance.now();
    await expect(bucket.put('D5', 'image/jpeg', samplePhoto('jpeg'))).rejects.toThrow(StorageError);
    await expect(bucket.get('D4')).rejects.toThrow(StorageError);
    await expect(bucket.delete('D4')).rejects.toThrow(StorageError);
    expect(performance.now() - startedAt).toBeLessThan(3 * TIMEOUT_MS + 5000);
  });

  test('that stops in the middle of a photo ends the stream with an error', { timeout: 20_000 }, async () => {
    await bucket.put('E6', 'image/jpeg', samplePhoto('jpeg'));
    s3.behave('stall');
    const stream = await s3Storage({ ...options, clock, timeoutMs: TIMEOUT_MS, downloadMs: 500 }).get('E6');
    await expect(buffer(stream ?? new Blob().stream())).rejects.toThrow('aborted due to timeout');
  });
});

describe('a program with S3', () => {
  const program = useProgram(s3.settings, { clock, timeouts: { ...SHORT_TIMEOUTS, storageMs: TIMEOUT_MS } });

  test('stores and returns photos, and deletes those that are not sent', async () => {
    const { caller } = await newCustomer(program);
    const photoid = await uploadedPhoto(caller, samplePhoto('png'));
    const object = `/${S3_KEY.bucket}/claims/${photoid}`;
    expect(s3.objects.get(object)?.bytes.includes('CameraMaker')).toBe(false);
    const { headers, rawPayload } = await caller.get(photoPath(photoid).slice(1));
    expect(headers['content-type']).toBe('image/png');
    expect(rawPayload).toEqual(s3.objects.get(object)?.bytes);
    const later = addSeconds(clock.now(), UNSENT_PHOTO_SECONDS + 1);
    await deleteUnsentPhotos(program.db, later);
    await deleteQueuedFiles({ db: program.db, storage: bucket }, { now: later, signal: new AbortController().signal });
    expect(s3.objects.has(object)).toBe(false);
    expect((await caller.get(photoPath(photoid).slice(1))).statusCode).toBe(404);
  });

  test.each(['hang', 'drop', 500] as const)('that responds with %s: uploads and photos fail with a clear sentence', async (behaviour) => {
    const { caller } = await newCustomer(program);
    const photoid = await uploadedPhoto(caller);
    s3.behave(behaviour);
    expect(await upload(caller, samplePhoto('jpeg'))).toMatchObject({ response: 'error', code: 'photo-not-stored' });
    const { statusCode, headers, body } = await caller.get(photoPath(photoid).slice(1));
    expect([statusCode, headers['retry-after'], body]).toEqual([503, '5', 'We are busy right now, please try again in a moment']);
    s3.behave();
    expect((await caller.get(photoPath(photoid).slice(1))).statusCode).toBe(200);
    expect(program.log.join('')).toContain('storing a photo failed');
    expect(program.log.join('')).not.toContain(S3_KEY.secret);
  });
});

describe('queued files', () => {
  const program = useProgram({}, { clock });
  const now = clock.now();
  const { signal } = new AbortController();
  const at = (seconds: number) => addSeconds(now, seconds);
  const queue = (ids: readonly string[], stored_at: Date | null = now) =>
    transaction(program.db, (tx) =>
      queueFileDeletions(
        tx,
        ids.map((id) => ({ id, stored_at })),
        now,
      ),
    );

  /** A storage that fails to delete some photos, and lists the attempts. */
  function failingFor(ids: readonly string[]) {
    const attempts: string[] = [];
    const remove = async (id: string) => {
      attempts.push(id);
      if (ids.includes(id)) throw new StorageError(`no ${id}`);
    };
    return { attempts, storage: { delete: remove } };
  }
  const run = (storage: Pick<PhotoStorage, 'delete'>, seconds: number) =>
    deleteQueuedFiles({ db: program.db, storage }, { now: at(seconds), signal });

  test('are tried again later if the storage fails, and the others are deleted', async () => {
    const { attempts, storage } = failingFor(['A1']);
    await queue(['A1', 'B2', 'C3']);
    await deleteQueuedFiles({ db: program.db, storage }, { now: at(0), signal, among: [] });
    expect(attempts).toEqual([]);
    await expect(run(storage, 0)).rejects.toThrow('no A1');
    expect(attempts).toEqual(['A1', 'B2', 'C3']);
    await run(storage, 599);
    const repaired = failingFor([]);
    await run(repaired.storage, 600);
    expect(repaired.attempts).toEqual(['A1']);
    await run(repaired.storage, 10_000);
    expect(repaired.attempts).toEqual(['A1']);
  });

  test('wait for the next run after five failures, which begins with those that were not tried', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `D${index}`);
    await queue(ids);
    const down = failingFor(ids);
    await expect(run(down.storage, 0)).rejects.toThrow('no D0');
    expect(down.attempts).toEqual(ids.slice(0, 5));
    const repaired = failingFor([]);
    await run(repaired.storage, 600);
    expect(repaired.attempts).toEqual(['D5', 'D6', 'D0', 'D1', 'D2', 'D3', 'D4']);
  });

  test('of photos that are being stored are deleted once they are stored, also if the clock was ahead', async () => {
    const { attempts, storage } = failingFor([]);
    await queue(['E1'], null);
    await run(storage, 599);
    expect(attempts).toEqual([]);
    // A clock that was an hour ahead queued it.
    await run(storage, -60 * 60);
    expect(attempts).toEqual(['E1']);
  });
});
