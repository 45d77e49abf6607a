/** What stands around every page, and what happens when a page's script does not come. */
import { expect, test } from './fixtures.ts';

test('a document whose script fails says so and offers to load again, without any script of ours', async ({
  page,
  seen,
  expectTrouble,
}) => {
  expectTrouble(/assets\/root-.*\.js/);
  await page.route(/\/assets\/root-.*\.js$/, (route) => route.abort());
  await page.goto('/');
  await seen('site', 'Loading chunk failed');
  await page.unroute(/\/assets\/root-.*\.js$/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByText('Loading chunk failed')).toBeHidden();
});

test('a script that has not come after 120 s is given up, not earlier', async ({ page, passTime }) => {
  await page.route(/\/assets\/entry\.client-.*\.js$/, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('link', { name: 'Login/Signup' })).toBeVisible();
  await passTime(110);
  await expect(page.getByText('Loading chunk failed')).toBeHidden();
  await passTime(12);
  await expect(page.getByText('Loading chunk failed')).toBeVisible();
});

test('a script that comes in time leaves no trace of the deadline', async ({ page, passTime }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await passTime(130);
  await expect(page.getByText('Loading chunk failed')).toBeHidden();
});
