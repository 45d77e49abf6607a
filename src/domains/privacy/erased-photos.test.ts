/** The files of photos whose customer is erased. */
import { afterEach, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { samplePhoto, upload, uploadedPhoto } from '../../../test/support/photos.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { S3_KEY, startS3 } from '../../../test/support/s3-stand-in.ts';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { SHORT_TIMEOUTS } from '../../../test/support/stand-in.ts';
import { callPath } from '../../contract/send.ts';
import { transaction } from '../../db/database.server.ts';
import { newId } from '../../lib/ids.ts';
import { mobileNumberHash } from '../../security/tokens.server.ts';
import { addOrderPhoto } from '../order-desk/desk/photos-contract.ts';
import { cancelOrder } from '../orders/contract.ts';
import { s3Storage } from '../photos/providers/s3.server.ts';
import { deleteQueuedFiles } from '../photos/service.server.ts';
import { ALL_LOSSES, eraseRows } from './service.server.ts';

const clock = fakeClock();
const s3 = await startS3(clock);
const timeoutMs = 60_000;
const program = useProgram(s3.settings, { clock, timeouts: { ...SHORT_TIMEOUTS, storageMs: timeoutMs } });
afterEach(() => s3.behave());

const keys = { region: S3_KEY.region, bucket: S3_KEY.bucket, accessKeyId: S3_KEY.id, secretAccessKey: S3_KEY.secret };
const storage = s3Storage({ url: s3.url, ...keys, clock, timeoutMs });
const runJob = () => deleteQueuedFiles({ db: program.db, storage }, { now: clock.now(), signal: new AbortController().signal });
const isStored = (photoid: string) => s3.objects.has(`/${S3_KEY.bucket}/claims/${photoid}`);

/** An erasure whose process is killed after the commit. */
const eraseAndStop = (userid: string) =>
  transaction(program.db, (tx) =>
    eraseRows(tx, userid, { accepted: ALL_LOSSES, scope: 'all-orders', hashMobile: mobileNumberHash(TEST_SECRET), now: clock.now() }),
  );

test('are deleted by a job if the process was killed after the erasure', async () => {
  const { caller, userid } = await newCustomer(program);
  const photoid = await uploadedPhoto(caller);
  await eraseAndStop(userid);
  expect(isStored(photoid)).toBe(true);
  await runJob();
  expect(isStored(photoid)).toBe(false);
});

/** Runs `store` with a storage that waits for `beside`. Returns the id of the photo. */
async function storingBeside(table: 'claim_photos' | 'order_photos', store: () => Promise<unknown>, beside: () => Promise<unknown>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  s3.behave(promise);
  const storing = store().catch((error: unknown) => error);
  const rows = () => program.db.selectFrom(table).select('id').where('stored_at', 'is', null).execute();
  await expect.poll(rows, { timeout: 15_000 }).toHaveLength(1);
  const [row] = await rows();
  await beside();
  resolve();
  return { photoid: row?.id ?? '', result: await storing };
}

test('are deleted, although the photo was being stored during the erasure', async () => {
  const { caller, userid } = await newCustomer(program);
  const { photoid, result } = await storingBeside(
    'claim_photos',
    () => upload(caller, samplePhoto('jpeg')),
    async () => {
      await eraseAndStop(userid);
      await runJob();
    },
  );
  expect(result).toMatchObject({ status: 401, code: 'login-required' });
  expect(isStored(photoid)).toBe(true);
  clock.advance(60 * 60);
  await runJob();
  expect(isStored(photoid)).toBe(false);
});

test('are deleted, although the staff was storing a photo of the order during the erasure', async () => {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  await customer.caller.send(cancelOrder, { orderid });
  const { caller } = await newStaff(program, 'operator');
  const headers = { 'content-type': 'image/jpeg', 'idempotency-key': newId() };
  const { photoid, result } = await storingBeside(
    'order_photos',
    () => caller.request('POST', callPath(addOrderPhoto, { orderid, kind: 'damage' }).slice(1), samplePhoto('jpeg'), headers),
    async () => {
      await eraseAndStop(customer.userid);
      await runJob();
    },
  );
  expect(result).toMatchObject({ statusCode: 409 });
  clock.advance(60 * 60);
  await runJob();
  expect(isStored(photoid)).toBe(false);
});
