/** The figures of the laundry in the console. Decision 62. */
import { readFile } from 'node:fs/promises';
import { kolkataDay } from '../../src/lib/dates.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';
import { placeOrders } from './ordering.ts';
import { openConsole } from './staff-steps.ts';

test('an owner reads the figures by day and month, downloads them, and finds days without any', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const customer = await signedIn();
  await placeOrders(page.request, customer, 2);
  const today = kolkataDay(program.clock.now());
  const desk = await newBrowserPage();
  await openConsole(desk, program, {
    role: 'owner',
    mobile: newMobile(),
    path: `${staffLinks.numbers()}?to=${today}`,
    name: 'Rekha Menon',
  });
  const table = desk.getByRole('table', { name: 'All figures' });
  await expect(table.getByRole('row')).toHaveCount(1 + 30 + 1);
  const total = Number(await table.getByRole('row').last().getByRole('cell').first().textContent());
  expect(total).toBeGreaterThanOrEqual(2);
  const chart = desk.getByRole('img', { name: `Orders placed: ${total}.` });
  await expect(chart).toBeVisible();
  const [, most = ''] = /The most was (\d+):/.exec((await chart.getAttribute('aria-label')) ?? '') ?? [];
  const axis = desk.getByRole('figure').filter({ has: chart }).getByText(/^\d+$/, { exact: true });
  await expect(axis).toHaveText([String(total), most, '0']);
  await axe(desk);
  await fitsWidth(desk, 360);

  await desk.getByText('Month', { exact: true }).click();
  await expect(desk).toHaveURL(/by=month/);
  await expect(table.getByRole('row').last().getByRole('cell').first()).toHaveText(String(total));
  const downloading = desk.waitForEvent('download');
  await desk.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^numbers-.*-${today}-by-month\\.csv$`));
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toContain('"From day","Orders placed"');
  // The newest first, as in the table.
  const days = lines.slice(1).map((line) => line.split(',')[0] ?? '');
  expect(days.toSorted((one, other) => other.localeCompare(one))).toEqual(days);
  expect(lines.slice(1).reduce((sum, line) => sum + Number(line.split(',')[1]), 0)).toBe(total);

  await desk.getByLabel('From', { exact: true }).fill('2020-01-01');
  await expect(desk.getByText('Choose at most 731 days')).toBeVisible();
  await desk.goto(`${staffLinks.numbers()}?from=2020-01-01&to=2020-01-05`);
  await expect(desk.getByText('Nothing happened on these days')).toBeVisible();
  await axe(desk);
  await desk.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(desk).toHaveURL(new RegExp(`${staffLinks.numbers()}$`));

  await desk.context().addCookies([{ name: 'lang', value: 'hi', url: new URL(desk.url()).origin }]);
  await desk.goto(`${staffLinks.numbers()}?to=${today}&by=week`);
  await expect(desk.getByRole('heading', { level: 1, name: 'आँकड़े' })).toBeVisible();
  await expect(desk.getByRole('table', { name: 'सभी आँकड़े' })).toBeVisible();
  await fitsWidth(desk, 360);
});
