/** Uploading and reading photos: type, size, metadata, access, limits, and deletion. */
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { addSeconds } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { dumpDatabase } from '../../../test/matrix/database.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { samplePhoto, upload, uploadedPhoto, withSegment } from '../../../test/support/photos.ts';
import { newCustomer, newGuest, newSession, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { MAX_PHOTO_BYTES } from '../photos/contract.ts';
import { folderStorage } from '../photos/providers/folder.server.ts';
import { MAX_BUFFERED_BYTES } from '../photos/uploads-service.server.ts';
import { addClaim, photoPath } from './contract.ts';
import { MAX_PHOTOS_PER_DAY, MAX_STORED_BYTES, UNSENT_PHOTO_SECONDS } from './rules.ts';
import { deleteUnsentPhotos } from './service.server.ts';
import { deleteQueuedFiles } from '../photos/service.server.ts';
import { StorageError } from '../photos/provider.server.ts';

const PHOTO_DIR = mkdtempSync(path.join(tmpdir(), 'dhulai-photos-'));
afterAll(() => rm(PHOTO_DIR, { recursive: true, force: true }));

const program = useProgram({ PHOTO_DIR });
const storage = folderStorage(PHOTO_DIR);

let customer: TestCustomer;
beforeEach(async () => {
  customer = await newCustomer(program);
});

const read = (photoid: string, { caller } = customer) => caller.get(photoPath(photoid).slice(1));

/** A JPEG whose header states this size. */
const jpegOf = (width: number, height: number) => {
  const jpeg = Buffer.from(samplePhoto('progressive'));
  const frame = jpeg.indexOf(Buffer.of(0xff, 0xc2));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
};

describe('an upload', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('of a %s is stored without its location and read with its own type', async (name) => {
    const file = samplePhoto(name);
    expect(file.includes('CameraMaker')).toBe(true);
    const photoid = await uploadedPhoto(customer.caller, file);
    const { statusCode, headers, rawPayload } = await read(photoid);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': `image/${name}`,
      'content-length': String(rawPayload.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const text of ['CameraMaker', 'Exif', 'EXIF', 'GPS']) expect(rawPayload.includes(text)).toBe(false);
    expect(rawPayload.length).toBeGreaterThan(50);
    expect(rawPayload.length).toBeLessThan(file.length);
  });

  test('is recognised by its content, whatever type it claims', async () => {
    for (const type of ['image/svg+xml', 'text/html', 'application/json', 'multipart/form-data; boundary=x']) {
      const { data } = await upload(customer.caller, samplePhoto('png'), { 'content-type': type });
      expect((await read(data?.photoid ?? '')).headers['content-type']).toBe('image/png');
    }
  });

  test('with a script inside is stored without the script', async () => {
    const script = '<script>alert(1)</script>';
    const polyglot = Buffer.concat([withSegment(samplePhoto('jpeg'), 0xfe, script), Buffer.from(script)]);
    const { headers, rawPayload } = await read(await uploadedPhoto(customer.caller, polyglot));
    expect(headers['content-type']).toBe('image/jpeg');
    expect(rawPayload.includes('script')).toBe(false);
  });

  test.each([
    ['an SVG with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'photo-type'],
    ['an HTML page', '<!doctype html><script>alert(1)</script>', 'photo-type'],
    ['a text', 'hello', 'photo-type'],
    ['an empty file', '', 'photo-type'],
    ['half a photo', samplePhoto('jpeg').subarray(0, 400), 'photo-damaged'],
    ['an animation', samplePhoto('animated'), 'photo-damaged'],
    ['a photo of 1,601 pixels', jpegOf(1601, 16), 'photo-dimensions'],
    ['a photo of 60,000 pixels', jpegOf(24, 60_000), 'photo-dimensions'],
  ])('of %s is refused, and nothing is stored', async (_what, file, code) => {
    const before = [await dumpDatabase(program), await storedFiles()];
    expect(await upload(customer.caller, file)).toMatchObject({ response: 'error', code, data: null });
    expect([await dumpDatabase(program), await storedFiles()]).toEqual(before);
  });

  test('of the largest size is accepted, and one byte more is refused', async () => {
    const filler = Buffer.alloc(MAX_PHOTO_BYTES - samplePhoto('jpeg').length);
    const largest = Buffer.concat([samplePhoto('jpeg'), filler]);
    expect(await upload(customer.caller, largest)).toMatchObject({ response: 'success' });
    await expect(upload(customer.caller, Buffer.concat([largest, Buffer.of(0)]))).rejects.toThrow(
      expect.objectContaining({ status: 413, code: 'photo-too-large' }),
    );
  });

  test(`stores ${MAX_PHOTOS_PER_DAY} a day for each customer, however many arrive at once`, async () => {
    const codes: (string | undefined)[] = [];
    // One upload of a customer runs and three wait: the page sends one after another.
    const lanes = Array.from({ length: 4 }, async () => {
      for (let number = 0; number < 9; number += 1) {
        const result = await upload(customer.caller, samplePhoto('webp'));
        codes.push(result.response === 'success' ? undefined : result.code);
      }
    });
    await Promise.all(lanes);
    expect(codes.filter((code) => code === undefined)).toHaveLength(MAX_PHOTOS_PER_DAY);
    expect(codes.filter((code) => code === 'too-many-uploads')).toHaveLength(36 - MAX_PHOTOS_PER_DAY);
    expect(await upload((await newCustomer(program)).caller, samplePhoto('webp'))).toMatchObject({ response: 'success' });
  });
});

test(`${MAX_PHOTOS_PER_DAY} files a day are read, refused ones included`, async () => {
  for (let number = 0; number < MAX_PHOTOS_PER_DAY; number += 1) {
    expect(await upload(customer.caller, 'not a photo')).toMatchObject({ code: 'photo-type' });
  }
  expect(await upload(customer.caller, samplePhoto('webp'))).toMatchObject({ code: 'too-many-uploads' });
});

test('the stored photos of a customer have a maximum size in total, those of guests with the number included', async () => {
  const stored = Array.from({ length: MAX_STORED_BYTES / MAX_PHOTO_BYTES }, (_, index) => ({
    id: newId(),
    customer_id: customer.userid,
    guest_session_hash: index === 0 ? Buffer.from('a guest') : null,
    type: 'image/jpeg' as const,
    bytes: MAX_PHOTO_BYTES,
    created_at: program.clock.now(),
    stored_at: program.clock.now(),
  }));
  await program.db.insertInto('claim_photos').values(stored).execute();
  const before = [await dumpDatabase(program), await storedFiles()];
  expect(await upload(customer.caller, samplePhoto('jpeg'))).toMatchObject({ response: 'error', code: 'photos-full', data: null });
  expect([await dumpDatabase(program), await storedFiles()]).toEqual(before);
  expect(await upload((await newCustomer(program)).caller, samplePhoto('jpeg'))).toMatchObject({ response: 'success' });
  await program.db
    .deleteFrom('claim_photos')
    .where('id', '=', stored[0]?.id ?? '')
    .execute();
  expect(await upload(customer.caller, samplePhoto('jpeg'))).toMatchObject({ response: 'success' });
});

describe('over a real connection', () => {
  let origin: URL;
  beforeEach(async () => {
    if (!program.app.server.listening) await program.app.listen({ port: 0, host: '127.0.0.1' });
    origin = new URL(`http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}/claims/addphoto`);
  });

  /**
   * Sends the headers and `bytes` bytes, and does not end the request: the program must respond
   * without the rest.
   */
  const send = (bytes: number, { session, headers }: { session?: string; headers: Record<string, string> }) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const cookie = session === undefined ? {} : { cookie: `session=${session}` };
      const request = httpRequest(origin, { method: 'POST', headers: { 'content-type': 'image/jpeg', ...cookie, ...headers } });
      let responded = false;
      request.on('response', (response) => {
        responded = true;
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => {
          request.destroy();
          resolve({ status: response.statusCode, body });
        });
      });
      request.on('error', (error) => (responded ? undefined : reject(error)));
      request.flushHeaders();
      if (bytes > 0) request.write(Buffer.alloc(bytes, 1));
    });

  const THIRTY_MB = 30 * 1024 * 1024;
  const sessionOf = ({ caller }: TestCustomer) => ({ session: caller.cookies.get('session') ?? '' });

  test('refuses 30 MB by the stated length, before it reads the file', async () => {
    const result = await send(0, { ...sessionOf(customer), headers: { 'content-length': String(THIRTY_MB) } });
    expect(result).toMatchObject({ status: 413 });
    expect(JSON.parse(result.body)).toMatchObject({
      code: 'photo-too-large',
      message: 'This photo is larger than 5 MB, please choose a smaller one',
    });
  });

  test('refuses a file without a stated length', async () => {
    const result = await send(1, { ...sessionOf(customer), headers: { 'transfer-encoding': 'chunked' } });
    expect(result).toMatchObject({ status: 411 });
  });

  test('does not read the file of a caller without a session', async () => {
    const result = await send(0, { headers: { 'content-length': '5000' } });
    expect(result).toMatchObject({ status: 401 });
  });

  test('accepts a photo of a phone that sends for 16 s', async () => {
    const file = samplePhoto('jpeg');
    const headers = { 'content-length': String(file.length), cookie: `session=${sessionOf(customer).session}` };
    const request = httpRequest(origin, { method: 'POST', headers });
    const status = new Promise<number | undefined>((resolve, reject) => {
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
    });
    request.write(file.subarray(0, 100));
    await sleep(16_000);
    request.end(file.subarray(100));
    expect(await status).toBe(200);
  });

  /** Sends the start of a file and stops. */
  const stall = ({ caller }: TestCustomer, start: Buffer) => {
    const headers = { 'content-length': String(start.length + 1), cookie: `session=${caller.cookies.get('session')}` };
    // A connection of its own: the program may just be closing an idle one.
    const request = httpRequest(origin, { method: 'POST', headers, agent: false });
    request.on('error', () => {});
    onTestFinished(() => void request.destroy());
    request.write(start);
    return request;
  };
  const countedUploaders = async () =>
    (await program.db.selectFrom('limit_windows').where('name', '=', 'photos of a customer').selectAll().execute()).length;
  const uploadOfAnother = async () => upload((await newCustomer(program)).caller, samplePhoto('jpeg')).catch((error: unknown) => error);

  test('twelve senders that stop in the middle do not prevent other uploads', async () => {
    const slow = await Promise.all(Array.from({ length: 12 }, () => newCustomer(program)));
    const before = await countedUploaders();
    for (const sender of slow) stall(sender, samplePhoto('jpeg').subarray(0, 100));
    await expect.poll(countedUploaders).toBe(before + slow.length);
    expect(await uploadOfAnother()).toMatchObject({ response: 'success' });
  });

  test('an upload of an account that stops does not keep a guest with its number waiting', async () => {
    const before = await countedUploaders();
    stall(customer, samplePhoto('jpeg').subarray(0, 100));
    await expect.poll(countedUploaders).toBe(before + 1);
    const guest = await newSession(program, customer.userid, 'guest');
    expect(await Promise.race([upload(guest, samplePhoto('jpeg')), sleep(5000)])).toMatchObject({ response: 'success' });
  });

  test('senders that hold all the memory do not prevent other uploads: the oldest upload ends', async () => {
    const oneTooMany = MAX_BUFFERED_BYTES / MAX_PHOTO_BYTES + 1;
    const senders = await Promise.all(Array.from({ length: oneTooMany }, () => newCustomer(program)));
    // The response can arrive before all files are sent.
    const responses = senders.map((sender) => once(stall(sender, Buffer.alloc(MAX_PHOTO_BYTES - 1)), 'response'));
    const [ended] = await Promise.race(responses);
    expect(ended).toMatchObject({ statusCode: 429 });
    expect(await uploadOfAnother()).toMatchObject({ response: 'success' });
  });

  test('a file that breaks off leaves nothing, and the customer can upload again', async () => {
    const stored = async () => ({
      rows: (await program.db.selectFrom('claim_photos').select('id').execute()).length,
      files: (await storedFiles()).length,
    });
    const { rows, files } = await stored();
    const received = once(program.app.server, 'request') as Promise<[incoming: IncomingMessage]>;
    const request = httpRequest(origin, {
      method: 'POST',
      headers: { 'content-length': '5000', cookie: `session=${sessionOf(customer).session}` },
    });
    request.on('error', () => {});
    // A whole photo, of which the request states more.
    request.write(samplePhoto('jpeg'));
    const [incoming] = await received;
    // The program is reading the file.
    await expect.poll(() => incoming.listenerCount('data')).toBeGreaterThan(0);
    request.destroy();
    // The uploads of a customer run one after another, so the first one has ended before this one.
    expect(await upload(customer.caller, samplePhoto('jpeg'))).toMatchObject({ response: 'success' });
    expect(await stored()).toEqual({ rows: rows + 1, files: files + 1 });
  });
});

describe('access', () => {
  test('only the customer reads a photo, before and after it is in a report', async () => {
    const ordering = await newOrderingCustomer(program);
    const { orderid } = await place(ordering);
    const photoid = await uploadedPhoto(ordering.caller);
    const guest = await newGuest(program);
    const statuses = async () => ({
      own: (await read(photoid, ordering)).statusCode,
      other: await read(photoid).then(({ statusCode, body }) => [statusCode, body]),
      guest: (await read(photoid, guest)).statusCode,
      stranger: (await program.caller().get(photoPath(photoid).slice(1))).statusCode,
    });
    const expected = { own: 200, other: [404, 'There is no such photo'], guest: 404, stranger: 401 };
    expect(await statuses()).toEqual(expected);
    await ordering.caller.send(addClaim, { orderid, kind: 'damaged', message: 'A hole', photos: [photoid] });
    expect(await statuses()).toEqual(expected);
    expect((await read(newId())).body).toBe('There is no such photo');
    expect((await read('../../etc/passwd')).statusCode).toBe(404);
  });

  test('an upload needs a session, and the userid of the session', async () => {
    for (const attempt of [
      () => upload(program.caller(), samplePhoto('jpeg')),
      () => upload(customer.caller, samplePhoto('jpeg'), { userid: newId() }),
    ]) {
      await expect(attempt()).rejects.toThrow(expect.objectContaining({ status: 401, code: 'login-required' }));
    }
    expect(await upload(customer.caller, samplePhoto('jpeg'), { userid: customer.userid })).toMatchObject({ response: 'success' });
  });

  test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])(
    'refuses a page of another site: %o',
    async (headers) => {
      await expect(upload(customer.caller, samplePhoto('jpeg'), { ...headers })).rejects.toThrow(
        expect.objectContaining({ status: 403, code: 'cross-site-request' }),
      );
    },
  );
});

describe('a storage that fails', () => {
  /** A file in place of the folder. */
  const broken = path.join(PHOTO_DIR, 'broken');
  const failing = useProgram({ PHOTO_DIR: path.join(broken, 'photos') });

  test('refuses the upload with a clear sentence, counts nothing, and works again afterwards', async () => {
    const { caller } = await newCustomer(failing);
    await writeFile(broken, 'not a folder');
    for (let attempt = 0; attempt <= MAX_PHOTOS_PER_DAY; attempt += 1) {
      expect(await upload(caller, samplePhoto('jpeg'))).toMatchObject({
        response: 'error',
        code: 'photo-not-stored',
        message: 'We could not store this photo, please try again in a moment',
      });
    }
    await rm(broken);
    const photoid = await uploadedPhoto(caller);
    await rm(broken, { recursive: true });
    await writeFile(broken, 'not a folder');
    const { statusCode, headers, body } = await caller.get(photoPath(photoid).slice(1));
    expect([statusCode, headers['retry-after'], body]).toEqual([503, '5', 'We are busy right now, please try again in a moment']);
    await rm(broken);
    expect((await caller.get(photoPath(photoid).slice(1))).statusCode).toBe(404);
  });
});

const storedFiles = async () => (await readdir(PHOTO_DIR)).toSorted();
async function deleteAt(seconds: number, from = storage) {
  const now = addSeconds(program.clock.now(), seconds);
  await deleteUnsentPhotos(program.db, now);
  await deleteQueuedFiles({ db: program.db, storage: from }, { now, signal: new AbortController().signal });
}

describe('photos that are not sent', () => {
  beforeEach(async () => {
    await deleteAt(10 * UNSENT_PHOTO_SECONDS);
    await mkdir(PHOTO_DIR, { recursive: true });
  });

  test('are deleted after a day, with their files; photos of reports are kept', async () => {
    const ordering = await newOrderingCustomer(program);
    const { orderid } = await place(ordering);
    const [sent, unsent] = [await uploadedPhoto(ordering.caller), await uploadedPhoto(ordering.caller)];
    await ordering.caller.send(addClaim, { orderid, kind: 'damaged', message: 'A hole', photos: [sent] });
    await deleteAt(UNSENT_PHOTO_SECONDS - 1);
    expect(await storedFiles()).toEqual(expect.arrayContaining([sent, unsent]));
    await deleteAt(UNSENT_PHOTO_SECONDS + 1);
    expect(await storedFiles()).toContain(sent);
    expect(await storedFiles()).not.toContain(unsent);
    expect((await read(unsent, ordering)).statusCode).toBe(404);
    expect((await read(sent, ordering)).statusCode).toBe(200);
    const late = await ordering.caller.send(addClaim, { orderid, kind: 'late', message: 'Late', photos: [unsent] });
    expect(late).toMatchObject({ code: 'unknown-photo' });
  });

  test('are deleted by the next run if the storage fails, and cannot be sent until then', async () => {
    const ordering = await newOrderingCustomer(program);
    const { orderid } = await place(ordering);
    const photoid = await uploadedPhoto(ordering.caller);
    const failing = { ...storage, delete: () => Promise.reject(new StorageError('no storage')) };
    await expect(deleteAt(UNSENT_PHOTO_SECONDS + 1, failing)).rejects.toThrow('no storage');
    const sent = await ordering.caller.send(addClaim, { orderid, kind: 'late', message: 'Late', photos: [photoid] });
    expect(sent).toMatchObject({ code: 'unknown-photo' });
    expect(await storedFiles()).toContain(photoid);
    await deleteAt(UNSENT_PHOTO_SECONDS + 60 * 60);
    expect(await storedFiles()).not.toContain(photoid);
    const rows = await program.db.selectFrom('claim_photos').select('id').where('id', '=', photoid).execute();
    expect(rows).toEqual([]);
  });
});
