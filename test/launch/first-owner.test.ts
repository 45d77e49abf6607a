/** The start of a live program without an owner. */
import { expect, inject, test } from 'vitest';
import { newStaff } from '../support/staff.ts';
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

test('a live start names the command that adds the owner, until there is one', { timeout: 60_000 }, async () => {
  const environment = await newTestEnvironment({ template: inject('template') });
  const line = 'Add the owner: npm run staff -- add owner <mobile> <name>';
  expect((await environment.start(undefined, LIVE)).output).toContain(line);
  await newStaff(environment, 'owner');
  expect((await environment.start(undefined, LIVE)).output).not.toContain(line);
});
