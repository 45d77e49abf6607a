/** Orders like those of a browser, for tests that need one. */
import { asPaise } from '../../src/lib/money.ts';
import { addAddress, type AddressForm } from '../../src/domains/addresses/contract.ts';
import { addOrder, TIMESLOT, type OrderRequest, type PlacedOrder } from '../../src/domains/orders/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { newId } from '../../src/lib/ids.ts';
import type { SendOptions } from '../../src/contract/send.ts';
import { newCustomer, newGuest, type ProgramUnderTest, type TestCustomer } from './seed-customers.ts';

export const home = {
  name: 'Meera Nair',
  mobile: '9876501234',
  address1: 'Flat 12, Tower B',
  address2: 'Vatika India Next',
  landmark: 'Opposite the water tank',
  pincode: '122052',
  city: 'Gurugram',
  state: 'Haryana',
} satisfies AddressForm;

/** Wash in Manesar at the sample rate, without an address yet. */
export const washInManesar = {
  timeslot: TIMESLOT,
  program: 'wash',
  programrate: asPaise(3800),
  orderrate: asPaise(3800),
  area: 'manesar',
  detergent: 'surfexcel',
  conditioner: 'softtouch',
  iron: '',
} satisfies OrderRequest;

export interface OrderingCustomer extends TestCustomer {
  /** A valid request for an order. */
  readonly order: OrderRequest;
}

/** Creates a customer with an address and a valid order request. */
export const newOrderingCustomer = async (program: ProgramUnderTest): Promise<OrderingCustomer> => withOrder(await newCustomer(program));

/** Saves an address of the customer and returns a valid order request with it. */
export async function withOrder<Customer extends TestCustomer>(customer: Customer): Promise<Customer & OrderingCustomer> {
  const { data } = await customer.caller.send(addAddress, { ...home, userid: customer.userid });
  return { ...customer, order: { ...washInManesar, userid: customer.userid, addressid: data?.addressid } };
}

/** Creates a guest with a valid order request. */
export async function newOrderingGuest(program: ProgramUnderTest): Promise<OrderingCustomer> {
  const customer = await newGuest(program);
  return { ...customer, order: { ...washInManesar, guest_address: { ...home, mobile: customer.mobile } } };
}

/** Places the customer's order with these changes. Throws if the program rejects it. */
export async function place(
  { caller, order }: OrderingCustomer,
  change: Partial<OrderRequest> = {},
  options?: SendOptions,
): Promise<PlacedOrder> {
  const response = await caller.send(addOrder, { ...order, ...change }, options);
  if (response.response !== 'success') throw new Error(response.message);
  return response.data;
}

/** Weighs an order and moves it to the stage before delivered. */
export async function moveOutForDelivery({ db, clock }: Pick<ProgramUnderTest, 'db' | 'clock'>, orderid: string) {
  await weighOrder(db, orderid, 2000, 8, clock.now());
  for (const stage of ['queue', 'washing', 'delivery'] as const) await moveOrder(db, orderid, stage, clock.now());
}

/** Places an order of the customer that is out for delivery. Returns its id. */
export async function placeOutForDelivery(program: Pick<ProgramUnderTest, 'db' | 'clock'>, customer: TestCustomer): Promise<string> {
  const { orderid } = await place(await withOrder(customer), {}, { idempotencyKey: newId() });
  await moveOutForDelivery(program, orderid);
  return orderid;
}

/** Counts the rows that ordering writes. */
export const countOrders = async ({ db }: Pick<ProgramUnderTest, 'db'>) => {
  const count = async (table: 'orders' | 'order_events' | 'idempotency_keys') => {
    const row = await db
      .selectFrom(table)
      .select((of) => of.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return row.rows;
  };
  return { orders: await count('orders'), events: await count('order_events'), keys: await count('idempotency_keys') };
};
