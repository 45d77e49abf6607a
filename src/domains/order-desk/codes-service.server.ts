/** The hand-over code of an order, as the staff types it. docs/decisions/0072 and 0137. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import type { HandOverCode } from '../orders/history-service.server.ts';
import { codeRenewal } from '../orders/progress-rules.ts';
import { insertOrderEvent, listOrderEvents } from '../orders/events-store.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { deskError, MAX_WRONG_CODES } from './desk/contract.ts';
import { mayDo } from './desk/rules.ts';
import { insertAuthors, recordWrongCode, type DeskOrderRow } from './store.server.ts';
import type { UpdateRequest } from './update-order-service.server.ts';

/**
 * Returns the error of a hand-over without the code or a permitted reason, otherwise null. Counts
 * a wrong code, writes it to the history with its author, and locks the code at `MAX_WRONG_CODES`.
 * The caller has locked the order, so that concurrent attempts run one after another.
 */
export async function checkHandOver(
  { handOverCode }: { handOverCode: HandOverCode },
  { tx, staff, now }: StaffTransaction,
  { id, version, wrong_codes: wrongCodes }: DeskOrderRow,
  { code, reason, at }: Pick<UpdateRequest, 'at'> & { code?: string | undefined; reason?: string | undefined },
): Promise<ErrorMessage<'code-required' | 'too-many-codes' | 'wrong-hand-over-code'> | null> {
  const needsNoCode = reason !== undefined && mayDo(staff.role, 'hand-over-without-code');
  if (code === undefined) return needsNoCode ? null : deskError('code-required');
  if (wrongCodes >= MAX_WRONG_CODES) return deskError('too-many-codes');
  if (code === handOverCode(id, codeRenewal(await listOrderEvents(tx, id)))) return null;
  const count = await recordWrongCode(tx, id);
  const isLocked = count >= MAX_WRONG_CODES;
  await insertOrderEvent(tx, id, { kind: isLocked ? 'code-locked' : 'wrong-code', at: now });
  // `updateOrder` adds no author to the events of a refused change.
  await insertAuthors(tx, id, version, { staffId: staff.id, deviceAt: at === undefined ? null : new Date(at), note: null, bags: null });
  return isLocked ? deskError('too-many-codes') : deskError('wrong-hand-over-code', { left: MAX_WRONG_CODES - count });
}
