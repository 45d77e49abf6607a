/** Writes of a caller whose account can be erased at the same time. docs/decisions/0078. */
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Tx } from '../../db/database.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { lockUnerased } from './store.server.ts';

/** Returns the error to throw if the caller was erased since the request was authenticated. */
export const erasedError = (): ApiError => new ApiError('unauthenticated', protocolError('login-required'));

/**
 * Excludes an erasure of the customer until the transaction ends. Throws the error of `erased` if
 * the customer is erased already. With 'update', other transactions of the customer wait as well.
 */
export async function lockUnerasedOrThrow(
  tx: Tx,
  customerId: string,
  erased: () => Error,
  lock: 'update' | 'key share' = 'key share',
): Promise<void> {
  if (!(await lockUnerased(tx, customerId, lock))) throw erased();
}

/**
 * Excludes an erasure of the caller until the transaction ends. Throws `ApiError` (unauthenticated)
 * if the caller is erased already. With `excludesOthers`, other transactions of the caller wait.
 */
export const lockCaller = (tx: Tx, { id }: CustomerOrGuest, { excludesOthers = false } = {}): Promise<void> =>
  lockUnerasedOrThrow(tx, id, erasedError, excludesOthers ? 'update' : 'key share');
