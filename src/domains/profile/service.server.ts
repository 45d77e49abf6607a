import { transaction, type Db } from '../../db/database.server.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { SignedInCustomer } from '../sessions/authentication.server.ts';
import { callerErasedError, lockCaller } from '../accounts/locks-service.server.ts';
import { readDetails, updateDetails } from '../accounts/store.server.ts';
import { walletBalance } from '../wallet/service.server.ts';
import { OPTIONAL_MESSAGES, profileError, type MessageSettings, type UserDetails } from './contract.ts';
import { isEmail } from './rules.ts';
import { listMuted, setMuted } from './store.server.ts';

/** Returns the fields of the response. `wallet` is the balance in paise. */
export async function userDetails(db: Db, customer: SignedInCustomer): Promise<UserDetails> {
  const [{ id, name, email, mobile }, wallet] = await Promise.all([readDetails(db, customer), walletBalance(db, customer)]);
  return { name, email, mobile, userid: id, wallet };
}

/**
 * Updates only the given fields. Returns an error if there are none or the e-mail address is
 * invalid. The browser checks the length of the e-mail address; this function checks its format
 * (design section 6, "Profile"). Throws `ApiError` if the customer was erased.
 */
export async function changeDetails(
  db: Db,
  customer: SignedInCustomer,
  { name, email }: { name?: string | undefined; email?: string | undefined },
): Promise<Outcome<null, 'invalid-email' | 'nothing-to-update'>> {
  if (email !== undefined && !isEmail(email)) return { error: profileError('invalid-email') };
  if (name === undefined && email === undefined) return { error: profileError('nothing-to-update') };
  const isUpdated = await updateDetails(db, customer, { ...(name !== undefined && { name }), ...(email !== undefined && { email }) });
  if (!isUpdated) throw callerErasedError();
  return { data: null };
}

export async function readMessageSettings(db: Db, customer: SignedInCustomer): Promise<MessageSettings> {
  const muted = await listMuted(db, customer.id);
  return {
    placed: !muted.includes('placed'),
    attempted: !muted.includes('attempted'),
    delivery: !muted.includes('delivery'),
    delivered: !muted.includes('delivered'),
  };
}

/** Replaces the settings of the messages. Throws `ApiError` if the customer was erased. */
export const replaceMessageSettings = (db: Db, customer: SignedInCustomer, settings: MessageSettings): Promise<void> =>
  transaction(db, async (tx) => {
    await lockCaller(tx, customer);
    const muted = OPTIONAL_MESSAGES.filter((kind) => !settings[kind]);
    await setMuted(tx, customer.id, muted);
  });
