import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { stageDisplay } from '../../orders/contract.ts';
import { move, type DeskOrder, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { isAwaitingPickup } from '../../orders/phase-rules.ts';
import { settlingRow } from '../../order-desk/desk/use-settling-rows.ts';
import { isAllowed, mayDo, nextOf, type DeskAction } from '../../order-desk/desk/rules.ts';
import { useMe } from '../../staff/desk/session.ts';
import type { StopAction } from './stop-dialogs.tsx';
import { useQueuedChange } from './use-queued-change.ts';

interface StopActionsProps {
  stop: ListedOrder;
  isSettling: boolean;
  onOpen(action: StopAction): void;
  /** Called with the order after a change. */
  onOrder(order: DeskOrder): void;
}

/** Returns the key of a stop for `useSettlingRows`. */
export const rowOf = ({ orderid, stage, weight }: ListedOrder) => `${orderid} ${stage} ${weight === null}`;

/** The actions that the stage allows now. The next step is the largest. */
export function StopActions({ stop, isSettling, onOpen, onOrder }: StopActionsProps) {
  const { t, translateData } = useLanguage();
  const { role } = useMe();
  const { pending, change } = useQueuedChange(stop, onOrder);
  const { orderid, version, stage } = stop;
  const target = { orderid, version };
  const next = nextOf(stop);
  const needsWeight = isAwaitingPickup(stage, stop.weight);
  // An order whose clothes were returned is not on the round.
  const step = { ...stop, isReturned: false };
  const can = (action: DeskAction) => isAllowed(step, action) && mayDo(role, action);
  return (
    <div {...settlingRow(rowOf(stop), isSettling)} className="mt-3 flex flex-wrap gap-2">
      {can('weigh') && (
        <Button variant={needsWeight ? 'primary' : 'secondary'} size="small" onClick={() => onOpen('weigh')}>
          {needsWeight ? t('Weigh') : t('Weigh again')}
        </Button>
      )}
      {can('hand-over') && (
        <Button variant="primary" size="small" onClick={() => onOpen('hand-over')}>
          {stop.to_return ? t('Return the clothes') : t('Hand over')}
        </Button>
      )}
      {next && stage === 'pickup' && can('move') && (
        <Button
          variant="primary"
          size="small"
          pending={pending}
          onClick={() => void change({ call: move, body: { ...target, stage: next }, done: msg('Moved') })}
        >
          {t('Move to {stage}', { stage: translateData(stageDisplay(next).label) })}
        </Button>
      )}
      {can('receive') && (stop.left_to_pay ?? 0) > 0 && (
        <Button variant="secondary" size="small" onClick={() => onOpen('receive')}>
          {t('Take a payment')}
        </Button>
      )}
      {can('attempt') && (
        <Button variant="secondary" size="small" onClick={() => onOpen('attempt')}>
          {t('Failed visit')}
        </Button>
      )}
      <Button variant="secondary" size="small" onClick={() => onOpen('photo')}>
        {t('Photo')}
      </Button>
    </div>
  );
}
