import type { Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../accounts/service.server.ts';

/** One address of this customer. A query, not yet run: placing an order reads it together with what else it needs. */
export const addressOf = (db: Db, customer: SignedInCustomer, addressid: string) =>
  db
    .selectFrom('addresses')
    .select(['id', 'name', 'mobile', 'address1', 'address2', 'landmark', 'pincode', 'city', 'state'])
    .where('id', '=', addressid)
    .where('customer_id', '=', customer.id);
