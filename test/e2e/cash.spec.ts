/** The Cash page of the console. Decisions 53 and 113. */
import type { Page } from '@playwright/test';
import { handIn, explainDifference, getCash } from '../../src/domains/cash/desk/contract.ts';
import { encodeBody } from '../../src/contract/send.ts';
import { receive } from '../../src/domains/order-desk/desk/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { axe, expect, sendCall, test as base } from './fixtures.ts';
import { placeOrderAt } from './ordering.ts';
import { openConsole } from './staff-steps.ts';

const headers = () => ({ 'content-type': 'application/json', 'idempotency-key': newId() });

async function takeCash({ request }: Page, orderid: string, paise: number) {
  const body = encodeBody(receive, { orderid, method: 'cash', amount: asPaise(paise) });
  expect((await request.post(`/${receive.path}`, { headers: headers(), data: body })).status()).toBe(200);
}
async function countCash({ request }: Page, personid: string, paise: number) {
  const body = encodeBody(handIn, { personid, counted: asPaise(paise) });
  expect((await request.post(`/${handIn.path}`, { headers: headers(), data: body })).status()).toBe(200);
}

interface OpenCash {
  /** An order that is out for delivery. */
  orderid: string;
  /** A new rider with this page of the console. No other test has the name. */
  rider: { page: Page; personid: string; name: string };
  ownersPage: Page;
}

const test = base.extend<{ cash: OpenCash }>({
  cash: async ({ page, program, signedIn, newMobile, newBrowserPage }, use) => {
    const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
    const [ridersPage, ownersPage] = [await newBrowserPage(), await newBrowserPage()];
    const name = `Ravi ${newMobile()}`;
    const path = staffLinks.cash();
    const { personid } = await openConsole(ridersPage, program, { role: 'rider', name, mobile: newMobile(), path });
    await openConsole(ownersPage, program, { role: 'owner', mobile: newMobile(), path });
    await use({ orderid, rider: { page: ridersPage, personid, name }, ownersPage });
  },
});

test('the cash of a rider follows its count and explanation on open pages', async ({ cash: { orderid, rider, ownersPage } }) => {
  const { page: ridersPage, personid, name } = rider;
  await takeCash(ridersPage, orderid, 10_000);
  const holders = ridersPage.getByRole('region', { name: 'Who holds cash' });
  await expect(holders).toContainText('₹100');
  await countCash(ownersPage, personid, 9050);
  await expect(holders).toContainText('You hold no cash.');
  const differences = ridersPage.getByRole('region', { name: 'Open differences' });
  await expect(differences).toContainText('-₹9.50');
  const ownersDifferences = ownersPage.getByRole('region', { name: 'Open differences' });
  await expect(ownersDifferences.getByRole('listitem').filter({ hasText: name })).toContainText('-₹9.50');
  const { differences: open } = await sendCall(ownersPage.request, getCash, {});
  const handin = open.find(({ holder }) => holder.personid === personid);
  const body = encodeBody(explainDifference, { handinid: handin?.handinid ?? '', explanation: 'Fuel' });
  await ownersPage.request.post(`/${explainDifference.path}`, { headers: headers(), data: body });
  await expect(differences.getByRole('listitem')).toHaveCount(0);
  await expect(ridersPage.getByRole('region', { name: 'Last hand-ins' })).toContainText('Fuel');
  await expect(ridersPage.getByText('Live', { exact: true })).toBeVisible();
});

test('the rest of a partial hand-in and of a partial banking stays with its holder', async ({ cash: { orderid, rider, ownersPage } }) => {
  const { name } = rider;
  await takeCash(rider.page, orderid, 10_000);
  const holders = ownersPage.getByRole('region', { name: 'Who holds cash' });
  const holder = (text: string) => holders.locator('> ul > li', { has: ownersPage.getByText(text, { exact: true }) });
  await holder(name).getByRole('button', { name: 'Count' }).click();
  const dialog = ownersPage.getByRole('dialog');
  await dialog.getByLabel('Counted').fill('60');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('₹40 less than was received. Count again.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save all the same' }).click();
  await expect(dialog.getByText('Choose where the rest is')).toBeVisible();
  await axe(ownersPage);
  await dialog.getByRole('group', { name: 'The rest: ₹40' }).getByText(`Stays with ${name}`).click();
  await dialog.getByRole('button', { name: 'Save all the same' }).click();
  await expect(holder(name)).toContainText('₹40');
  await expect(holder('You')).toContainText('₹60');
  await holder('You').getByRole('button', { name: 'Take to the bank' }).click();
  await dialog.getByLabel('Amount for the bank').fill('45.50');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('₹14.50 less than you hold.')).toBeVisible();
  await dialog.getByText('Stays with you').click();
  await dialog.getByRole('button', { name: 'Save all the same' }).click();
  await expect(holder('You')).toContainText('₹14.50');
  await expect(holder('You')).toContainText('Kept at the last hand-in');
  await expect(holder('You')).not.toContainText('changes since');
  const last = ownersPage.getByRole('region', { name: 'Last hand-ins' }).getByRole('listitem');
  await expect(last.filter({ hasText: 'Banked by' }).first()).toContainText('₹14.50 stayed with');
  await expect(last.filter({ hasText: name })).toContainText(`₹40 stayed with ${name}`);
  await expect(ownersPage.getByRole('region', { name: 'Open differences' })).not.toContainText(name);
});

test('a hand-in names the colleague, and all amounts of cash end at one edge', async ({ cash: { orderid, rider, ownersPage } }) => {
  const { name } = rider;
  await takeCash(rider.page, orderid, 10_000);
  await countCash(ownersPage, rider.personid, 10_000);
  await takeCash(rider.page, orderid, 5050);
  const list = ownersPage.getByRole('region', { name: 'Who holds cash' });
  await expect(list.getByText(`Handed in by ${name}`)).toBeVisible();
  await list
    .locator('li', { has: ownersPage.getByText(name, { exact: true }) })
    .locator('summary')
    .click();
  const expectOneEdge = async () => {
    const amounts = ownersPage.locator('section[aria-labelledby="holders"] .tabular-nums', { hasText: /^-?₹/ });
    const boxes = await amounts.evaluateAll((nodes) =>
      nodes.filter((node) => node.checkVisibility()).map((node) => ({ right: Math.round(node.getBoundingClientRect().right) })),
    );
    expect(boxes.length).toBeGreaterThan(3);
    expect(new Set(boxes.map(({ right }) => right)).size).toBe(1);
  };
  for (const width of [390, 1280]) {
    await ownersPage.setViewportSize({ width, height: 800 });
    await expectOneEdge();
  }
});

test('a difference of cash is a task of the owner on Today until it is explained', async ({ cash: { orderid, rider, ownersPage } }) => {
  const { name } = rider;
  await ownersPage.goto(staffLinks.today());
  await expect(ownersPage.getByText('Live', { exact: true })).toBeVisible();
  const task = ownersPage.getByRole('link', { name: /differences? of cash to explain/ });
  const shown = async () => ((await task.isVisible()) ? Number.parseInt(await task.innerText(), 10) : 0);
  const before = await shown();
  await takeCash(rider.page, orderid, 10_000);
  await countCash(ownersPage, rider.personid, 9050);
  await expect.poll(shown).toBe(before + 1);
  await task.click();
  const differences = ownersPage.getByRole('region', { name: 'Open differences' }).getByRole('listitem');
  await differences.filter({ hasText: name }).getByRole('button', { name: 'Explain' }).click();
  await ownersPage.getByLabel('Reason').fill('Fuel');
  await ownersPage.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(differences.filter({ hasText: name })).toHaveCount(0);
  await ownersPage.goBack();
  await expect(ownersPage.getByText('Live', { exact: true })).toBeVisible();
  await expect.poll(shown).toBe(before);
});

test('the reversal of a payment in cash begins with what happens to the cash', async ({ page, program, signedIn, newMobile }) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  await openConsole(page, program, { role: 'owner', mobile: newMobile(), path: staffLinks.order(orderid) });
  await takeCash(page, orderid, 10_000);
  await page.getByRole('button', { name: 'Reverse' }).click();
  await expect(page.getByRole('radio', { name: 'Goes back to the customer' })).toBeFocused();
});
