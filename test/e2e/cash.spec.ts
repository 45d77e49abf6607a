/** The Cash page of the console. Decisions 53 and 113. */
import type { Page } from '@playwright/test';
import { handIn, explainDifference, getCash } from '../../src/domains/cash/desk/contract.ts';
import { encodeBody } from '../../src/contract/send.ts';
import { receive } from '../../src/domains/order-desk/desk/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import { asPaise } from '../../src/lib/money.ts';
import { staffLinks } from '../../src/shared/staff-links.ts';
import { expect, sendCall, test } from './fixtures.ts';
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

test('the cash of a rider follows its count and explanation on open pages', async ({
  page,
  program,
  signedIn,
  newMobile,
  newBrowserPage,
}) => {
  const orderid = await placeOrderAt({ page, program }, await signedIn(), 'delivery');
  const [ridersPage, ownersPage] = [await newBrowserPage(), await newBrowserPage()];
  const open = { mobile: newMobile(), path: staffLinks.cash() };
  const { personid } = await openConsole(ridersPage, program, { ...open, role: 'rider', name: 'Ravi Kumar' });
  await openConsole(ownersPage, program, { ...open, role: 'owner', mobile: newMobile() });
  await takeCash(ridersPage, orderid, 10_000);
  const holders = ridersPage.getByRole('region', { name: 'Who holds cash' });
  await expect(holders).toContainText('₹100');
  await countCash(ownersPage, personid, 9050);
  await expect(holders).toContainText('You hold no cash.');
  const differences = ridersPage.getByRole('region', { name: 'Open differences' });
  await expect(differences).toContainText('-₹9.50');
  const ownersDifferences = ownersPage.getByRole('region', { name: 'Open differences' });
  await expect(ownersDifferences.getByRole('listitem').filter({ hasText: 'Ravi Kumar' })).toContainText('-₹9.50');
  const cash = await sendCall(ownersPage.request, getCash, {});
  const handin = cash.differences.find(({ holder }) => holder.personid === personid);
  const body = encodeBody(explainDifference, { handinid: handin?.handinid ?? '', explanation: 'Fuel' });
  await ownersPage.request.post(`/${explainDifference.path}`, { headers: headers(), data: body });
  await expect(differences.getByRole('listitem')).toHaveCount(0);
  await expect(ridersPage.getByRole('region', { name: 'Last hand-ins' })).toContainText('Fuel');
  await expect(ridersPage.getByText('Live', { exact: true })).toBeVisible();
});
