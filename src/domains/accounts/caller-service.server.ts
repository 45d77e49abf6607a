/** Writes of a caller whose account can be erased at the same time. docs/decisions/0078. */
import { protocolError } from '../../contract/protocol-errors.ts';
import { ApiError } from '../../contract/api-error.ts';
import type { Tx } from '../../db/database.server.ts';
import type { CustomerOrGuest } from '../sessions/authentication.server.ts';
import { lockUnerased } from './store.server.ts';

/** The customer was erased since the request was authenticated. */
export const erasedError = () => new ApiError('unauthenticated', protocolError('login-required'));

/**
 * Excludes an erasure of the caller until the transaction ends. Throws `ApiError` (unauthenticated)
 * if the caller is erased already. With `excludesOthers`, other transactions of the caller wait as
 * well.
 */
export async function lockCaller(tx: Tx, { id }: CustomerOrGuest, { excludesOthers = false } = {}): Promise<void> {
  if (!(await lockUnerased(tx, id, excludesOthers ? 'update' : 'key share'))) throw erasedError();
}
