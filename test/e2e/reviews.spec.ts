/** Reviews. Specification sections 2, 4, 5, 8 and 9; design section 6, "Reviews". */
import { newId } from '../../src/lib/ids.ts';
import { addReview } from '../../src/domains/reviews/contract.ts';
import { defaultBrand } from '../../src/shared/brand.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { axe, expect, fitsWidth, sendCall, test, type Page } from './fixtures.ts';
import { DAY_SECONDS } from '../../src/lib/clock.ts';

const values = { email: defaultBrand.email };
const FAILED = "Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {email}";
const NOT_POSTED = 'Something gone wrong, please report it at {email}';

test.beforeEach(async ({ program }) => {
  await program.db.deleteFrom('reviews').execute();
  program.clock.advance(2);
});

/** Inserts reviews of one customer, the newest first. */
async function insertReviews(
  { db, clock }: BrowserTestProgram,
  userid: string,
  count: number,
  message = (n: number) => `Review number ${n}`,
) {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    customer_id: userid,
    star: 5 - (index % 5),
    message: message(index + 1),
    created_at: new Date(clock.now().getTime() - (index + 1) * DAY_SECONDS * 1000),
  }));
  await db.insertInto('reviews').values(rows).execute();
  clock.advance(2);
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Write a Review' });
const cards = (page: Page) => page.getByRole('region', { name: 'All reviews' }).getByRole('listitem');
const ownCards = (page: Page) => page.getByRole('region', { name: 'Your reviews' }).getByRole('listitem');

test('shows average, bars and cards with dates and avatars, in the document and after a navigation', async ({
  page,
  seen,
  signedIn,
  context,
  program,
}) => {
  const { userid } = await signedIn({ name: 'Asha Verma' });
  await insertReviews(program, userid, 20);
  await context.clearCookies();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/reviews');
    const summary = page.getByRole('region', { name: 'Average rating' });
    await expect(summary).toContainText('3.0');
    await expect(summary).toContainText('20 reviews');
    for (const label of ['Excellent', 'Good', 'Average', 'Below Average', 'Poor'] as const) {
      await seen('reviews', label, { within: summary });
      await expect(page.getByRole('progressbar', { name: label, exact: true })).toHaveJSProperty('value', 20);
    }
    await expect(summary.getByText('20%')).toHaveCount(5);
    await expect(cards(page)).toHaveCount(20);
    await expect(cards(page).first()).toContainText('Asha Verma');
    await expect(cards(page).first()).toContainText('Nov 20, 2026');
    await axe(page);
  }
  await fitsWidth(page, 320);
  const pictures = await cards(page).evaluateAll((found) => found.map((card) => card.querySelector('use')?.getAttribute('href')));
  expect(new Set(pictures).size).toBe(3);
  const shown = await cards(page).allTextContents();
  await page.goto('/refer');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reviews' }).click();
  await expect(cards(page)).toHaveCount(20);
  expect(await cards(page).allTextContents()).toEqual(shown);
  // The avatar of a review does not change.
  expect(await cards(page).evaluateAll((found) => found.map((card) => card.querySelector('use')?.getAttribute('href')))).toEqual(pictures);
});

test('without reviews shows the average 0.0 and asks for the first', async ({ page }) => {
  await page.goto('/reviews');
  await expect(page.getByRole('region', { name: 'Average rating' })).toContainText('0.0');
  await expect(page.getByText('No reviews yet')).toBeVisible();
  await axe(page);
});

test('a customer writes a review: validation, the list, and the document within a second', async ({ page, seen, signedIn, program }) => {
  const { name } = await signedIn();
  await page.goto('/reviews');
  await seen('reviews', 'Write a Review', { within: page.getByRole('banner').locator('xpath=following-sibling::main') });
  await page.getByRole('button', { name: 'Write a Review' }).first().click();
  await dialog(page).getByRole('button', { name: 'Submit' }).click();
  await seen('reviews', '* Please select number of stars you want to give', { within: dialog(page) });
  await seen('reviews', '* Message field cannot be empty', { within: dialog(page) });
  await expect(dialog(page).getByRole('radio', { name: '1 star' })).toBeFocused();
  await axe(page);
  await fitsWidth(page, 320);

  await dialog(page).getByRole('radio', { name: '4 stars' }).check({ force: true });
  await expect(dialog(page).getByText('* Please select number of stars you want to give')).toBeHidden();
  await dialog(page).getByLabel('Message').fill('x'.repeat(1001));
  await expect(dialog(page).getByText('* Message field cannot be empty')).toBeHidden();
  await expect(dialog(page).getByText('1001/1000')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Submit' }).click();
  await expect(dialog(page).getByText('Please keep your review within 1,000 characters')).toBeVisible();
  await expect(dialog(page).getByLabel('Message')).toBeFocused();
  await dialog(page).getByLabel('Message').fill('Shirts like new.\nOn time, too.');
  // Both stay over a reload.
  await page.reload();
  await page.getByRole('button', { name: 'Write a Review' }).first().click();
  await expect(dialog(page).getByLabel('Message')).toHaveValue('Shirts like new.\nOn time, too.');
  await expect(dialog(page).getByRole('radio', { name: '4 stars' })).toBeChecked();
  await dialog(page).getByRole('button', { name: 'Submit' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(ownCards(page).first()).toContainText('Shirts like new.');
  await expect(ownCards(page).first()).toContainText(name);
  await expect(page.getByRole('region', { name: 'Average rating' })).toContainText('4.0');

  // Stars and message are empty again.
  await page.getByRole('button', { name: 'Write a Review' }).click();
  await expect(dialog(page).getByLabel('Message')).toHaveValue('');
  await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0);

  program.clock.advance(1);
  expect(await (await page.request.get('/reviews')).text()).toContain('Shirts like new.');
  expect(await (await page.request.get('/')).text()).toContain('Shirts like new.');
});

test('a customer withdraws a review after a question', async ({ page, signedIn, program }) => {
  const customer = await signedIn();
  await sendCall(page.request, addReview, { userid: customer.userid, star: 1, message: 'A slip' });
  program.clock.advance(2);
  await page.goto('/reviews');
  const ownReviews = page.getByRole('region', { name: 'Your reviews' });
  const question = page.getByRole('alertdialog', { name: 'Withdraw your review?' });
  await ownReviews.getByRole('button', { name: 'Withdraw this review' }).click();
  await axe(page);
  await fitsWidth(page, 320);
  await question.getByRole('button', { name: 'Keep the review' }).click();
  await expect(ownCards(page)).toHaveCount(1);
  await ownReviews.getByRole('button', { name: 'Withdraw this review' }).click();
  await question.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText('Your review is withdrawn')).toBeVisible();
  await expect(ownReviews).toHaveCount(0);
  await expect(cards(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Average rating' })).toContainText('0.0');
  await expect(page.getByRole('main')).toBeFocused();
  program.clock.advance(2);
  expect(await (await page.request.get('/reviews')).text()).not.toContain('A slip');
});

test('a review of the customer is shown once, with its name and the reply', async ({ page, signedIn, context, program }) => {
  const other = await signedIn({ name: 'Meera Rao' });
  await sendCall(page.request, addReview, { userid: other.userid, star: 4, message: 'Well folded' });
  await context.clearCookies();
  const { userid } = await signedIn({ name: 'Asha Verma' });
  await sendCall(page.request, addReview, { userid, star: 2, message: 'A day late' });
  await program.db
    .updateTable('reviews')
    .set({ reply: 'Sorry, it rained.', replied_at: program.clock.now() })
    .where('customer_id', '=', userid)
    .execute();
  program.clock.advance(2);
  await page.goto('/reviews');
  for (const text of ['A day late', 'Asha Verma', 'Reply from', 'Sorry, it rained.']) await expect(ownCards(page)).toContainText(text);
  await expect(page.getByText('A day late')).toHaveCount(1);
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText('Well folded');
  await axe(page);
  await fitsWidth(page, 320);
  // Without another review, the page does not claim that there is none.
  await program.db.deleteFrom('reviews').where('customer_id', '=', other.userid).execute();
  program.clock.advance(2);
  await page.reload();
  await expect(ownCards(page)).toHaveCount(1);
  await expect(cards(page)).toHaveCount(0);
  await expect(page.getByText('No reviews yet')).toHaveCount(0);
});

test('rejects the fourth review of a day with a message', async ({ page, signedIn, context }) => {
  const { userid } = await signedIn();
  for (const message of ['one', 'two', 'three']) await sendCall(context.request, addReview, { userid, star: 5, message });
  await page.goto('/reviews');
  await page.getByRole('button', { name: 'Write a Review' }).click();
  await dialog(page).getByRole('radio', { name: '5 stars' }).check({ force: true });
  await dialog(page).getByLabel('Message').fill('four');
  await dialog(page).getByRole('button', { name: 'Submit' }).click();
  await expect(dialog(page).getByText('You can write three reviews a day, please come back tomorrow')).toBeVisible();
  await expect(dialog(page).getByLabel('Message')).toHaveValue('four');
  await axe(page);
});

test('redirects a signed-out visitor to the log-in, and returns', async ({ page, seen, signedIn, context }) => {
  const { mobile, password } = await signedIn();
  await context.clearCookies();
  await page.goto('/reviews');
  await page.getByRole('button', { name: 'Write a Review' }).first().click();
  await seen('reviews', 'You need to login first', { within: dialog(page) });
  await seen('reviews', 'Login', { within: dialog(page) });
  await axe(page);
  await fitsWidth(page, 320);
  await dialog(page).getByRole('link', { name: 'Login' }).click();
  await page.getByLabel('Mobile Number').fill(mobile);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/reviews');
});

test('a failed review shows the specified message and keeps the input', async ({ page, seen, signedIn, expectProblem }) => {
  expectProblem(/response 500: POST .*addreview/);
  await signedIn();
  await page.goto('/reviews');
  await page.route('**/reviews/addreview.php', (route) =>
    route.fulfill({ status: 500, json: { response: 'error', message: 'no', data: null } }),
  );
  await page.getByRole('button', { name: 'Write a Review' }).first().click();
  await dialog(page).getByRole('radio', { name: '5 stars' }).check({ force: true });
  await dialog(page).getByLabel('Message').fill('Kept');
  await dialog(page).getByRole('button', { name: 'Submit' }).click();
  await seen('reviews', NOT_POSTED, { values, within: dialog(page) });
  await axe(page);
  await page.unroute('**/reviews/addreview.php');
  await dialog(page).getByRole('button', { name: 'Submit' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(ownCards(page).first()).toContainText('Kept');
});

test('pages through all reviews without duplicates while one is written', async ({ page, seen, signedIn, context, program }) => {
  const { userid } = await signedIn();
  await insertReviews(program, userid, 55);
  await context.clearCookies();
  await page.goto('/reviews');
  await expect(cards(page)).toHaveCount(50);
  await seen('reviews', 'Load more reviews');
  const newest = { id: newId(), customer_id: userid, star: 5, message: 'Written since', created_at: program.clock.now() };
  await program.db.insertInto('reviews').values(newest).execute();
  await page.getByRole('button', { name: 'Load more reviews' }).click();
  await expect(cards(page)).toHaveCount(55);
  await expect(cards(page).nth(50)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Load more reviews' })).toBeHidden();
  const texts = await cards(page).allTextContents();
  expect(new Set(texts).size).toBe(55);
  await axe(page);
});

test('a failed load shows the message, in the document and after a navigation', async ({ page, context, seen, program, expectProblem }) => {
  expectProblem(/response (503|500): GET .*reviews/);
  expectProblem(/request failed/);
  const rename = (from: string, to: string) => program.db.schema.alterTable(from).renameTo(to).execute();
  await rename('review_counts', 'review_counts_away');
  try {
    program.clock.advance(2);
    const failed = await page.goto('/reviews');
    expect(failed?.status()).toBe(503);
    expect(failed?.headers()['cache-control']).toBe('no-store');
    await seen('reviews', FAILED, { values });
    await axe(page);
    await page.goto('/refer');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reviews' }).click();
    await seen('reviews', FAILED, { values });
  } finally {
    await rename('review_counts_away', 'review_counts');
    program.clock.advance(2);
  }
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Average rating' })).toBeVisible();
  // Without a connection, the message does not blame the developers.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Refer' }).click();
  await expect(page).toHaveURL('/refer');
  await context.setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reviews' }).click();
  await expect(main.getByText('No internet connection')).toBeVisible();
  await context.setOffline(false);
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Average rating' })).toBeVisible();
});

test('scripts in reviews and names do not run, and text direction does not leak (S2)', async ({ page, signedIn, context, program }) => {
  const { userid } = await signedIn({ name: '<img src=x onerror=alert(1)>' });
  const hostile = [
    '<script>document.title="owned"</script>',
    '</script><script>document.title="owned"</script>',
    '<img src=x onerror="document.title=\'owned\'"><svg onload="document.title=\'owned\'">',
    '\u202Eturned around',
    'nospacetobreakat'.repeat(60),
    '🧺'.repeat(500),
    `Zal${'\u0300\u0489'.repeat(400)}go`,
    '\\u003c/script\\u003e {{constructor.constructor("document.title=1")()}} ${7*7}',
  ];
  await insertReviews(program, userid, hostile.length, (n) => hostile[n - 1] ?? '');
  await context.clearCookies();
  for (const path of ['/reviews', '/']) {
    await page.goto(path);
    await expect(page.getByText(hostile[0]!).or(page.getByText(hostile[1]!)).first()).toBeVisible();
    await expect(page).not.toHaveTitle(/owned/);
    await expect(page.locator('main img, main script')).toHaveCount(0);
    await fitsWidth(page, 320);
  }
  await page.goto('/reviews');
  await expect(cards(page)).toHaveCount(hostile.length);
  // Combining marks do not paint over the cards around them.
  for (const card of await cards(page).all()) await expect(card).toHaveCSS('contain', 'paint');
  // A direction override ends with its paragraph: the date beside it is unchanged.
  await expect(page.getByText('Nov 17, 2026')).toBeVisible();
  await axe(page);
});
