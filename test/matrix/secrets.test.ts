/**
 * The log during sign-up, failed attempts, reset and ordering (docs/security.md, S9): no secrets,
 * no whole mobile number.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { login } from '../../src/domains/accounts/contract.ts';
import { reportError } from '../../src/domains/error-reports/contract.ts';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { addOrder } from '../../src/domains/orders/contract.ts';
import { updateUserDetails } from '../../src/domains/profile/contract.ts';
import { confirmCode } from '../../src/domains/verification/contract.ts';
import { requestCode, newestCode, PASSWORD, verifyMobile, signUpCustomer } from '../support/customer.ts';
import { home, washInManesar } from '../support/ordering.ts';
import { useProgram } from '../support/program.ts';

const program = useProgram({ LOG_LEVEL: 'debug' });

test('the log contains no code, password, token, cookie or whole mobile number, also after errors', async () => {
  const customer = await signUpCustomer(program, { name: 'Vasundhara Raghunathan' });
  const { caller, mobile, userid } = customer;
  const secrets = new Set([mobile, PASSWORD, 'a wrong guess', home.mobile, home.landmark, 'Vasundhara']);
  const remember = () => {
    for (const value of caller.cookies.values()) if (value.length > 8) secrets.add(value);
  };
  remember();
  program.clock.advance(60);
  await requestCode(caller, mobile, 'reset');
  secrets.add(await newestCode(program, mobile));
  await caller.send(confirmCode, { mobile, purpose: 'reset', code: '000000' });
  await caller.send(login, { mobile, password: 'a wrong guess' });
  await caller.send(reportError, { error: JSON.stringify({ message: `${mobile} ${PASSWORD}`, stack: '', context: { userid } }) });
  program.clock.advance(60);
  await verifyMobile(program, caller, mobile, 'reset');
  secrets.add(await newestCode(program, mobile));
  await caller.send(updateUserDetails, { token: userid, password: PASSWORD });
  await caller.send(login, { mobile, password: PASSWORD });
  remember();
  const { data } = await caller.send(addAddress, { ...home, userid });

  // A server error: PostgreSQL includes the whole row in its message.
  await sql`alter table orders add constraint planted check (ship_landmark = 'nowhere')`.execute(program.db);
  const order = { ...washInManesar, userid, addressid: data?.addressid };
  await expect(caller.send(addOrder, order)).rejects.toThrow('Something went wrong, try again later');
  await sql`alter table customers rename to customers_gone`.execute(program.db);
  await expect(caller.send(login, { mobile, password: PASSWORD })).rejects.toThrow('Something went wrong, try again later');

  const log = program.log.join('');
  expect(program.log.length).toBeGreaterThan(10);
  expect([...secrets].filter((secret) => log.includes(secret))).toEqual([]);
});
