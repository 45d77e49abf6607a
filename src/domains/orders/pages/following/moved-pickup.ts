import type { Order } from '../../contract.ts';
import type { OrderHistoryEntry } from '../../history-contract.ts';
import { isAwaitingPickup } from '../../phase-rules.ts';

/**
 * Returns the move of the pickup to another day by the laundry, if it is the last one and its day
 * is still that of the pickup. The page of the order then asks for another day beside it.
 */
export function movedPickup({ history, washing_stage: stage, total_weight: weight, attempt }: Order): OrderHistoryEntry | undefined {
  const move = history.findLast(({ kind }) => kind === 'rescheduled');
  const isShown = isAwaitingPickup(stage, weight) && attempt === null && move?.by === 'laundry' && move.from_date !== move.pickup_date;
  return isShown ? move : undefined;
}
