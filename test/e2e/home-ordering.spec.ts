/**
 * The start of an order on home. Specification sections 2 and 8; design section 6, "Sample rates".
 */
import { defaultBrand } from '../../src/shared/brand.ts';
import { SERVICES, tile } from './order-steps.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';
import { setTextSize } from './page-checks.ts';

const RATES = {
  none: ['from ₹38 per kg', 'from ₹62 per kg', 'from ₹45 per kg'],
  Manesar: ['₹38 per kg', '₹62 per kg', '₹45 per kg'],
  'Vatika India Next': ['₹48 per kg', '₹72 per kg', '₹50 per kg'],
} as const;

test('shows three services with the rates of the selected area; a reload preserves the selection', async ({ page, seen }) => {
  await page.goto('/');
  const shown = async (rates: readonly string[]) => {
    for (const [index, service] of SERVICES.entries()) await expect(tile(page, service)).toContainText(rates[index]!);
  };
  for (const service of SERVICES) await seen('home', service);
  await shown(RATES.none);
  await page.getByRole('radio', { name: 'Manesar' }).check();
  await shown(RATES.Manesar);
  await page.getByRole('radio', { name: 'Vatika India Next' }).check();
  await shown(RATES['Vatika India Next']);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Vatika India Next' })).toBeChecked();
  await shown(RATES['Vatika India Next']);
  await axe(page);
  await fitsWidth(page, 320);
});

test('the document contains services and rates without scripts, at / and /home', async ({ page }) => {
  for (const path of ['/', '/home']) {
    const html = await (await page.request.get(path)).text();
    for (const rate of RATES.none) expect(html).toContain(rate);
  }
});

test('shows the service area and the lowest current rate', async ({ page, program }) => {
  await page.goto('/');
  await expect(page.getByText('Sector-1, Manesar', { exact: true })).toBeVisible();
  await expect(page.getByText('as low as ₹38 per kg')).toBeVisible();
  await program.db.updateTable('programs').set({ rate_paise: 3050 }).where('id', '=', 'iron').execute();
  try {
    program.clock.advance(2);
    await page.reload();
    await expect(page.getByText('as low as ₹30.50 per kg')).toBeVisible();
  } finally {
    await program.db.updateTable('programs').set({ rate_paise: 4500 }).where('id', '=', 'iron').execute();
    program.clock.advance(2);
  }
});

test('greets a signed-in customer by name', async ({ page, signedIn, seen }) => {
  const { name } = await signedIn();
  await page.goto('/');
  await seen('home', 'Welcome back {name}, what would you like to do today?', { values: { name } });
  await axe(page);
});

test('with large text on a phone, the areas are below each other in place of broken words', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await setTextSize(page, '200%');
  // One line.
  const words = page.getByText('Manesar', { exact: true });
  await expect.poll(async () => (await words.first().boundingBox())?.height).toBeLessThan(100);
  const [manesar, vatika] = await Promise.all(
    ['Manesar', 'Vatika India Next'].map(async (name) => page.getByRole('radio', { name }).boundingBox()),
  );
  expect(vatika?.y).toBeGreaterThanOrEqual((manesar?.y ?? 0) + (manesar?.height ?? Infinity));
});

const PROGRAMS_FAILED = "Sorry, we couldn't fetch washprograms from server, this is development error, kindly report it on {email}";
const REVIEWS_FAILED = "Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {email}";
const values = { email: defaultBrand.email };

test('shows the messages if programs and reviews fail to load on navigation', async ({ page, seen, expectProblem }) => {
  expectProblem(/response 500: GET .*proandrev/);
  await page.goto('/stages');
  await page.route('**/combinedata/proandrev.php?reviews=best', (route) =>
    route.fulfill({ status: 500, json: { response: 'error', message: 'no', data: null } }),
  );
  await page.getByRole('link', { name: defaultBrand.name, exact: true }).click();
  await seen('home', PROGRAMS_FAILED, { values });
  await seen('home', REVIEWS_FAILED, { values });
  await axe(page);
});

test('after a failed load of the programs, Try again loads the page with them', async ({ page, expectProblem }) => {
  expectProblem(/response 500: GET .*proandrev/);
  await page.goto('/stages');
  const proandrev = '**/combinedata/proandrev.php?reviews=best';
  await page.route(proandrev, (route) => route.fulfill({ status: 500, json: { response: 'error', message: 'no', data: null } }));
  await page.getByRole('link', { name: defaultBrand.name, exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'washprograms' });
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(tile(page, 'Wash')).toBeVisible();
  await expect(notice).toBeHidden();
});

test('a document without rates shows the message, has status 503 and is not cached', async ({ page, program, expectProblem }) => {
  expectProblem(/response 503: GET/);
  expectProblem(/request failed/);
  const rename = (from: string, to: string) => program.db.schema.alterTable(from).renameTo(to).execute();
  await rename('area_variations', 'area_variations_away');
  try {
    program.clock.advance(2);
    const failed = await page.goto('/');
    expect(failed?.status()).toBe(503);
    expect(failed?.headers()['cache-control']).toBe('no-store');
    await expect(page.getByText(PROGRAMS_FAILED.replace('{email}', values.email))).toBeVisible();
  } finally {
    await rename('area_variations_away', 'area_variations');
  }
  const reloaded = await page.reload();
  expect(reloaded?.status()).toBe(200);
  await expect(tile(page, 'Wash')).toBeVisible();
});
