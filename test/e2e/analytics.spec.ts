import { expect, test } from './fixtures.ts';

test('sends no events before the visitor consents, and all events afterwards', async ({ page, passTime }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const counted = () => calls.filter((path) => path.startsWith('/analytics/'));
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Login/Signup' }).click();
  await expect(page).toHaveURL('/auth/login');
  await passTime(5);
  expect(counted()).toEqual([]);

  await page.getByRole('region', { name: 'Counting visits' }).getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('region', { name: 'Counting visits' })).toBeHidden();
  await page.getByRole('link', { name: 'Create a account' }).click();
  await expect(page).toHaveURL('/auth/signup');
  await passTime(3);
  await expect.poll(counted).toEqual(['/analytics/settings', '/analytics/collect']);
});

test('stores a rejection and does not ask again', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('region', { name: 'Counting visits' }).getByRole('button', { name: 'No' }).click();
  await page.reload({ waitUntil: 'networkidle' });
  await expect(page.getByRole('region', { name: 'Counting visits' })).toBeHidden();
});

test('times out silently if the settings do not load within a minute', async ({ page, passTime }) => {
  // Playwright's clock does not control AbortSignal.timeout: the stub aborts at once for one
  // minute.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) =>
      milliseconds === 60_000 ? AbortSignal.abort(new DOMException('over', 'TimeoutError')) : timeout(milliseconds);
    localStorage.setItem('analytics-consent', 'yes');
  });
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/auth/login', { waitUntil: 'networkidle' });
  await passTime(3);
  await page.getByRole('link', { name: 'Create a account' }).click();
  await passTime(3);
  await expect(page.getByLabel('Name')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
  expect(calls.filter((path) => /^\/(?:error|analytics\/collect)/.test(path))).toEqual([]);
});
