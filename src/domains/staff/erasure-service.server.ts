/** Writes about a customer who can be erased at the same time. docs/decisions/0086. */
import { ApiError } from '../../contract/api-error.ts';
import type { Tx } from '../../db/database.server.ts';
import { lockUnerased } from '../accounts/store.server.ts';
import { staffError } from './desk/contract.ts';

/** The laundry, or the program, writes about a customer who was erased. */
export const customerErasedError = () => new ApiError('conflict', staffError('customer-erased'));

/**
 * Excludes an erasure of the customer until the transaction ends. Throws `ApiError` (conflict) if
 * the customer is erased already.
 */
export async function excludeErasure(tx: Tx, customerId: string): Promise<void> {
  if (!(await lockUnerased(tx, customerId, 'key share'))) throw customerErasedError();
}
