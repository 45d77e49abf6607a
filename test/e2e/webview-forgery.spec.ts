/** Messages that do not come from the app, and limits of those that do (docs/security.md, S7). */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newestCode } from './codes.ts';
import { expect, type Page } from './fixtures.ts';
import { test } from './webview-app.ts';

const VICTIM = '9876543210';
const forged = JSON.stringify({
  v: 1,
  type: 'userdata',
  payload: { loggedin: true, name: 'Somebody Else', email: 'a@b.example', mobile: VICTIM, userid: 'FORGED', wallet: 9999 },
});

/** Returns the state that identifies a customer: session storage, cookies and the visible text. */
const readIdentity = async (page: Page) => ({
  tab: await page.evaluate(() => JSON.stringify(sessionStorage)),
  cookies: (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).toSorted(),
  shown: await page.getByRole('main').innerText(),
});

/** The text that /webview/refer shows after hydration, once the session is known. */
const expectSignedOut = (page: Page) => expect(page.getByText('You are not logged in')).toBeVisible();

/** Waits until the page has processed earlier messages. */
async function flushMessages(page: Page) {
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        const channel = new MessageChannel();
        channel.port1.addEventListener('message', () => done());
        channel.port1.start();
        channel.port2.postMessage('');
      }),
  );
}

async function serve(html: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, server };
}

test('another site cannot reach the page by opener or frame', async ({ context, program, expectProblem }) => {
  const { url, server } = await serve(`<!doctype html><title>attacker</title><link rel="icon" href="data:,"><button>open</button><script>
    document.querySelector('button').onclick = () => { window.other = window.open('${program.url}/webview/refer'); };
  </script>`);
  const attacker = await context.newPage();
  await attacker.goto(url);
  const [popup] = await Promise.all([context.waitForEvent('page'), attacker.getByRole('button').click()]);
  await expectSignedOut(popup);
  expect(await attacker.evaluate(() => (window as unknown as { other: Window | null }).other?.closed ?? true)).toBe(true);
  expect(await popup.evaluate(() => window.opener === null)).toBe(true);

  expectProblem(/console\.error: .*frame/i);
  expectProblem(/request failed: GET .*\/webview\/refer/);
  await attacker.evaluate((address) => {
    const frame = document.createElement('iframe');
    frame.src = address;
    document.body.append(frame);
    return new Promise((loaded) => frame.addEventListener('load', loaded));
  }, `${program.url}/webview/refer`);
  expect(await attacker.frames()[1]?.locator('main').count()).toBe(0);
  server.close();
});

test('without those headers, a message of another site still changes nothing', async ({ context, program, page }) => {
  const { url, server } = await serve(`<!doctype html><title>attacker</title><link rel="icon" href="data:,"><button>open</button><script>
    document.querySelector('button').onclick = () => { window.other = window.open('${program.url}/webview/refer'); };
  </script>`);
  await context.route('**/webview/refer', async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    delete headers['cross-origin-opener-policy'];
    await route.fulfill({ response, headers });
  });
  await page.goto(url);
  const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button').click()]);
  await expectSignedOut(popup);
  const before = await readIdentity(popup);
  // The page's window receives the message.
  await popup.evaluate(() => {
    addEventListener('message', ({ origin }) => void (document.documentElement.dataset.heard = origin));
  });
  await page.evaluate((text) => (window as unknown as { other: Window }).other.postMessage(text, '*'), forged);
  await expect(popup.locator('html')).toHaveAttribute('data-heard', new URL(url).origin);
  await flushMessages(popup);
  expect(await readIdentity(popup)).toEqual(before);
  await expect(popup.getByText('You are not logged in')).toBeVisible();
  server.close();
});

test('messages of another window and invalid, unknown or huge messages change nothing; a valid one works', async ({ page, startApp }) => {
  const app = await startApp('Android');
  await page.goto('/webview/refer');
  await expectSignedOut(page);
  const before = await readIdentity(page);
  // A window of the same origin, such as a frame, that is not the page's window.
  await page.evaluate((text) => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const source = frame.contentWindow;
    window.dispatchEvent(new MessageEvent('message', { data: text, origin: window.location.origin, source }));
    frame.remove();
  }, forged);
  const invalidMessages = [
    forged.replace('"userdata"', '"token"'),
    forged.replace('"v":1', '"v":2'),
    `${forged.slice(0, -1)},"padding":"${'x'.repeat(1024 * 1024)}"}`,
    forged.slice(1),
    '[]',
    forged.replace(VICTIM, 'javascript:alert(1)'),
  ];
  for (const text of invalidMessages) await app.push(text);
  await flushMessages(page);
  expect(await readIdentity(page)).toEqual(before);

  await app.push(forged);
  await expect(page.getByText(/Tap to copy/)).toBeVisible();
});

test('userdata of another customer does not sign in, sends no request and only changes the link', async ({
  page,
  startApp,
  signedIn,
  context,
}) => {
  const victim = await signedIn({ name: 'Meera Nair' });
  await context.clearCookies();
  const app = await startApp('React Native');
  await page.goto('/webview/refer', { waitUntil: 'networkidle' });
  const before = await readIdentity(page);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await app.push(forged.replace(VICTIM, victim.mobile).replace('FORGED', victim.userid));
  await expect(page.getByText(/Tap to copy/)).toBeVisible();
  const after = await readIdentity(page);
  expect({ tab: after.tab, cookies: after.cookies }).toEqual({ tab: before.tab, cookies: before.cookies });
  expect(requests).toEqual([]);
  await expect(page.getByText(/Somebody Else|9999|Meera/)).toHaveCount(0);
  const response = await page.request.post('/login/getuserdetails.php', { data: { token: victim.userid } });
  expect(response.status()).toBe(401);

  // Other pages do not use it.
  await page.goto('/auth/profile');
  await expect(page.getByText('Please login first')).toBeVisible();
});

test('pushed userdata does not replace the signed-in customer', async ({ page, startApp, signedIn }) => {
  const customer = await signedIn({ name: 'Asha Verma' });
  const app = await startApp('Flutter');
  await page.goto('/webview/refer');
  await expect(page.getByText(/Tap to copy/)).toBeVisible();
  const before = await readIdentity(page);
  await app.push(forged);
  await flushMessages(page);
  expect(await readIdentity(page)).toEqual(before);
  expect(before.tab).toContain(customer.mobile);
});

test('sign-up and reset send no secret to the app', async ({ page, startApp, newMobile, passTime, context }) => {
  const app = await startApp('Android');
  const mobile = newMobile();
  const secrets = new Set(['six chars', 'brand new']);
  await page.goto('/webview/signup');
  await page.getByLabel('Name').fill('Asha');
  await page.getByLabel('Mobile').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill('six chars');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/webview/verification');
  const code = await newestCode(page, mobile);
  secrets.add(code);
  await page.getByLabel('OTP').fill(code);
  await expect(page.getByRole('heading', { name: 'Account Created' })).toBeVisible();
  const userdata = await page.evaluate(() => JSON.parse(sessionStorage.getItem('userdata') ?? '{}') as { userid: string });
  secrets.add(userdata.userid);
  for (const { value } of await context.cookies()) if (value.length > 8) secrets.add(value);

  await passTime(31);
  await page.goto('/webview/forgotpassword');
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByRole('button', { name: 'Proceed' }).click();
  await expect(page.getByLabel('OTP')).toBeVisible();
  const resetCode = await newestCode(page, mobile);
  secrets.add(resetCode);
  await page.getByLabel('OTP').fill(resetCode);
  await page.getByLabel('New Password', { exact: true }).fill('brand new');
  await page.getByLabel('Confirm New Password').fill('brand new');
  await page.getByRole('button', { name: 'Update password' }).click();
  await app.expectMessages({ type: 'Account Created', payload: { mobile } }, { type: 'open-login', payload: {} });
  const messages = JSON.stringify(await app.receivedMessages());
  for (const secret of secrets) expect(messages).not.toContain(secret);
});
