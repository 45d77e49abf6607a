/** How a code gets into its field without being typed. Specification section 4, "Verification"; design section 8. */
import { newestCode } from './codes.ts';
import { expect, test, type Page } from './fixtures.ts';

async function reachCode(page: Page, mobile: string) {
  await page.goto('/auth/signup', { waitUntil: 'networkidle' });
  await page.getByLabel('Name').fill('Asha');
  await page.getByLabel('Mobile').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
}

/** The next code that is asked for: its zero must reach the server. */
async function confirmed(page: Page) {
  const sent = page.waitForRequest('**/verification/confirmcode');
  await page.getByRole('button', { name: /Validate/ }).click();
  return ((await sent).postDataJSON() as { code: unknown }).code;
}

test('the browser reads it from the message, where it can, for this page alone', async ({ page, newMobile }) => {
  await page.addInitScript(() => {
    const asked: unknown[] = [];
    Object.assign(window, { OTPCredential: () => {}, asked });
    navigator.credentials.get = (options) =>
      new Promise((resolve, reject) => {
        const { otp, signal } = options as CredentialRequestOptions & { otp: unknown };
        asked.push(otp);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        window.addEventListener('message-came', () => resolve({ code: '012345' } as unknown as Credential));
      });
  });
  await reachCode(page, newMobile());
  expect(await page.evaluate(() => (window as unknown as { asked: unknown[] }).asked)).toEqual([{ transport: ['sms'] }]);
  await page.evaluate(() => window.dispatchEvent(new Event('message-came')));
  await expect(page.getByLabel('OTP')).toHaveValue('012345');
  expect(await confirmed(page)).toBe('012345');
});

test('the keyboard offers it, and a pasted one loses what stands around it, not its zero', async ({ page, newMobile, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await reachCode(page, newMobile());
  const field = page.getByLabel('OTP');
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await expect(field).not.toHaveAttribute('type', 'number');
  await page.evaluate(() => navigator.clipboard.writeText(' 012 345 is your code'));
  await field.focus();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(field).toHaveValue('012345');
  expect(await confirmed(page)).toBe('012345');
});

test('a code that begins with zero is sent, typed and right', async ({ page, newMobile, program }) => {
  // One code in ten begins with zero: as many are asked for as it takes.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const mobile = newMobile();
    await page.request.post('/verification/sendcode', { data: { mobile, purpose: 'signup', challenge: '' } });
    const code = await newestCode(page, mobile);
    if (!code.startsWith('0')) continue;
    const answer = await page.request.post('/verification/confirmcode', { data: { mobile, purpose: 'signup', code } });
    expect(await answer.json()).toMatchObject({ response: 'success' });
    const rows = await program.db.selectFrom('verification_grants').select('id').where('mobile', '=', mobile).execute();
    expect(rows).toHaveLength(1);
    return;
  }
  throw new Error('no code of a hundred began with zero');
});
