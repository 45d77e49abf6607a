/** The screens of the console that are not about moving orders. Decision 57. */
import { addClaim, addReply, getClaims } from '../../src/domains/claims/contract.ts';
import { CLAIMS_PER_PAGE, settleDeskClaim } from '../../src/domains/claims/desk/contract.ts';
import { ORDERS_PER_PAGE } from '../../src/domains/order-desk/desk/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, fitsWidth, sendCall, test } from './fixtures.ts';
import { advanceOrder, closeOrders, placeOrders } from './ordering.ts';
import { addStaff, openConsole } from './staff-steps.ts';

const problemsLink = (open: number) => (open === 0 ? 'Problems' : `Problems (${open})`);

test('an operator answers a report, settles it with an amount, and the customer has both', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await advanceOrder(program, orderid, 'queue');
  const claim = { userid: customer.userid, orderid, kind: 'missing', message: 'A white sock is missing.' } as const;
  const { claimid } = await sendCall(page.request, addClaim, claim);

  const desk = await newBrowserPage();
  await openConsole(desk, program, { role: 'operator', mobile: newMobile(), path: staffLinks.today() });
  // Other tests leave reports without an answer.
  const { length: open } = await program.db.selectFrom('claims').select('id').where('status', '=', 'open').execute();
  await expect(desk.getByRole('link', { name: problemsLink(open) })).toBeVisible();
  await axe(desk);
  await desk.getByRole('link', { name: open === 1 ? '1 report waits for an answer' : `${open} reports wait for an answer` }).click();
  await expect(desk).toHaveURL(/status=open/);
  await desk.goto(`${staffLinks.claims()}?orderid=${orderid}`);
  const card = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 2 }) });
  await expect(card.getByText('A white sock is missing.')).toBeVisible();
  await axe(desk);
  await fitsWidth(desk, 360);

  await desk.getByRole('button', { name: `Assign report ${claimid}` }).click();
  const assigning = desk.getByRole('dialog', { name: 'Assign this report' });
  await expect(assigning.getByLabel('Who handles it?').locator('option:checked')).toHaveText('Anita Desai (you)');
  await axe(desk);
  // Another person was faster.
  const { personid: other } = await addStaff(program, 'owner', 'Farah Khan', newMobile());
  await program.db.updateTable('claims').set({ assigned_to: other }).where('id', '=', claimid).execute();
  await assigning.getByRole('button', { name: 'Save' }).click();
  await expect(assigning.getByText('Handled by Farah Khan')).toBeVisible();
  await assigning.getByRole('button', { name: 'Save' }).click();
  await expect(assigning).toHaveCount(0);
  await expect(card.getByText('Yours')).toBeVisible();
  await desk.getByLabel('Handled by').selectOption('Me');
  await expect(desk).toHaveURL(/mine=/);
  await expect(card.getByText('Yours')).toBeVisible();

  await desk.getByRole('button', { name: `Answer report ${claimid}` }).click();
  const answering = desk.getByRole('dialog', { name: 'Answer this report' });
  await answering.getByRole('button', { name: 'Send the answer' }).click();
  await expect(answering.getByText('Write the answer')).toBeVisible();
  await axe(desk);
  await answering.getByLabel('Answer').fill('We are looking for it.');
  await answering.getByRole('button', { name: 'Send the answer' }).click();
  await expect(answering).toHaveCount(0);
  await expect(card.getByText('We are looking for it.')).toBeVisible();
  await expect(desk.getByRole('link', { name: problemsLink(open - 1), exact: true })).toBeVisible();

  await desk.getByRole('button', { name: `Settle report ${claimid}` }).click();
  const settling = desk.getByRole('dialog', { name: 'Settle this report' });
  await expect(settling).toContainText('Amount of the order ₹286.14');
  await settling.getByLabel('Answer').fill('It is lost. We are sorry.');
  await settling.getByLabel('Amount for the wallet').fill('20000');
  // The page shows what the customer writes meanwhile, and the dialog too.
  await sendCall(page.request, addReply, { userid: customer.userid, claimid, message: 'Size 40.' });
  await expect(settling.getByText('Size 40.')).toBeVisible();
  await expect(card.getByText('Size 40.')).toBeVisible();
  await expect(settling.getByLabel('Answer')).toHaveValue('It is lost. We are sorry.');
  await settling.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(settling.getByText('The amount is ₹0.01 to ₹10,000')).toBeVisible();
  await settling.getByLabel('Amount for the wallet').fill('5000');
  await settling.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(settling.getByText('₹5,000 is more than the order costs, ₹286.14.')).toBeVisible();
  await expect(settling.getByRole('button', { name: 'Pay ₹5,000 all the same' })).toBeVisible();
  await axe(desk);
  await settling.getByLabel('Amount for the wallet').fill('150.50');
  // A message that no event has brought yet refuses the settlement and is shown then.
  await sendCall(page.request, addReply, { userid: customer.userid, claimid, message: 'Or 42.' });
  await desk.route(`**/${settleDeskClaim.path}`, (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), messages_read: 3 }) }),
  );
  await settling.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(settling.getByText('The customer has written meanwhile.')).toBeVisible();
  await expect(settling.getByText('Or 42.')).toBeVisible();
  await desk.unroute(`**/${settleDeskClaim.path}`);
  await settling.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(settling).toHaveCount(0);
  await expect(card.getByText('₹150.50 went to the wallet.')).toBeVisible();
  const [seen] = await sendCall(page.request, getClaims, { userid: customer.userid, orderid });
  expect(seen).toMatchObject({ claimid, status: 'settled', credited: 15_050 });

  // A settlement that this form does not know of: its amount must not be paid again.
  await sendCall(page.request, addReply, { userid: customer.userid, claimid, message: 'It was silk.' });
  await desk.getByRole('button', { name: `Settle report ${claimid}` }).click();
  await settling.getByLabel('Amount for the wallet').fill('20');
  await sendCall(desk.request, settleDeskClaim, { claimid, answer: 'We add a little.', amount: asPaise(2000) });
  await expect(settling.getByText('This report was settled while this form was open.')).toBeVisible();
  await expect(settling.getByRole('button', { name: 'Settle', exact: true })).toHaveCount(0);
  await desk.keyboard.press('Escape');
  await expect(card.getByText('₹170.50 went to the wallet.')).toBeVisible();

  await desk.getByText('Without an answer').click();
  await expect(desk).toHaveURL(/status=open/);
  await expect(desk.getByText('No problem fits these filters')).toBeVisible();
  await desk.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(desk).toHaveURL(new RegExp(`${staffLinks.claims()}$`));

  await desk.context().addCookies([{ name: 'lang', value: 'hi', url: new URL(desk.url()).origin }]);
  await desk.goto(`${staffLinks.claims()}?status=settled&orderid=${orderid}`);
  await expect(desk.getByRole('heading', { level: 1, name: 'शिकायतें' })).toBeVisible();
  await expect(card).toBeVisible();
  await fitsWidth(desk, 360);
});

test('the list of problems keeps its further pages through a live change, and a page that fails can be loaded again', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const customer = await signedIn();
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  const created = (number: number) => new Date(program.clock.now().getTime() + number * 1000);
  const claims = Array.from({ length: CLAIMS_PER_PAGE + 1 }, (_, number) => ({
    id: newId(),
    customer_id: customer.userid,
    order_id: orderid,
    kind: 'late' as const,
    request_key: newId(),
    body_hash: Buffer.from('a'),
    created_at: created(number),
    answer_by: created(number + 3600),
  }));
  await program.db.insertInto('claims').values(claims).execute();
  const messages = claims.map(({ id, created_at }) => ({
    claim_id: id,
    author: 'customer' as const,
    message: 'Late again.',
    written_at: created_at,
  }));
  await program.db.insertInto('claim_messages').values(messages).execute();

  const desk = await newBrowserPage();
  await openConsole(desk, program, { role: 'operator', mobile: newMobile(), path: `${staffLinks.claims()}?orderid=${orderid}` });
  const cards = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { level: 2 }) });
  await expect(cards).toHaveCount(CLAIMS_PER_PAGE);
  await desk.route('**/staff/claims', (route) => route.abort());
  await desk.getByRole('button', { name: 'Load more' }).click();
  await expect(desk.getByText('We could not reach the server')).toBeVisible();
  await expect(cards).toHaveCount(CLAIMS_PER_PAGE);
  await desk.unroute('**/staff/claims');
  await desk.getByRole('button', { name: 'Load more' }).click();
  await expect(cards).toHaveCount(CLAIMS_PER_PAGE + 1);
  await expect(cards.last().getByRole('link').first()).toBeFocused();

  await sendCall(page.request, addReply, { userid: customer.userid, claimid: claims[0]!.id, message: 'Where is the rider?' });
  await expect(desk.getByText('Where is the rider?')).toBeVisible();
  await expect(cards).toHaveCount(CLAIMS_PER_PAGE + 1);
  await expect(desk.getByRole('button', { name: 'Load more' })).toHaveCount(0);
});

test('a list that changes while more orders load drops them and keeps the focus', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  await closeOrders(program);
  // One customer places at most thirty orders a day.
  await placeOrders(page.request, await signedIn(), ORDERS_PER_PAGE / 2 + 1);
  const [orderid = ''] = await placeOrders(page.request, await signedIn(), ORDERS_PER_PAGE / 2 + 1);

  const desk = await newBrowserPage();
  await openConsole(desk, program, { role: 'operator', mobile: newMobile(), path: staffLinks.orders({ stage: 'pickup' }) });
  await expect(desk.getByRole('main').getByRole('listitem')).toHaveCount(ORDERS_PER_PAGE);
  let respond = () => {};
  await desk.route('**/staff/orders', async (route) => {
    if (!(route.request().postDataJSON() as { cursor?: string }).cursor) return route.continue();
    await new Promise<void>((resolve) => (respond = resolve));
    await route.continue().catch(() => {});
  });
  const showMore = desk.getByRole('button', { name: 'Show more' });
  await showMore.press('Enter');
  await expect(showMore).toHaveAttribute('aria-disabled', 'true');
  await advanceOrder(program, orderid, 'queue');
  await expect(desk.getByRole('region', { name: `Pickup ${ORDERS_PER_PAGE + 1}` })).toBeVisible();
  respond();
  await expect(showMore).not.toHaveAttribute('aria-disabled');
  await expect(showMore).toBeFocused();
});
