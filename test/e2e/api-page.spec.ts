import { axe, expect, fitsWidth, test } from './fixtures.ts';

test('the API page lists every call, is accessible, and fits a phone', async ({ page, request }) => {
  const { paths } = (await (await request.get('/openapi.json')).json()) as { paths: Record<string, object> };
  await page.goto('/docs/api');
  const headings = await page.getByRole('heading', { level: 3 }).allTextContents();
  expect(headings.map((text) => text.split(' ')[1])).toEqual(Object.keys(paths));
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-size', '32px');
  await fitsWidth(page, 320);
  await axe(page);
});
