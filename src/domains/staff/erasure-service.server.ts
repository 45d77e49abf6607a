/** Writes about a customer who can be erased at the same time. docs/decisions/0086. */
import { ApiError } from '../../contract/api-error.ts';
import type { Tx } from '../../db/database.server.ts';
import { lockUnerasedOrThrow } from '../accounts/caller-service.server.ts';
import { staffError } from './desk/contract.ts';

/**
 * Returns the error to throw if the laundry or the program changes data of an erased customer.
 */
export const customerErasedError = (): ApiError => new ApiError('conflict', staffError('customer-erased'));

/**
 * Excludes an erasure of the customer. Throws `ApiError` (conflict) if the customer is erased.
 */
export const excludeErasure = (tx: Tx, customerId: string): Promise<void> => lockUnerasedOrThrow(tx, customerId, customerErasedError);
