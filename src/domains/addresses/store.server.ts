import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.server.ts';
import type { Addresses } from '../../db/tables.generated.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import type { Area } from '../catalogue/contract.ts';
import { ADDRESS_FIELDS, MAX_ADDRESSES, type AddressForm } from './contract.ts';

const ADDRESS_COLUMNS = ['id', 'area', ...ADDRESS_FIELDS] as const satisfies readonly (keyof Addresses)[];

export type AddressRow = Pick<Selectable<Addresses>, (typeof ADDRESS_COLUMNS)[number]>;

/** Returns the addresses, newest first. */
export const listAddresses = (db: Db, customer: SignedInCustomer) =>
  db
    .selectFrom('addresses')
    .select(ADDRESS_COLUMNS)
    .where('customer_id', '=', customer.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** SQL of a query or subquery: one address, or no row if the customer has no such address. */
export const addressSql = (customer: SignedInCustomer, addressid: string) => sql<AddressRow>`(
  select ${sql.raw(ADDRESS_COLUMNS.join(', '))}
    from addresses where id = ${addressid} and customer_id = ${customer.id})`;

/** Returns undefined if the customer has no address with this id. */
export const findAddress = async (db: Db, customer: SignedInCustomer, addressid: string) =>
  (await addressSql(customer, addressid).execute(db)).rows[0];

/**
 * Returns false if the customer has the maximum number of addresses. Call `lockCaller` with
 * 'update' first, so that concurrent additions count each other.
 */
export async function insertAddress(tx: Tx, customer: SignedInCustomer, id: string, address: AddressForm, now: Date): Promise<boolean> {
  const { count } = await tx
    .selectFrom('addresses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customer.id)
    .executeTakeFirstOrThrow();
  if (count >= MAX_ADDRESSES) return false;
  await insertRow(tx, customer.id, id, address, now);
  return true;
}

/** Saves an address if the customer has none. */
export async function insertFirstAddress(tx: Tx, customerId: string, id: string, address: AddressForm, now: Date) {
  const saved = await tx.selectFrom('addresses').select('id').where('customer_id', '=', customerId).limit(1).executeTakeFirst();
  if (!saved) await insertRow(tx, customerId, id, address, now);
}

const insertRow = (tx: Tx, customerId: string, id: string, address: AddressForm, now: Date) =>
  tx
    .insertInto('addresses')
    .values({ id, customer_id: customerId, created_at: now, ...address })
    .execute();

/**
 * Without an area, the stored one remains if the lines of the address are the same. If a client
 * that does not know areas changes the lines, the area is unknown. Returns false if the customer
 * has no address with this id.
 */
export async function updateAddress(db: Db, customer: SignedInCustomer, id: string, { area, ...address }: AddressForm): Promise<boolean> {
  const { address1, address2, landmark } = address;
  const { numUpdatedRows } = await db
    .updateTable('addresses')
    .set({
      ...address,
      area: area ?? sql`case when address1 = ${address1} and address2 = ${address2} and landmark = ${landmark} then area end`,
    })
    .where('id', '=', id)
    .where('customer_id', '=', customer.id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Sets the area of an address that has none. */
export const setUnknownArea = (db: Db, customer: SignedInCustomer, id: string, area: Area) =>
  db.updateTable('addresses').set({ area }).where('id', '=', id).where('customer_id', '=', customer.id).where('area', 'is', null).execute();

/** Returns false if the customer has no address with this id. */
export async function deleteAddressRow(db: Db, customer: SignedInCustomer, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('addresses')
    .where('id', '=', id)
    .where('customer_id', '=', customer.id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export const deleteAddressesOf = (tx: Tx, customerId: string) => tx.deleteFrom('addresses').where('customer_id', '=', customerId).execute();

/** For the export of a customer's data. */
export const listStoredAddresses = (db: Db, customerId: string) =>
  db
    .selectFrom('addresses')
    .select([...ADDRESS_COLUMNS, 'created_at'])
    .where('customer_id', '=', customerId)
    .execute();
