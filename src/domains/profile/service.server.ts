import type { Db } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../accounts/gate.server.ts';
import { ownDetails } from '../accounts/store.server.ts';
import { walletBalance } from '../wallet/service.server.ts';

export async function userDetails(db: Db, customer: SignedInCustomer) {
  const [{ id, name, email, mobile }, wallet] = await Promise.all([ownDetails(db, customer), walletBalance(db, customer)]);
  return { name, email, mobile, userid: id, wallet };
}
