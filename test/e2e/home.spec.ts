import { axe, expect, fitsWidth, test } from './fixtures.ts';

for (const width of [390, 1280]) {
  test(`home is accessible at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await axe(page);
  });
}

test('home does not scroll horizontally on the narrowest phone', async ({ page }) => {
  await page.goto('/');
  await fitsWidth(page, 320);
});

test('an empty catalogue shows a message, and pages still load', async ({ page, program }) => {
  const rates = await program.db.selectFrom('area_variations').select(['program_id', 'area', 'surcharge_paise']).execute();
  await program.db.deleteFrom('area_variations').execute();
  try {
    // Documents are cached for one second.
    await expect.poll(async () => (await page.request.get('/')).text()).not.toContain('as low as');
    await page.goto('/');
    await expect(page.getByText('What we wash and what it costs will be listed here soon.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Choose a service' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Estimate my price' })).toHaveCount(0);
    await axe(page);
    await page.goto('/stages');
    await expect(page.getByText('What we wash and what it costs will be listed here soon.')).toBeVisible();
  } finally {
    await program.db.insertInto('area_variations').values(rates).execute();
  }
});

test('an unknown path returns 404 and shows the message', async ({ page, expectProblem }) => {
  expectProblem(/response 404: GET .*\/auth\/nowhere/);
  const response = await page.goto('/auth/nowhere');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
});
