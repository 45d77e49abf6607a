/** Autofill of verification codes. Specification section 4, "Verification"; design section 8. */
import { RESEND_AFTER_SECONDS } from '../../src/domains/verification/contract.ts';
import { newestCode } from './codes.ts';
import { expect, test, type Page } from './fixtures.ts';

async function reachCode(page: Page, mobile: string) {
  await page.goto('/auth/signup');
  await page.getByLabel('Name').fill('Asha');
  await page.getByLabel('Mobile').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
}

/** Returns the code in the request of a form that submits itself. No leading zero must be lost. */
async function sentCode(page: Page, act: () => Promise<unknown>) {
  const request = page.waitForRequest('**/verification/confirmcode');
  await act();
  return ((await request).postDataJSON() as { code: unknown }).code;
}

test('uses WebOTP where available, again after a resend, only while the page is open', async ({ page, newMobile, passTime }) => {
  await page.addInitScript(() => {
    const requests: unknown[] = [];
    Object.assign(window, { OTPCredential: () => {}, requests });
    navigator.credentials.get = (options) =>
      new Promise((resolve, reject) => {
        const { otp, signal } = options as CredentialRequestOptions & { otp: unknown };
        requests.push(otp);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        window.addEventListener('message-came', (event) => resolve({ code: (event as CustomEvent).detail } as unknown as Credential));
      });
  });
  await reachCode(page, newMobile());
  expect(await page.evaluate(() => (window as unknown as { requests: unknown[] }).requests)).toEqual([{ transport: ['sms'] }]);
  const receiveMessage = (code: string) =>
    page.evaluate((detail) => window.dispatchEvent(new CustomEvent('message-came', { detail })), code);
  expect(await sentCode(page, () => receiveMessage('543210'))).toBe('543210');
  await expect(page.getByLabel('OTP')).toHaveValue('543210');
  await passTime(RESEND_AFTER_SECONDS);
  await page.getByRole('button', { name: 'resend otp?' }).click();
  await expect(page.getByLabel('OTP')).toHaveValue('');
  expect(await sentCode(page, () => receiveMessage('012345'))).toBe('012345');
  await expect(page.getByLabel('OTP')).toHaveValue('012345');
});

test('accepts keyboard autofill, and extracts a pasted code with a leading zero', async ({ page, newMobile, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await reachCode(page, newMobile());
  const field = page.getByLabel('OTP');
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await expect(field).not.toHaveAttribute('type', 'number');
  await page.evaluate(() => navigator.clipboard.writeText(' 012 345 is your code'));
  await field.focus();
  expect(await sentCode(page, () => page.keyboard.press('ControlOrMeta+V'))).toBe('012345');
  await expect(field).toHaveValue('012345');
});

test('accepts the Devanagari digits of a Hindi keyboard in mobile and code', async ({ page, newMobile }) => {
  const devanagari = (digits: string) => digits.replaceAll(/\d/g, (digit) => String.fromCharCode(0x966 + Number(digit)));
  const mobile = newMobile();
  await reachCode(page, devanagari(mobile));
  const code = await newestCode(page, mobile);
  expect(await sentCode(page, () => page.getByLabel('OTP').pressSequentially(devanagari(code)))).toBe(code);
  await expect(page.getByLabel('OTP')).toHaveValue(code);
});

test('confirms a code with a leading zero', async ({ page, newMobile, program }) => {
  // One code in ten begins with zero: request codes until one does.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const mobile = newMobile();
    await page.request.post('/verification/sendcode', { data: { mobile, purpose: 'signup', challenge: '' } });
    const code = await newestCode(page, mobile);
    if (!code.startsWith('0')) continue;
    const response = await page.request.post('/verification/confirmcode', { data: { mobile, purpose: 'signup', code } });
    expect(await response.json()).toMatchObject({ response: 'success' });
    const rows = await program.db.selectFrom('verification_grants').select('id').where('mobile', '=', mobile).execute();
    expect(rows).toHaveLength(1);
    return;
  }
  throw new Error('none of a hundred codes began with zero');
});
