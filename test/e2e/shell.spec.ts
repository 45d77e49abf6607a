/** The site layout, and pages before hydration or with scripts that fail. */
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { home } from '../support/ordering.ts';
import { respondWith } from './codes.ts';
import { axe, expect, fitsWidth, test, type Page } from './fixtures.ts';
import { placeGuestOrder } from './ordering.ts';
import { sendCall, signIn } from './sign-up.ts';

test('a document whose script fails shows the notice and a reload button', async ({ page, seen, expectProblem }) => {
  expectProblem(/assets\/root-.*\.js/);
  await page.route(/\/assets\/root-.*\.js$/, (route) => route.abort());
  await page.goto('/');
  await seen('site', 'Loading chunk failed');
  await page.unroute(/\/assets\/root-.*\.js$/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByText('Loading chunk failed')).toBeHidden();
});

test('a script that has not loaded after 120 s shows the notice, not earlier', async ({ page, passTime }) => {
  await page.route(/\/assets\/entry\.client-.*\.js$/, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('link', { name: 'Login/Signup' })).toBeVisible();
  await passTime(110);
  await expect(page.getByText('Loading chunk failed')).toBeHidden();
  await passTime(12);
  await expect(page.getByText('Loading chunk failed')).toBeVisible();
});

test('a hydrated page shows no notice after the deadline, and neither does the 404 page', async ({ page, passTime, expectProblem }) => {
  expectProblem(/response 404: GET .*\/nowhere/);
  for (const path of ['/', '/nowhere']) {
    await page.goto(path);
    await passTime(130);
    await expect(page.getByText('Loading chunk failed')).toBeHidden();
  }
});

test('the 404 page shows the signed-in customer', async ({ page, signedIn, expectProblem }) => {
  expectProblem(/response 404: GET .*\/nowhere/);
  await signedIn({ name: 'Asha Verma' });
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hi, Asha Verma' })).toBeVisible();
});

test('the bar of a tablet is one row, also with a long name and in Hindi', async ({ page, context, program, signedIn }) => {
  await signedIn({ name: 'Venkatanarasimha Rajuvaripeta' });
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const lang of ['en', 'hi']) {
    await context.addCookies([{ name: 'lang', value: lang, url: program.url }]);
    await page.goto('/');
    await expect(page.getByRole('banner').getByRole('button', { name: /Rajuvaripeta$/ })).toBeVisible();
    // A row is 64 px, and the border.
    expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThanOrEqual(65);
  }
});

test('the bar of an open page shows that there is no connection', async ({ page, context }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Login/Signup' })).toBeVisible();
  const note = page.getByText('No internet connection');
  await expect(note).toBeHidden();
  await context.setOffline(true);
  await expect(note).toBeVisible();
  await fitsWidth(page, 320);
  await context.setOffline(false);
  await expect(note).toBeHidden();
});

/** The document loads without its entry script until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client-.*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test('taps before hydration are replayed in their order', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByText('Vatika India Next', { exact: true }).first().click();
  const service = page.getByRole('button', { name: /^Wash \+ Iron/ });
  await service.click();
  await service.click();
  await expect(service).toHaveCSS('opacity', '0.7');
  await expect(page.getByRole('dialog')).toBeHidden();
  release();
  const cart = page.getByRole('dialog', { name: 'Wash + Iron' });
  await expect(cart.getByText('₹72 per kg')).toBeVisible();
});

test('scripts load even if the browser never reports a paint', async ({ page, passTime }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await page.getByRole('button', { name: /^Iron/ }).click();
  await passTime(3);
  await expect(page.getByRole('dialog', { name: 'Iron' })).toBeVisible();
});

test('a document leaves its pictures to the time after its first paint, and then fetches them before the scripts', async ({ page }) => {
  const html = await (await page.request.get('/')).text();
  expect(html).toContain('<use data-href="/assets/pictures-');
  expect(html).not.toContain('<use href');

  const requested: string[] = [];
  page.on('request', (request) => requested.push(/pictures-.*\.svg|entry\.client-.*\.js/.exec(request.url())?.[0] ?? ''));
  await page.route(/\/assets\/entry\.client-.*\.js$/, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.locator("use[href^='/assets/pictures-']").first()).toBeAttached();
  await expect(page.locator('use:not([href])')).toHaveCount(0);
  await expect.poll(() => requested.filter(Boolean)).toEqual([expect.stringMatching(/^pictures/), expect.stringMatching(/^entry/)]);
});

test('a form submitted before hydration puts nothing into the address and is submitted afterwards', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/auth/login', { waitUntil: 'commit' });
  await page.getByLabel('Mobile Number').fill('9800000000');
  await page.getByLabel('Password', { exact: true }).fill('not known');
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/auth/login');
  release();
  await expect(page.getByText("User doesn't exists", { exact: true })).toBeVisible();
  await expect(page.getByLabel('Mobile Number')).toHaveValue('9800000000');
  await expect(page).toHaveURL('/auth/login');
});

test('a navigation moves the focus to the new page', async ({ page }) => {
  // Before hydration, a link loads a document, which receives the focus.
  await page.goto('/');
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Refer' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/refer');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a tap on a link shows a line at the top until a slow page arrives', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const line = page.locator('i[aria-busy]');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/refer-|\/refer\.data/, async (route) => {
    await released;
    await route.continue();
  });
  await expect(line).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Refer' }).click();
  await expect(line).toBeVisible();
  await expect(line).toHaveAttribute('aria-busy', 'true');
  expect((await line.boundingBox())!.y).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await axe(page);
  release();
  await expect(page).toHaveURL('/refer');
  await expect(line).toHaveCount(0);
});

test('long words and names do not cause horizontal scrolling', async ({ page, context, program }) => {
  const { userid } = await signIn(program, context, { name: 'W'.repeat(120), mobile: '9810000001', password: 'fresh and folded' });
  await sendCall(page.request, addAddress, { ...home, userid, name: 'n'.repeat(100), address1: 'a'.repeat(150) });
  for (const address of ['/', '/auth/address', '/auth/profile', '/stages']) {
    await page.goto(address);
    await expect(page.getByRole('button', { name: /^Hi, / })).toBeVisible();
    await fitsWidth(page, 320);
  }
});

test('the focused field is not covered by the actions at the bottom', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto('/auth/signup');
  for (const label of ['Name', 'Mobile', 'Password', 'Referral Code']) {
    await page.getByLabel(label, { exact: true }).focus();
    const overlapped = await page.getByLabel(label, { exact: true }).evaluate((field) => {
      const bar = document.querySelector('.tab-bar')?.getBoundingClientRect();
      return field.getBoundingClientRect().bottom > (bar?.top ?? innerHeight);
    });
    expect(overlapped, label).toBe(false);
  }
});

test('a response with status 500 is reported and shows the specified message, in Hindi too', async ({
  page,
  context,
  signedIn,
  expectProblem,
}) => {
  expectProblem(/response 500: POST .*address/);
  await signedIn();
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/error/adderror.php')) reports.push((request.postDataJSON() as { error: string }).error);
  });
  await respondWith(page, 'address/getaddress.php', 500);
  await page.goto('/auth/address');
  await expect(page.getByText("Error - 'Something went wrong, try again later' posted to developers")).toBeVisible();
  await expect.poll(() => reports.length).toBe(1);
  const report = JSON.parse(reports[0]!) as Record<string, unknown>;
  expect(Object.keys(report)).toEqual(['message', 'stack', 'context']);
  await context.addCookies([{ name: 'lang', value: 'hi', url: page.url() }]);
  await page.reload();
  await expect(page.getByText("गड़बड़ी - 'कुछ गड़बड़ हो गई, बाद में कोशिश करें' की सूचना डेवलपर को भेज दी गई है")).toBeVisible();
});

test('an unexpected error is reported and shows the specified message', async ({ page, seen, context, program }) => {
  await signIn(program, context, { name: 'Meera Nair', mobile: '9810000099', password: 'fresh and folded' });
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/error/adderror.php')) reports.push((request.postDataJSON() as { error: string }).error);
  });
  await page.route('**/address/getaddress.php', (route) => route.fulfill({ json: { response: 'success', message: '', data: 'no list' } }));
  await page.goto('/auth/address');
  const alert = page.getByText(/^Error - '.+' posted to developers$/s);
  await expect(alert).toBeVisible();
  const message = /'(.+)'/s.exec((await alert.textContent()) ?? '')?.[1] ?? '';
  await seen('site', "Error - '{message}' posted to developers", { values: { message } });
  await expect.poll(() => reports.map((report) => (JSON.parse(report) as { message: string }).message)).toEqual([message]);
});

test('a customer and a guest reach their orders from the bar, other visitors have no such link', async ({ page, newMobile, signedIn }) => {
  const bar = page.getByRole('navigation', { name: 'Main' });
  const orders = bar.getByRole('link', { name: 'Orders' });
  await page.goto('/');
  await expect(bar.getByRole('link')).toHaveCount(4);
  await placeGuestOrder(page.request, newMobile());
  // Also before hydration.
  const release = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(orders).toBeVisible();
  release();
  await orders.click();
  await expect(page.getByRole('link', { name: 'Wash', exact: true })).toBeVisible();
  await signedIn();
  await page.goto('/');
  await expect(page.getByRole('button', { name: /^Hi, / })).toBeVisible();
  await expect(orders).toBeVisible();
  await fitsWidth(page, 320);
});

test('the bar of a phone shows the whole first name, also in Hindi at 320 px', async ({ page, context, program, signedIn }) => {
  await context.addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await signedIn({ name: 'Chandrika Venkatasubramanian' });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/');
  const name = page.getByText('Chandrika', { exact: true }).filter({ visible: true });
  await expect(name).toBeVisible();
  const isCut = await name.evaluate((element) => {
    const box = element.closest('button > span')!;
    return box.scrollWidth > box.clientWidth;
  });
  expect(isCut).toBe(false);
});
