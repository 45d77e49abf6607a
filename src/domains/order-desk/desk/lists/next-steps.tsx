import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { stageDisplay } from '../../../orders/contract.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { move, type ListedOrder } from '../contract.ts';
import type { OrderAction } from '../dialogs/order-action-dialogs.tsx';
import { nextOf, nextSteps, type NextStep } from '../rules.ts';
import type { SendChange } from '../use-change.ts';

interface NextStepsProps {
  order: ListedOrder;
  /** A change of this order is being sent, or its dialog is being opened. */
  pending: boolean;
  change: SendChange;
  onOpen(action: OrderAction): void;
}

/** The next steps of an order in a list, the most likely one first. */
export function NextSteps({ order, pending, change, onOpen }: NextStepsProps) {
  const { t, translateData } = useLanguage();
  const { role } = useMe();
  const { orderid, version } = order;
  const next = nextOf(order);
  const stage = next === undefined ? '' : translateData(stageDisplay(next).label);
  const labels: Readonly<Record<NextStep, string>> = {
    reschedule: t('Another day'),
    weigh: t('Weigh'),
    'hand-over': order.to_return ? t('Return the clothes') : t('Hand over'),
    move: t('Move to {stage}', { stage }),
    receive: t('Take a payment'),
    attempt: t('Failed visit'),
  };
  const start = (step: NextStep) => {
    if (step !== 'move') return onOpen(step);
    // The bags are counted when the clothes go into the machine.
    if (next === 'washing' && order.bags !== null) return onOpen('count');
    return void change({ call: move, body: { orderid, version, stage: next ?? '' }, live: ['version'], done: msg('Moved') });
  };
  return (
    <div className="relative mt-3 flex flex-wrap gap-2 empty:hidden">
      {nextSteps(order, role).map((step, index) => (
        <Button key={step} variant={index === 0 ? 'primary' : 'secondary'} size="small" pending={pending} onClick={() => start(step)}>
          {labels[step]}
          <span className="sr-only"> {orderid}</span>
        </Button>
      ))}
    </div>
  );
}
