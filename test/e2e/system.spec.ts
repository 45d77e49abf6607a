/** The screen System of the console: what does not work, and what the owner does. Decision 65. */
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, fitsWidth, test } from './fixtures.ts';
import { expectHindi } from './hindi.ts';
import { placeOrders } from './ordering.ts';
import { openConsole } from './staff-steps.ts';

/** The tests of one worker share its program, and advance its clock by days. */
test.beforeEach(async ({ program: { db, clock } }) => {
  const now = clock.now();
  await db.updateTable('job_runs').set({ started_at: now, succeeded_at: now }).where('ended_at', 'is not', null).execute();
  await db.deleteFrom('notifications').execute();
  await db.deleteFrom('outbox_messages').execute();
  await db.deleteFrom('error_reports').execute();
});

test('the owner reads what does not work, sends an SMS again and checks the ledger', async ({ page, program, signedIn, newMobile }) => {
  const { db, clock } = program;
  await openConsole(page, program, { role: 'owner', mobile: newMobile(), path: staffLinks.system(), name: 'अनीता देसाई' });
  const health = page.getByRole('region', { name: 'Is everything working?' });
  await expect(health.getByText('Everything is working')).toBeVisible();
  await expect(health).toContainText('No code was sent in the last hour. The ledger adds up. The work in the background is done.');
  await expect(page.getByText('None. Every SMS of the last 30 days went out.')).toBeVisible();
  await expect(page.getByText('No visitor met an error in 30 days')).toBeVisible();
  await axe(page);

  const [orderid = ''] = await placeOrders(page.request, await signedIn(), 1);
  const { id } = await db.selectFrom('order_events').select('id').where('order_id', '=', orderid).executeTakeFirstOrThrow();
  const message = db.selectFrom('notifications').select('state').where('event_id', '=', id);
  // The program sends it in the background.
  await expect.poll(async () => (await message.executeTakeFirst())?.state, { timeout: 30_000 }).toBe('sent');
  const refusal = { state: 'withdrawn', failure: 'rejected', error: 'the template is blocked' } as const;
  await db.updateTable('notifications').set(refusal).where('event_id', '=', id).execute();
  const report = { message: 'Cannot read the rates', report: '{"stack":"at cart.js:1:2"}', reported_at: clock.now() };
  await db.insertInto('error_reports').values(report).execute();

  await health.getByRole('button', { name: 'Look again' }).focus();
  await page.keyboard.press('Enter');
  await expect(health.getByText('The SMS company has refused SMS')).toBeVisible();
  await expect(health.getByText('Everything is working')).toHaveCount(0);
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `Order ${orderid}` }) });
  await expect(card).toContainText('the template is blocked');
  await page.getByRole('listitem').filter({ hasText: 'Cannot read the rates' }).getByText('Details').click();
  await expect(page.getByText('at cart.js:1:2')).toBeVisible();
  await axe(page);
  await fitsWidth(page, 360);
  await card.getByRole('button', { name: `Send again ${orderid}` }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The message is sent again')).toBeVisible();
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect.poll(async () => (await message.executeTakeFirst())?.state, { timeout: 30_000 }).toBe('sent');

  await expect(page.getByText(/^It added up on /)).toBeVisible();
  await page.getByRole('button', { name: 'Check the ledger now' }).click();
  await expect(page.getByText('The ledger is being checked')).toBeVisible();
  await expect(page.getByText('Adds up', { exact: true })).toBeVisible();
  const checked = db.selectFrom('staff_audit').select('action').where('action', '=', 'check-ledger');
  expect(await checked.execute()).toHaveLength(1);

  const job = db.updateTable('job_runs').where('job', '=', 'delete expired limits');
  await job.set({ outcome: 'failed', error: 'no space' }).execute();
  await page.goto(staffLinks.today());
  await page.getByRole('link', { name: 'Some work in the background has failed' }).click();
  await expect(health.getByText('Some work in the background has failed')).toBeVisible();
  await job.set({ outcome: 'succeeded', error: null }).execute();

  await page.context().addCookies([{ name: 'lang', value: 'hi', url: program.url }]);
  await db.deleteFrom('error_reports').execute();
  await page.goto(staffLinks.system());
  await expect(page.getByText('सब ठीक चल रहा है', { exact: true })).toBeVisible();
  await expectHindi(page, 'the system');
});
