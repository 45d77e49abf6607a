/**
 * Locks of a customer whose data can be erased at the same time. docs/decisions/0078 and 0086.
 */
import { ApiError } from '../../contract/api-error.ts';
import { protocolError } from '../../contract/protocol-errors.ts';
import type { Tx } from '../../db/database.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { erasureError } from './desk/contract.ts';
import { lockCustomer, type LockStrength } from './store.server.ts';

/** Returns the error to throw if the caller was erased since the request was authenticated. */
export const callerErasedError = (): ApiError => new ApiError('unauthenticated', protocolError('login-required'));

/**
 * Returns the error to throw if the laundry or the program changes data of an erased customer.
 */
export const customerErasedError = (): ApiError => new ApiError('conflict', erasureError('customer-erased'));

/**
 * Locks the caller until the transaction ends. Throws `ApiError` (unauthenticated) if the caller is
 * erased or unknown.
 */
export async function lockCaller(tx: Tx, { id }: CustomerOrGuest, strength: LockStrength = 'key share'): Promise<void> {
  if (!(await lockCustomer(tx, id, strength))) throw callerErasedError();
}

/**
 * Locks a customer until the transaction ends. Throws `ApiError` (conflict) if the customer is
 * erased or unknown.
 */
export async function lockCustomerOrThrow(tx: Tx, id: string): Promise<void> {
  if (!(await lockCustomer(tx, id, 'key share'))) throw customerErasedError();
}
