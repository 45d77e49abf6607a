/** The owner sets the price of a service on the screen of the console. */
import { programsAndReviews } from '../../src/domains/catalogue/contract.ts';
import { asPaise } from '../../src/lib/money.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, fitsWidth, sendCall, test } from './fixtures.ts';
import { expectHindi } from './hindi.ts';
import { addStaff, logInStaff, openConsole, STAFF_PASSWORD } from './staff-steps.ts';

/** The tests of one worker share its program. */
test.afterEach(async ({ program: { db } }) => {
  await db.updateTable('programs').set({ rate_paise: 4500 }).where('id', '=', 'iron').execute();
  await db
    .updateTable('area_variations')
    .set({ surcharge_paise: 0 })
    .where('program_id', '=', 'iron')
    .where('area', '=', 'manesar')
    .execute();
});

test('the owner compares the old and the new price and saves it, and a rider reads it', async ({
  page,
  program,
  newMobile,
  passTime,
  expectProblem,
}) => {
  const [owner, rider] = [newMobile(), newMobile()];
  await addStaff(program, 'owner', 'Anita Desai', owner);
  await addStaff(program, 'rider', 'सुनील यादव', rider);
  await page.goto(staffLinks.catalogue());
  await logInStaff(page, owner);
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: 'Iron', exact: true }) });
  await expect(card).toContainText('₹50 per kg');
  await axe(page);
  await fitsWidth(page, 360);

  await card.getByRole('button', { name: 'Change the price Iron' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Price of Iron' });
  await expect(dialog.getByLabel('Price of one kilogram')).toBeFocused();
  await dialog.getByLabel('Price of one kilogram').fill('47.555');
  await dialog.getByLabel('Surcharge in Manesar').fill('1001');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('At most two decimals')).toBeVisible();
  await expect(dialog.getByText('A surcharge is ₹0 to ₹1,000')).toBeVisible();
  await expect(dialog.getByText('Enter possible amounts to see it.')).toBeVisible();
  await axe(page);
  await dialog.getByLabel('Price of one kilogram').fill('47.5');
  await dialog.getByLabel('Surcharge in Manesar').fill('2');
  await expect(dialog.getByText('from ₹49.50 per kg')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('₹49.50 per kg 10% more')).toBeVisible();
  await expect(dialog.getByText('₹52.50 per kg 5% more')).toBeVisible();
  await axe(page);
  await fitsWidth(page, 360);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(dialog.getByLabel('Price of one kilogram')).toBeFocused();
  await expect(dialog.getByLabel('Price of one kilogram')).toHaveValue('47.5');
  await page.keyboard.press('Enter');

  // The input survives the log-in that the change needs.
  await passTime(11 * 60);
  expectProblem(/response 403: POST .*\/staff\/setprogram/);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const again = page.getByRole('dialog', { name: 'Log in again' });
  await again.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD);
  await again.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('The rates are saved')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(card).toContainText('₹49.50 per kg');
  const seen = await sendCall(page.request, programsAndReviews, {});
  expect(seen.variations.find((row) => row.programid === 'iron' && row.area === 'vatika')?.rate).toBe(asPaise(5250));

  await page.context().clearCookies({ name: 'staff' });
  await page.goto(staffLinks.catalogue());
  await logInStaff(page, rider);
  await expect(card).toContainText('₹52.50 per kg');
  await page.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await page.goto(staffLinks.catalogue());
  await expect(page.getByRole('heading', { level: 1, name: 'सेवाएँ और दाम' })).toBeVisible();
  await expect(page.getByRole('button', { name: /दाम बदलें/ })).toHaveCount(0);
  await expectHindi(page, 'the catalogue');
});

test('a price that another owner has changed meanwhile is shown, and what was typed stays', async ({
  page,
  program,
  newMobile,
  expectProblem,
}) => {
  await openConsole(page, program, { role: 'owner', mobile: newMobile(), path: staffLinks.catalogue() });
  await page.getByRole('button', { name: 'Change the price Iron' }).click();
  const dialog = page.getByRole('dialog', { name: 'Price of Iron' });
  await dialog.getByLabel('Price of one kilogram').fill('47');
  // The dialog is smaller afterwards: the second click is outside it, and closes nothing.
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole('button', { name: 'Compare and save' }).dblclick();
  const { db } = program;
  await db.updateTable('programs').set({ rate_paise: 4600 }).where('id', '=', 'iron').execute();
  const manesar = db.updateTable('area_variations').set({ surcharge_paise: 300 }).where('program_id', '=', 'iron');
  await manesar.where('area', '=', 'manesar').execute();
  expectProblem(/response 409: POST .*\/staff\/setprogram/);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('This was changed while the form was open')).toBeVisible();
  await expect(dialog.getByText('Price now: ₹46 per kg')).toBeVisible();
  await expect(dialog.getByLabel('Price of one kilogram')).toHaveValue('47');
  await expect(dialog.getByLabel('Surcharge in Manesar')).toHaveValue('3');
  await axe(page);
  await fitsWidth(page, 360);
  await dialog.getByRole('button', { name: 'Compare and save' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('₹50 per kg')).toBeVisible();
});
