/** Cookies on https (docs/security.md, A7). */
import { expect, test } from 'vitest';
import { requestCode, newestCode, newMobile, PASSWORD } from '../../../test/support/customer.ts';
import { useProgram } from '../../../test/support/program.ts';

const program = useProgram({ BOT_CHECK: 'off', PUBLIC_URL: 'https://dhulai.example' });

test('sets every cookie Secure and SameSite=Lax, and every authenticating one HttpOnly with the prefix __Host-', async () => {
  const [caller, mobile] = [program.caller(), newMobile()];
  const sendCode = await caller.post('verification/sendcode', { mobile, purpose: 'signup', challenge: '' });
  await caller.post('verification/confirmcode', { mobile, purpose: 'signup', code: await newestCode(program, mobile) });
  await caller.post('login/signup.php', { name: 'Asha Rao', mobile, password: PASSWORD });
  const loggedIn = await caller.post('login/login.php', { mobile, password: PASSWORD });
  const cookies = [...sendCode.cookies, ...loggedIn.cookies].map(({ name, httpOnly = false, path, secure, sameSite }) => ({
    name,
    httpOnly,
    path,
    secure,
    sameSite,
  }));
  const common = { path: '/', secure: true, sameSite: 'Lax' };
  expect(cookies).toEqual([
    { name: '__Host-browser', httpOnly: true, ...common },
    { name: '__Host-session', httpOnly: true, ...common },
    // A hint that scripts read. It authenticates nothing.
    { name: 'signed_in', httpOnly: false, ...common },
    { name: '__Host-device', httpOnly: true, ...common },
  ]);
});

test('ends the message with the WebOTP line of this site', async () => {
  const mobile = newMobile();
  const caller = program.caller();
  await requestCode(caller, mobile, 'signup');
  const [message] = (await caller.get(`outbox.json?mobile=${mobile}`)).json();
  expect(message.text.split('\n').at(-1)).toBe(`@dhulai.example #${message.code}`);
});
