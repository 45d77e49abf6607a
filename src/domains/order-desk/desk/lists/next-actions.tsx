import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { stageDisplay } from '../../../orders/contract.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { move, type ListedOrder } from '../contract.ts';
import type { OrderAction } from '../dialogs/order-action-dialogs.tsx';
import { nextOf, nextActions, type NextAction } from '../rules.ts';
import type { SendChange } from '../use-change.ts';
import { settlingRow } from '../use-settling-rows.ts';

interface NextActionsProps {
  order: ListedOrder;
  /** A change of this order is being sent, or its dialog is being opened. */
  pending: boolean;
  /** Identifies the row, as in `useSettlingRows`. */
  row: string;
  isSettling: boolean;
  change: SendChange;
  onOpen(action: OrderAction): void;
}

/** The next actions of an order in a list, the most likely one first. */
export function NextActions({ order, pending, row, isSettling, change, onOpen }: NextActionsProps) {
  const { t, translateData } = useLanguage();
  const { role } = useMe();
  const { orderid, version } = order;
  const next = nextOf(order);
  const stage = next === undefined ? '' : translateData(stageDisplay(next).label);
  const labels: Readonly<Record<NextAction, string>> = {
    'count-bags': t('Count the bags again'),
    reschedule: t('Another day'),
    weigh: t('Weigh'),
    'hand-over': order.to_return ? t('Return the clothes') : t('Hand over'),
    move: t('Move to {stage}', { stage }),
    receive: t('Take a payment'),
    attempt: t('Failed visit'),
  };
  const start = (action: NextAction) => {
    if (action !== 'move') return onOpen(action);
    // The bags are counted when the clothes go into the machine.
    if (next === 'washing' && order.bags !== null) return onOpen('count');
    return void change({ call: move, body: { orderid, version, stage: next ?? '' }, live: ['version'], done: msg('Moved') });
  };
  return (
    <div {...settlingRow(row, isSettling)} className="relative mt-3 flex flex-wrap gap-2 empty:hidden">
      {nextActions(order, role).map((action, index) => (
        <Button key={action} variant={index === 0 ? 'primary' : 'secondary'} size="small" pending={pending} onClick={() => start(action)}>
          {labels[action]}
          <span className="sr-only"> {orderid}</span>
        </Button>
      ))}
      {order.may_explain_bags && (
        <Button variant="secondary" size="small" pending={pending} onClick={() => onOpen('explain-bags')}>
          {t('Explain the difference')}
          <span className="sr-only"> {orderid}</span>
        </Button>
      )}
    </div>
  );
}
