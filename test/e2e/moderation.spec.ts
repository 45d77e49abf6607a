/** Reviews in the console, and what customers see of the changes. Decision 57. */
import { newId } from '../../src/lib/ids.ts';
import { links } from '../../src/shared/links.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { withdrawReview } from '../../src/domains/reviews/contract.ts';
import { DESK_REVIEWS_PER_PAGE } from '../../src/domains/reviews/desk/contract.ts';
import { axe, expect, fitsWidth, sendCall, test } from './fixtures.ts';
import { expectHindi } from './hindi.ts';
import { openConsole } from './staff-steps.ts';

test('an operator replies to a review and hides one, and the page of all reviews follows', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const customer = await signedIn({ name: 'मीरा शर्मा' });
  await program.db.deleteFrom('reviews').execute();
  const rows = Array.from({ length: DESK_REVIEWS_PER_PAGE + 1 }, (_, index) => ({
    id: newId(),
    customer_id: customer.userid,
    star: index === 0 ? 2 : 5,
    message: index === 0 ? 'कमीज़ देर से आई।' : 'सब साफ़ था।',
    created_at: new Date(program.clock.now().getTime() - index * 1000),
  }));
  await program.db.insertInto('reviews').values(rows).execute();
  program.clock.advance(2);
  const desk = await newBrowserPage();
  await openConsole(desk, program, { role: 'operator', mobile: newMobile(), path: staffLinks.reviews(), name: 'अनीता देसाई' });
  const cards = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 2 }) });
  await expect(cards).toHaveCount(DESK_REVIEWS_PER_PAGE);
  await desk.getByRole('button', { name: 'Load more' }).click();
  await expect(cards).toHaveCount(DESK_REVIEWS_PER_PAGE + 1);
  await expect(cards.last().getByRole('link', { name: 'मीरा शर्मा' })).toBeFocused();

  await desk.getByLabel('Stars').selectOption('2 stars');
  await expect(desk).toHaveURL(/\?star=2$/);
  await expect(cards).toHaveCount(1);
  await axe(desk);
  await fitsWidth(desk, 360);
  await cards.getByRole('button', { name: 'Reply' }).click();
  const replying = desk.getByRole('dialog', { name: 'Reply in public' });
  await replying.getByRole('button', { name: 'Publish' }).click();
  await expect(replying.getByText('Write the reply')).toBeVisible();
  await replying.getByLabel('Your reply').fill('माफ़ कीजिए, बारिश थी।');
  await axe(desk);
  await replying.getByRole('button', { name: 'Publish' }).click();
  await expect(replying).toHaveCount(0);
  await expect(cards.getByText('माफ़ कीजिए, बारिश थी।')).toBeVisible();
  await cards.getByRole('button', { name: 'Change the reply' }).click();
  const changing = desk.getByRole('dialog', { name: 'Change the reply' });
  await changing.getByLabel('Your reply').fill('माफ़ कीजिए।');
  await changing.getByRole('button', { name: 'Publish' }).click();
  await expect(cards.getByText('माफ़ कीजिए।')).toBeVisible();
  // The list of the customer's own page lacks the reviews that are shown above it.
  const visitor = await newBrowserPage();
  const shown = visitor.getByRole('region', { name: 'All reviews' }).getByRole('listitem');
  const openSite = async () => {
    // The document is cached for a second.
    program.clock.advance(1);
    await visitor.goto(links.reviews());
  };
  await openSite();
  await expect(shown.filter({ hasText: 'कमीज़ देर से आई।' })).toContainText('माफ़ कीजिए।');

  await cards.getByRole('button', { name: 'Remove the reply' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(cards.getByText('माफ़ कीजिए।')).toHaveCount(0);
  await expect(cards.getByRole('button', { name: 'Reply' })).toBeFocused();
  await cards.getByRole('button', { name: 'Hide' }).click();
  const hiding = desk.getByRole('dialog', { name: 'Hide this review?' });
  await hiding.getByLabel('Reason').fill('no');
  await desk.keyboard.press('Enter');
  await expect(hiding.getByText('Write why it is hidden, in 3 to 200 characters')).toBeVisible();
  await hiding.getByLabel('Reason').fill('दूसरी दुकान के बारे में');
  await axe(desk);
  await desk.keyboard.press('Enter');
  await expect(hiding).toHaveCount(0);
  await expect(cards.getByText('Hidden', { exact: true })).toBeVisible();
  await openSite();
  await expect(shown).toHaveCount(DESK_REVIEWS_PER_PAGE);
  await expect(shown.filter({ hasText: 'कमीज़ देर से आई।' })).toHaveCount(0);

  await desk.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await desk.goto(`${staffLinks.reviews()}?hidden=yes`);
  await expect(desk.getByRole('heading', { level: 1, name: 'रिव्यू' })).toBeVisible();
  await expect(cards).toHaveCount(1);
  await expectHindi(desk, 'the reviews');
  await fitsWidth(desk, 360);
  await cards.getByRole('button', { name: 'फिर से दिखाएँ' }).click();
  await expect(cards.getByRole('button', { name: /^छिपाएँ/ })).toBeFocused();
  await openSite();
  await expect(shown).toHaveCount(DESK_REVIEWS_PER_PAGE + 1);

  await sendCall(page.request, withdrawReview, { userid: customer.userid, reviewid: rows[0]!.id });
  await desk.goto(`${staffLinks.reviews()}?hidden=yes`);
  await expect(cards).toHaveCount(1);
  await expect(cards.getByText('वापस लिया गया', { exact: true })).toBeVisible();
  await expect(cards.getByRole('button')).toHaveCount(0);
  await expectHindi(desk, 'a withdrawn review');
  await axe(desk);
  await openSite();
  await expect(shown).toHaveCount(DESK_REVIEWS_PER_PAGE);
});
