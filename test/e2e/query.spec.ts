/** useQuery, with a key that changes and requests that fail. */
import { expect, test as base } from './fixtures.ts';

const policy = "default-src 'none'; script-src 'self'; img-src data:";

const test = base.extend({
  page: async ({ page, servePage }, use) => {
    await page.goto(await servePage({ folder: 'query', policy }));
    await expect(page.getByRole('heading')).toHaveText('list A, request 1');
    await use(page);
  },
});

test('a refetch of an earlier render loads the current key', async ({ page }) => {
  await page.getByRole('button', { name: 'List B' }).click();
  await expect(page.getByRole('heading')).toHaveText('list B, request 2');
  await page.getByRole('button', { name: 'Refetch' }).click();
  await expect(page.getByRole('heading')).toHaveText('list B, request 3');
});

test('a failed refetch keeps the data and reports the error', async ({ page }) => {
  await page.getByRole('button', { name: 'Fail' }).click();
  await page.getByRole('button', { name: 'Refetch' }).click();
  await expect(page.getByText('out of date')).toBeVisible();
  await expect(page.getByRole('heading')).toHaveText('list A, request 1');
  await expect(page.getByRole('status')).toHaveText('Error: no connection');

  await page.getByRole('button', { name: 'Fail' }).click();
  await page.getByRole('button', { name: 'Refetch' }).click();
  await expect(page.getByRole('heading')).toHaveText('list A, request 3');
  await expect(page.getByText('out of date')).toBeHidden();
});

test('a failed retry and a failed load of another key show the error', async ({ page }) => {
  await page.getByRole('button', { name: 'Fail' }).click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading')).toHaveText('error');
  await page.getByRole('button', { name: 'Fail' }).click();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading')).toHaveText('list A, request 3');
  await page.getByRole('button', { name: 'Fail' }).click();
  await page.getByRole('button', { name: 'List B' }).click();
  await expect(page.getByRole('heading')).toHaveText('error');
});
