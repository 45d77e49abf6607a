import { useState } from 'react';
import type { Order, Stage } from '../../contract.ts';
import { isCancelledStage, mayCancel } from '../../rules.ts';

export interface OrderChangesProps {
  order: Order;
  /** Undefined for a guest. */
  userid: string | undefined;
  /** Loads the order again. */
  onChanged(): Promise<unknown>;
}

/** The status of a cancelled order is above the buttons, on a phone out of view. */
export const showTopOfOrder = () => window.scrollTo({ top: 0 });

export type ChangeDialog = 'cancel' | 'reschedule';

/** The changes that the state of an order allows: of the pickup, by an undo, of the delivery. */
export type ChangePhase = 'pickup' | 'cancelled' | 'delivery' | 'none';

export const isOutForDelivery = ({ washing_stage: stage }: Order): boolean => stage === ('delivery' satisfies Stage);

function phaseOf(order: Order): ChangePhase {
  const { washing_stage: stage, total_weight: weightGrams } = order;
  if (isCancelledStage(stage)) return 'cancelled';
  if (mayCancel({ stage, weight_grams: weightGrams }, 'customer')) return 'pickup';
  return isOutForDelivery(order) ? 'delivery' : 'none';
}

export interface ChangeDialogs {
  phase: ChangePhase;
  open: ChangeDialog | null;
  /** The phase whose end closed the dialog, null if the customer closed it. */
  closedIn: ChangePhase | null;
  show(dialog: ChangeDialog): void;
  close(): void;
}

/** The dialogs to change an order. The end of the phase in which one was opened closes it. */
export function useChangeDialogs(order: Order): ChangeDialogs {
  const phase = phaseOf(order);
  const [shown, setShown] = useState<{ dialog: ChangeDialog; phase: ChangePhase } | null>(null);
  return {
    phase,
    open: shown?.phase === phase ? shown.dialog : null,
    closedIn: shown === null || shown.phase === phase ? null : shown.phase,
    show: (dialog) => setShown({ dialog, phase }),
    close: () => setShown(null),
  };
}
