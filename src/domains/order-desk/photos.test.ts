/** Photos of orders that the staff takes. docs/decisions/0061. */
import { expect, test } from 'vitest';
import { fail } from '../../contract/route.server.ts';
import { transaction } from '../../db/database.server.ts';
import { addSeconds } from '../../lib/clock.ts';
import { cleanPhoto } from '../../lib/clean-photo.server.ts';
import { kolkataDateTime } from '../../lib/dates.ts';
import { newId } from '../../lib/ids.ts';
import { newOrderingCustomer, place } from '../../../test/support/ordering.ts';
import { samplePhoto, uploadOrderPhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newStaff, type TestStaff } from '../../../test/support/staff.ts';
import { photoError } from '../photos/contract.ts';
import { getOrder } from '../orders/contract.ts';
import { deskError, getDeskOrder, weigh } from './desk/contract.ts';
import { MAX_ORDER_PHOTOS, type OrderPhotoKind } from './desk/order-photo.ts';
import { orderPhotoPath } from './desk/photos-contract.ts';
import { insertOrderPhoto } from './photos-store.server.ts';

const program = useProgram();

const upload = (
  { caller }: TestStaff,
  orderid: string,
  { kind = 'damage', ...photo }: { kind?: OrderPhotoKind; key?: string; file?: Buffer; at?: Date } = {},
) => uploadOrderPhoto(caller, { orderid, kind, ...photo });

test('a photo is stored once for its key, for the staff alone, with an audit row and without a new version', async () => {
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  const [rider, operator] = [await newStaff(program, 'rider'), await newStaff(program, 'operator')];
  const { data: before } = await rider.caller.send(getDeskOrder, { orderid });
  const key = newId();
  const [first, second] = [await upload(rider, orderid, { key }), await upload(rider, orderid, { key })];
  const photoid = first.data?.photoid ?? '';
  expect(second).toEqual(first);
  const { orderid: another } = await place(await newOrderingCustomer(program));
  await expect(upload(rider, another, { key })).rejects.toMatchObject({ status: 400, code: 'staff-key-used' });
  const { data: after } = await operator.caller.send(getDeskOrder, { orderid });
  expect(after?.version).toBe(before?.version);
  expect(after?.photos).toEqual([
    { photoid, kind: 'damage', at: expect.any(String) as string, device_at: null, clocks_differ: false, by: rider.name },
  ]);
  const audited = program.db.selectFrom('staff_audit').select(['action', 'staff_id', 'after']).where('subject_id', '=', orderid);
  expect(await audited.execute()).toEqual([{ action: 'add-photo', staff_id: rider.personid, after: { photo: photoid, kind: 'damage' } }]);

  const path = orderPhotoPath(photoid).slice(1);
  const file = await operator.caller.get(path);
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect((await customer.caller.get(path)).statusCode).toBe(401);
  expect((await customer.caller.get(`claims/photo/${photoid}`)).statusCode).toBe(404);
  expect(JSON.stringify(await customer.caller.send(getOrder, { orderid }))).not.toContain(photoid);
  await program.db.updateTable('orders').set({ pickup_day: '2026-12-24' }).where('id', '=', orderid).execute();
  expect((await rider.caller.get(path)).statusCode).toBe(404);
});

test('a photo that arrives late has the time of the device, at most a day old', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const rider = await newStaff(program, 'rider');
  const now = program.clock.now();
  expect((await upload(rider, orderid, { at: addSeconds(now, -3 * 3600) })).response).toBe('success');
  expect(await upload(rider, orderid, { at: addSeconds(now, -24 * 3600 - 1) })).toEqual(fail(deskError('wrong-device-time')));
  const { data: order } = await rider.caller.send(getDeskOrder, { orderid });
  expect(order?.photos).toMatchObject([{ device_at: kolkataDateTime(addSeconds(now, -3 * 3600)), clocks_differ: true }]);
});

test('a photo of the scale does not make the next change stale, and another change does', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const rider = await newStaff(program, 'rider');
  const { data: seen } = await rider.caller.send(getDeskOrder, { orderid });
  const target = { orderid, version: seen?.version ?? 0 };
  await upload(rider, orderid, { kind: 'weigh' });
  const { data: weighed } = await rider.caller.send(weigh, { ...target, weight: 7530, items: 12 });
  expect(weighed).toMatchObject({ total_weight: 7530 });
  await upload(rider, orderid, { kind: 'weigh' });
  const stale = rider.caller.send(weigh, { ...target, weight: 7600, items: 12, reason: 'A sock' });
  await expect(stale).rejects.toMatchObject({ status: 409, code: 'changed-meanwhile' });
});

test('refuses files that are no photos, and more photos than an order may have', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const operator = await newStaff(program, 'operator');
  expect(await upload(operator, orderid, { file: Buffer.from('no photo') })).toEqual(fail(photoError('photo-type')));
  for (let count = 0; count < MAX_ORDER_PHOTOS; count += 1) expect((await upload(operator, orderid)).response).toBe('success');
  expect(await upload(operator, orderid)).toEqual(fail(deskError('too-many-order-photos')));
});

test('failed uploads do not count towards the limit, and their key stores no other photo', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  const operator = await newStaff(program, 'operator');
  const begun = addSeconds(program.clock.now(), -3 * 60);
  const keys = Array.from({ length: MAX_ORDER_PHOTOS }, newId);
  const cleaned = cleanPhoto(samplePhoto('jpeg'));
  if ('fault' in cleaned) throw new Error(cleaned.fault);
  const [same = '', other = ''] = keys;
  for (const key of keys) {
    const bytes = key === same ? cleaned.photo.bytes.length : 85;
    const photo = { order_id: orderid, kind: 'weigh', type: 'image/jpeg', bytes } as const;
    const row = { id: newId(), staff_id: operator.personid, request_key: key, created_at: begun, ...photo };
    await transaction(program.db, (tx) => insertOrderPhoto(tx, row));
  }
  expect((await upload(operator, orderid)).response).toBe('success');
  const used = { status: 400, code: 'staff-key-used' };
  await expect(upload(operator, orderid, { kind: 'damage', key: same })).rejects.toMatchObject(used);
  await expect(upload(operator, orderid, { kind: 'weigh', key: other })).rejects.toMatchObject(used);
  expect((await upload(operator, orderid, { kind: 'weigh', key: same })).response).toBe('success');
});
