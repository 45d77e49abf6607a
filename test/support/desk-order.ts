/** An order and the staff that works on it, for tests of the changes of the staff. */
import { getDeskOrder, type DeskOrder } from '../../src/domains/order-desk/desk/contract.ts';
import { getOrder, type Order } from '../../src/domains/orders/contract.ts';
import { newOrderingCustomer, place, type OrderingCustomer } from './ordering.ts';
import type { ProgramUnderTest } from './seed-customers.ts';
import { newStaffOfEachRole, type StaffOfEachRole, type TestStaff } from './staff.ts';

interface OrderWithStaff extends StaffOfEachRole {
  customer: OrderingCustomer;
  orderid: string;
}

/** Inserts a person of each role, and places an order of a new customer. */
export async function newOrderWithStaff(program: ProgramUnderTest): Promise<OrderWithStaff> {
  const staff = await newStaffOfEachRole(program);
  const customer = await newOrderingCustomer(program);
  const { orderid } = await place(customer);
  return { ...staff, customer, orderid };
}

/** Returns the order as this person reads it. Throws if the person cannot read it. */
export async function readDeskOrder({ caller }: TestStaff, orderid: string): Promise<DeskOrder> {
  const { data, message } = await caller.send(getDeskOrder, { orderid });
  if (!data) throw new Error(message);
  return data;
}

/** Returns the order and its newest version, which each change of the staff states. */
export async function targetOf(who: TestStaff, orderid: string): Promise<Pick<DeskOrder, 'orderid' | 'version'>> {
  const { version } = await readDeskOrder(who, orderid);
  return { orderid, version };
}

/** Returns the order as its customer reads it. Throws if it is not an order of the customer. */
export async function readOwnOrder({ caller }: Pick<OrderingCustomer, 'caller'>, orderid: string): Promise<Order> {
  const { data, message } = await caller.send(getOrder, { orderid });
  if (!data?.[0]) throw new Error(message);
  return data[0];
}

/** Returns a hand-over code that differs from the correct one. */
export const wrongHandOverCode = (correct: string | null) => (correct === '0000' ? '1111' : '0000');
