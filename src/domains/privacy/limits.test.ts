/** The limits of a number whose account is deleted and created again. docs/decisions/0086. */
import { expect, test } from 'vitest';
import { newestCode, requestCode, signUpCustomer, verifyMobile } from '../../../test/support/customer.ts';
import { newOrderingCustomer, place, withOrder } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newCustomer, randomMobile, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { fail } from '../../contract/route.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { addOrder, cancelOrder, orderError } from '../orders/contract.ts';
import { confirmCode, RESEND_AFTER_SECONDS } from '../verification/contract.ts';
import { deleteExpiredVerifications } from '../verification/service.server.ts';
import { deleteAccount } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });

async function deleteAccountOf({ caller, userid, mobile }: TestCustomer) {
  await verifyMobile(program, caller, mobile, 'deletion');
  expect(await caller.send(deleteAccount, { userid })).toMatchObject({ response: 'success' });
  program.clock.advance(RESEND_AFTER_SECONDS);
}

test('a deletion does not restart the codes of its number', async () => {
  const mobile = randomMobile();
  for (let cycle = 0; cycle < 4; cycle += 1) {
    const customer = await signUpCustomer(program, { mobile });
    program.clock.advance(RESEND_AFTER_SECONDS);
    await deleteAccountOf(customer);
  }
  const refused = { status: 429, code: 'sms-not-sent' };
  await expect(requestCode(program.caller(), mobile, 'signup')).rejects.toMatchObject(refused);
  // Other networks have a share of the five in an hour.
  expect(await requestCode(program.caller({ ip: '203.0.113.1' }), mobile, 'signup')).toMatchObject({ response: 'success' });
  program.clock.advance(RESEND_AFTER_SECONDS);
  await expect(requestCode(program.caller({ ip: '198.51.100.1' }), mobile, 'signup')).rejects.toMatchObject(refused);
  const codes = program.db.selectFrom('verification_codes').select('id');
  expect(await codes.where('mobile', '=', mobile).execute()).toHaveLength(1);
  // They count for a day, and are deleted then.
  program.clock.advance(DAY_SECONDS + 10 * 60);
  expect(await requestCode(program.caller(), mobile, 'signup')).toMatchObject({ response: 'success' });
  await deleteExpiredVerifications(program.db, program.clock.now());
  expect(await codes.execute()).toHaveLength(1);
});

test('a deletion does not restart the wrong guesses at the codes of its number', async () => {
  const customer = await newCustomer(program);
  const { mobile } = customer;
  const stranger = program.caller({ ip: '203.0.113.1' });
  for (let codes = 0; codes < 3; codes += 1) {
    await requestCode(stranger, mobile, 'reset');
    const wrong = (await newestCode(program, mobile)) === '000000' ? '111111' : '000000';
    for (let guess = 0; guess < 3; guess += 1) await stranger.send(confirmCode, { mobile, purpose: 'reset', code: wrong });
    program.clock.advance(RESEND_AFTER_SECONDS);
  }
  const outOfAttempts = { status: 429, code: 'out-of-attempts' };
  await expect(requestCode(stranger, mobile, 'signup')).rejects.toMatchObject(outOfAttempts);
  await deleteAccountOf(customer);
  await expect(requestCode(stranger, mobile, 'signup')).rejects.toMatchObject(outOfAttempts);
});

test('a deletion does not restart the orders of its number, nor their changes', async () => {
  const customer = await newOrderingCustomer(program);
  const { caller, userid, mobile } = customer;
  let orderid = '';
  for (let order = 0; order < 20; order += 1) {
    ({ orderid } = await place(customer, {}, { idempotencyKey: newId() }));
    await caller.send(cancelOrder, { userid, orderid });
  }
  for (let change = 20; change < 60; change += 1) await caller.send(cancelOrder, { userid, orderid });
  await deleteAccountOf(customer);
  const next = await withOrder(await newCustomer(program, { mobile }));
  expect(await next.caller.send(addOrder, next.order, { idempotencyKey: newId() })).toEqual(fail(orderError('too-many-orders')));
  const change = next.caller.send(cancelOrder, { userid: next.userid, orderid });
  await expect(change).rejects.toMatchObject({ status: 429, code: 'too-many-changes' });
});
