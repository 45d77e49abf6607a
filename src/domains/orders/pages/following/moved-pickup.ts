import type { Order } from '../../contract.ts';
import type { OrderHistoryEntry } from '../../history-contract.ts';
import { isAwaitingPickup } from '../../phase-rules.ts';

/**
 * Returns the history entry if the laundry made the last change of the pickup day, and the pickup
 * is still to come. Otherwise undefined, also after a failed visit. The page of the order then
 * offers other days beside it.
 */
export function movedPickup({ history, washing_stage: stage, total_weight: weight, attempt }: Order): OrderHistoryEntry | undefined {
  const move = history.findLast(({ kind }) => kind === 'rescheduled');
  const isShown = isAwaitingPickup(stage, weight) && attempt === null && move?.by === 'laundry' && move.from_date !== move.pickup_date;
  return isShown ? move : undefined;
}
