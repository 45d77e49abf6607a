/** Writes about a customer who can be erased at the same time. docs/decisions/0086. */
import { ApiError } from '../../contract/api-error.ts';
import type { Tx } from '../../db/database.server.ts';
import { lockUnerasedOrThrow } from '../accounts/caller-service.server.ts';
import { staffError } from './desk/contract.ts';

/** The laundry, or the program, writes about a customer who was erased. */
export const customerErasedError = () => new ApiError('conflict', staffError('customer-erased'));

/**
 * Excludes an erasure of the customer. Throws `ApiError` (conflict) for one who is erased already.
 */
export const excludeErasure = (tx: Tx, customerId: string): Promise<void> => lockUnerasedOrThrow(tx, customerId, customerErasedError);
