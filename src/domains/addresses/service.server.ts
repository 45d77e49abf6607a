import { newId } from '../../lib/ids.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import type { AddressForm } from './contract.ts';
import { insertAddress, queueAdditions } from './store.server.ts';

/** The new address's id, or undefined when the customer has as many as one may have. */
export const saveAddress = (db: Db, customer: SignedInCustomer, address: AddressForm, now: Date): Promise<string | undefined> =>
  transaction(db, async (tx) => {
    await queueAdditions(tx, customer);
    const id = newId();
    return (await insertAddress(tx, customer, id, address, now)) ? id : undefined;
  });
