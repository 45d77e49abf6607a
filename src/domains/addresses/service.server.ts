import { newId } from '../../lib/ids.ts';
import { transaction, type Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { lockCaller } from '../accounts/locks-service.server.ts';
import type { AddressForm } from './contract.ts';
import { insertAddress } from './store.server.ts';

/**
 * Returns the new address's id, or undefined if the customer already has the maximum number of
 * addresses.
 */
export const saveAddress = (db: Db, customer: SignedInCustomer, address: AddressForm, now: Date): Promise<string | undefined> =>
  transaction(db, async (tx) => {
    await lockCaller(tx, customer, 'update');
    const id = newId();
    return (await insertAddress(tx, customer, id, address, now)) ? id : undefined;
  });
