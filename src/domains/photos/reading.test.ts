/** Requests for photos, on every route that serves them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { callPath, readEnvelope } from '../../contract/send.ts';
import { newId } from '../../lib/ids.ts';
import type { Caller } from '../../../test/support/caller.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { samplePhoto, uploadedPhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { startS3 } from '../../../test/support/s3-stand-in.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { addClaim, photoPath } from '../claims/contract.ts';
import { deskPhotoPath } from '../claims/desk/contract.ts';
import { addOrderPhoto, orderPhotoPath } from '../order-desk/desk/photos-contract.ts';
import { scalePhotoPath } from '../orders/history-contract.ts';

const clock = fakeClock();
const s3 = await startS3(clock);
const program = useProgram(s3.settings, { clock });

const ROUTES = ['report, for its customer', 'report, for the staff', 'order, for the staff', 'scale, for its customer'] as const;
const photos = {} as Record<(typeof ROUTES)[number], { caller: Caller; path: string }>;

beforeAll(async () => {
  const orderingCustomer = await newOrderingCustomer(program);
  const { caller: customer, userid } = orderingCustomer;
  const { orderid } = await place(orderingCustomer);
  const { caller: staff } = await newStaff(program, 'operator');
  const ofReport = await uploadedPhoto(customer, samplePhoto('jpeg'));
  await customer.send(addClaim, { userid, orderid, kind: 'damaged', message: 'A hole', photos: [ofReport] });
  const upload = callPath(addOrderPhoto, { orderid, kind: 'weigh' }).slice(1);
  const headers = { 'content-type': 'image/jpeg', 'idempotency-key': newId() };
  const { statusCode, json } = await staff.request('POST', upload, samplePhoto('jpeg'), headers);
  const ofScale = readEnvelope(addOrderPhoto, statusCode, json()).data?.photoid ?? '';
  photos['report, for its customer'] = { caller: customer, path: photoPath(ofReport).slice(1) };
  photos['report, for the staff'] = { caller: staff, path: deskPhotoPath(ofReport).slice(1) };
  photos['order, for the staff'] = { caller: staff, path: orderPhotoPath(ofScale).slice(1) };
  photos['scale, for its customer'] = { caller: customer, path: scalePhotoPath(ofScale).slice(1) };
});

describe.each(ROUTES)('a photo of the %s', (route) => {
  test('is read from the storage by GET, and by no HEAD', async () => {
    const { caller, path } = photos[route];
    const before = s3.reads;
    const { statusCode, rawPayload } = await caller.get(path);
    expect([statusCode, rawPayload.length > 50, s3.reads]).toEqual([200, true, before + 1]);
    const head = await caller.request('HEAD', path);
    expect([head.statusCode, head.headers.allow, head.rawPayload.length]).toEqual([405, 'GET', 0]);
    expect(s3.reads).toBe(before + 1);
  });
});
