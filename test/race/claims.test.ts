/** A report that is sent several times at once, to two processes, is one report. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addClaim, getClaims } from '../../src/domains/claims/contract.ts';
import { MAX_CLAIMS_PER_DAY } from '../../src/domains/claims/rules.ts';
import { newId } from '../../src/lib/ids.ts';
import { newOrderingCustomer, place } from '../support/ordering.ts';
import { uploadedPhoto } from '../support/photos.ts';
import { size } from '../support/size.ts';
import { newTestEnvironment } from '../support/test-environment.ts';

const ROUNDS = size({ small: 4, full: 60 });
const AT_ONCE = 8;

test(
  `${ROUNDS} times on two processes: of equal reports one is stored, and of reports with one photo one`,
  { timeout: 180_000 },
  async () => {
    const photos = path.join(tmpdir(), `dhulai-photos-${newId()}`);
    onTestFinished(() => rmSync(photos, { recursive: true, force: true }));
    const environment = await newTestEnvironment();
    await Promise.all([environment.start(undefined, { PHOTO_DIR: photos }), environment.start(undefined, { PHOTO_DIR: photos })]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const customer = await newOrderingCustomer(environment);
      const { orderid } = await place(customer);
      const body = { userid: customer.userid, orderid, kind: 'missing', message: 'A sock is missing' } as const;
      const [first, second] = [await uploadedPhoto(customer.caller), await uploadedPhoto(customer.caller)];

      // Equal requests with one key.
      const key = { idempotencyKey: newId() };
      const equal = await Promise.all(
        Array.from({ length: AT_ONCE }, () => customer.caller.send(addClaim, { ...body, photos: [first] }, key)),
      );
      expect(new Set(equal.map(({ response, data }) => `${response} ${data?.claimid}`)).size).toBe(1);
      expect(equal[0]).toMatchObject({ response: 'success', data: { photos: [first] } });

      // Different reports with the same photo: a photo belongs to one report.
      const rivals = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          customer.caller.send(addClaim, { ...body, message: `Report ${index}`, photos: [second] }, { idempotencyKey: newId() }),
        ),
      );
      const outcomes = rivals.map((result) => (result.response === 'success' ? 'success' : result.code)).toSorted();
      expect(outcomes).toEqual(['success', ...Array.from({ length: AT_ONCE - 1 }, () => 'unknown-photo')]);

      // Different reports without photos: the limit of a day.
      const many = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => customer.caller.send(addClaim, { ...body, message: `More ${index}` })),
      );
      expect(many.filter(({ response }) => response === 'success')).toHaveLength(MAX_CLAIMS_PER_DAY - 2);
      const { data: listed } = await customer.caller.send(getClaims, { userid: customer.userid, orderid });
      expect(listed).toHaveLength(MAX_CLAIMS_PER_DAY);
      expect(listed?.every(({ messages }) => messages.length === 1)).toBe(true);
    }
  },
);
