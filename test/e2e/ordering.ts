/** Orders for browser tests, placed by calls and advanced by the services of the domain. */
import type { APIRequestContext, Page } from '@playwright/test';
import { newId } from '../../src/lib/ids.ts';
import { addAddress } from '../../src/domains/addresses/contract.ts';
import { addOrder, PROGRESS_STAGES, STAGES, type OrderRequest, type Stage } from '../../src/domains/orders/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { confirmCode, sendCode } from '../../src/domains/verification/contract.ts';
import { readEnvelope, encodeBody } from '../../src/contract/send.ts';
import { home, washInManesar } from '../support/ordering.ts';
import type { BrowserTestProgram } from './built-program.ts';
import { sendCall, type TestCustomer } from './sign-up.ts';

/**
 * Places orders (Wash in Manesar) at an existing or a new address. Returns the order numbers,
 * oldest first.
 */
export async function placeOrders(
  request: APIRequestContext,
  { userid }: TestCustomer,
  count: number,
  existingAddressid?: string,
): Promise<string[]> {
  const addressid = existingAddressid ?? (await sendCall(request, addAddress, { ...home, userid })).addressid;
  const orderids = [];
  for (let placed = 0; placed < count; placed++) orderids.push(await placeOrder(request, { ...washInManesar, userid, addressid }));
  return orderids;
}

/** Verifies the mobile and places an order as a guest. Returns the order number. */
export async function placeGuestOrder(request: APIRequestContext, mobile: string): Promise<string> {
  await sendCall(request, sendCode, { mobile, purpose: 'guest', challenge: '' });
  const [message] = (await (await request.get(`/outbox.json?mobile=${mobile}`)).json()) as { code: string }[];
  await sendCall(request, confirmCode, { mobile, purpose: 'guest', code: message?.code ?? '' });
  return placeOrder(request, { ...washInManesar, guest_address: { ...home, mobile } });
}

export async function placeOrder(request: APIRequestContext, body: OrderRequest): Promise<string> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
  const response = await request.post(`/${addOrder.path}`, { headers, data: encodeBody(addOrder, body) });
  const envelope = readEnvelope(addOrder, response.status(), await response.json());
  if (envelope.response !== 'success') throw new Error(envelope.message);
  return envelope.data.orderid;
}

/** Weighs the order (7.53 kg, 12 items) and moves it to `stage`. */
export async function advanceOrder({ db, clock }: BrowserTestProgram, orderid: string, stage: Stage) {
  await weighOrder(db, orderid, 7530, 12, clock.now());
  for (const row of PROGRESS_STAGES.slice(1, PROGRESS_STAGES.findIndex((row) => row.stage === stage) + 1)) {
    await moveOrder(db, orderid, row.stage, clock.now(), { bonusTime: 'sign-up' });
  }
}

/** Places an order of ₹286.14, half of it ₹143.07, and advances it to `stage`. */
export async function placeOrderAt(
  { page, program }: { page: Page; program: BrowserTestProgram },
  customer: TestCustomer,
  stage: Stage,
): Promise<string> {
  const [orderid = ''] = await placeOrders(page.request, customer, 1);
  await advanceOrder(program, orderid, stage);
  return orderid;
}

const OPEN_STAGES = STAGES.flatMap(({ stage, next }) => (next === null ? [] : stage));

/**
 * Takes all orders off the lists of the staff. The orders of former tests would fill them: axe and
 * the browser need seconds for fifty lines.
 */
export async function closeOrders({ db, clock }: BrowserTestProgram) {
  const now = clock.now();
  await db
    .updateTable('orders')
    .set({ stage: 'cancelled', cancelled_at: now, cancelled_by: 'laundry', cancelled_from: 'pickup' })
    .where('stage', 'in', OPEN_STAGES)
    .execute();
  await db.updateTable('orders').set({ returned_at: now }).where('stage', '=', 'cancelled').where('returned_at', 'is', null).execute();
  await db.deleteFrom('unexplained_bags').execute();
}
