/** The hand-over code of an order, as the staff types it. docs/decisions/0072. */
import type { ErrorMessage } from '../../i18n/messages.ts';
import type { HandOverCode } from '../orders/history-service.server.ts';
import { codeRenewal } from '../orders/progress-rules.ts';
import { insertOrderEvent, listOrderEvents } from '../orders/events-store.server.ts';
import type { StaffTransaction } from '../staff/service.server.ts';
import { deskError, MAX_WRONG_CODES } from './desk/contract.ts';
import { mayDo } from './desk/rules.ts';
import { recordWrongCode, type DeskOrderRow } from './store.server.ts';

/**
 * Returns the error of a hand-over without the code or a permitted reason, otherwise null. Counts
 * a wrong code, and locks the code at `MAX_WRONG_CODES`. The caller has locked the order, so that
 * concurrent attempts run one after another.
 */
export async function checkHandOver(
  { handOverCode }: { handOverCode: HandOverCode },
  { tx, staff, now }: StaffTransaction,
  { id, wrong_codes: wrongCodes }: DeskOrderRow,
  { code, reason }: { code?: string | undefined; reason?: string | undefined },
): Promise<ErrorMessage<'code-required' | 'too-many-codes' | 'wrong-hand-over-code'> | null> {
  const needsNoCode = reason !== undefined && mayDo(staff.role, 'hand-over-without-code');
  if (code === undefined) return needsNoCode ? null : deskError('code-required');
  if (wrongCodes >= MAX_WRONG_CODES) return deskError('too-many-codes');
  if (code === handOverCode(id, codeRenewal(await listOrderEvents(tx, id)))) return null;
  const count = await recordWrongCode(tx, id);
  if (count < MAX_WRONG_CODES) return deskError('wrong-hand-over-code', { left: MAX_WRONG_CODES - count });
  await insertOrderEvent(tx, id, { kind: 'code-locked', at: now });
  return deskError('too-many-codes');
}
