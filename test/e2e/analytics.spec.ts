import { expect, test } from './fixtures.ts';

test('nothing is counted before the visitor agrees, and everything after', async ({ page, passTime }) => {
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

test('a no is remembered and nothing is ever asked again', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.getByRole('region', { name: 'Counting visits' }).getByRole('button', { name: 'No' }).click();
  await page.reload({ waitUntil: 'networkidle' });
  await expect(page.getByRole('region', { name: 'Counting visits' })).toBeHidden();
});
