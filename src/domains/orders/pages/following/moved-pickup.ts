import type { Order } from '../../contract.ts';
import type { OrderHistoryEntry } from '../../history-contract.ts';
import { isAwaitingPickup } from '../../phase-rules.ts';

/**
 * Returns the last 'rescheduled' entry if the laundry made it, it changed the day, the clothes are
 * not collected, and no visit has failed. Otherwise undefined. The page of the order offers other
 * days beside the entry.
 */
export function movedPickup({ history, washing_stage: stage, total_weight: weight, attempt }: Order): OrderHistoryEntry | undefined {
  const move = history.findLast(({ kind }) => kind === 'rescheduled');
  const isShown = isAwaitingPickup(stage, weight) && attempt === null && move?.by === 'laundry' && move.from_date !== move.pickup_date;
  return isShown ? move : undefined;
}
