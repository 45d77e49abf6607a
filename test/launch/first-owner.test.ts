/** The start of a live program that is not set up yet. */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { setRate, setSurcharge } from '../../src/domains/catalogue/service.server.ts';
import { AREAS, SERVICE_IDS, type Area } from '../../src/domains/catalogue/contract.ts';
import { asPaise } from '../../src/lib/money.ts';
import { newStaff } from '../support/staff.ts';
import { temporaryRoot } from '../support/temporary-root.ts';
import { newTestEnvironment } from '../support/test-environment.ts';

const LIVE = {
  MODE: 'live',
  BOT_CHECK: 'altcha',
  PUBLIC_URL: 'https://laundry.example',
  TRUST_PROXY: '1',
  SECRET: 'a secret for tests, at least 32 bytes',
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: 'key',
  MSG91_TEMPLATE_ID: 'template',
  BRAND_EMAIL: 'help@laundry.example',
  BRAND_MOBILE: '9876500000',
  BRAND_ADDRESS: 'Sector 82',
};

const TEMPLATES =
  'PLACED RESCHEDULED ATTEMPTED WEIGHED CORRECTED DELIVERY REDELIVERY DELIVERED UNCONFIRMED CANCELLED REPAID VOIDED REFUNDED PAID REVERSED RECOVERED DISMISSED ANSWERED SETTLED'
    .split(' ')
    .map((kind) => `MSG91_TEMPLATE_${kind}`);

/** The lines after the address. */
const incompleteIn = (output: string) =>
  output
    .slice(output.indexOf('is ready: '))
    .trim()
    .split('\n')
    .slice(1)
    .filter((line) => !line.startsWith('{'));

test('a live start names what is not set up, and nothing once it is', { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(path.join(temporaryRoot, 'dhulai-live-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const live = { ...LIVE, DATA_DIR: dataDir };
  const environment = await newTestEnvironment({ template: inject('template') });
  const { db } = environment;
  expect(incompleteIn((await environment.start(undefined, live)).output)).toEqual([
    'Nobody can log in to the console yet. Add the owner: npm run staff -- add owner <mobile> <name>',
    'Not sold yet, because they have no price: Wash, Wash + Iron, Iron. Set it in Catalogue of the console.',
    'Customers cannot pay by UPI: set UPI_VPA.',
    'Customers cannot pay online: set PAYMENT_GATEWAY.',
    `Messages that are not sent, because their template is not set: ${TEMPLATES.join(', ')}.`,
    `The photos are in ${dataDir}/photos. Processes on other machines need the same folder (PHOTO_DIR) or PHOTO_STORAGE=s3.`,
  ]);

  // An owner who is only added cannot log in.
  const { personid } = await newStaff(environment, 'owner');
  const setPassword = (hash: string | null) =>
    db.updateTable('staff_members').set({ password_hash: hash }).where('id', '=', personid).execute();
  await setPassword(null);
  expect(incompleteIn((await environment.start(undefined, live)).output)[0]).toBe(
    'Nobody can log in to the console yet: the owner has not set a password with the link. Make another link: npm run staff -- link <mobile>',
  );
  await setPassword('no password fits this');

  for (const id of SERVICE_IDS) await setRate(db, id, asPaise(4000));
  await db.deleteFrom('area_variations').where('program_id', '=', 'iron').where('area', '=', 'vatika').execute();
  const close = (area: Area, closed: number[]) =>
    db.updateTable('evening_plans').set({ version: 1, closed_weekdays: closed }).where('area', '=', area).execute();
  await close('manesar', [1, 2, 3, 4, 5, 6, 7]);
  await close('vatika', [7]);
  const payments = {
    UPI_VPA: 'laundry@bank',
    PAYMENT_GATEWAY: 'razorpay',
    RAZORPAY_KEY_ID: 'key',
    RAZORPAY_KEY_SECRET: 'secret',
    RAZORPAY_WEBHOOK_SECRET: 'secret of the webhook',
  };
  const set = {
    ...live,
    ...payments,
    ...Object.fromEntries(TEMPLATES.map((name) => [name, 'id'])),
    PHOTO_DIR: path.join(dataDir, 'photos'),
  };
  expect(incompleteIn((await environment.start(undefined, set)).output)).toEqual([
    'Not sold in Vatika, which has no surcharge for: Iron. Set it in Catalogue of the console.',
    'No order is accepted in Manesar: no evening of the next 30 days is free. See Evenings of the console.',
    expect.stringMatching(/^Closed evenings in Vatika: \d{4}-\d\d-\d\d\.$/),
  ]);

  await setSurcharge(db, 'iron', 'vatika', asPaise(1000));
  for (const area of AREAS) await close(area, []);
  expect(incompleteIn((await environment.start(undefined, set)).output)).toEqual([]);
});
