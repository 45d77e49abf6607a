import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { stageDisplay } from '../../../orders/contract.ts';
import { stageBefore } from '../../../orders/rules.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { move, moveBack, type DeskOrder } from '../contract.ts';
import { OrderActionDialogs, type OrderAction } from '../dialogs/order-action-dialogs.tsx';
import { isAllowed, mayDo, nextOf, actionStateOf, type DeskAction } from '../rules.ts';
import type { SendChange } from '../use-change.ts';

interface OrderActionsProps {
  order: DeskOrder;
  pending: boolean;
  change: SendChange;
}

/** The actions that stage and role allow now. The button for the next stage is the largest. */
export function OrderActions({ order, pending, change }: OrderActionsProps) {
  const { t, translateData } = useLanguage();
  const { role } = useMe();
  const [open, setOpen] = useState<OrderAction>();
  const { orderid, version, washing_stage: stage, to_return } = order;
  const state = actionStateOf(order);
  const can = (action: DeskAction) => isAllowed(state, action) && mayDo(role, action);
  const target = { orderid, version };
  const next = nextOf(state);
  const before = stageBefore(stage);
  const needsWeight = stage === 'pickup' && order.total_weight === null;
  const countsBags = next === 'washing' && order.bags !== null;
  const moveTo = (to: string) => change({ call: move, body: { ...target, stage: to }, done: msg('Moved') });
  return (
    <Card as="section">
      <h2 className="sr-only">{t('Actions')}</h2>
      <UndoNotice order={order} pending={pending} onUndo={() => void change({ call: moveBack, body: target, done: msg('Moved back') })} />
      <div className="flex flex-wrap gap-3">
        {can('weigh') && (
          <Button variant={needsWeight ? 'primary' : 'secondary'} onClick={() => setOpen('weigh')}>
            {needsWeight ? t('Weigh') : t('Weigh again')}
          </Button>
        )}
        {next && can('move') && (
          <Button variant="primary" pending={pending} onClick={() => (countsBags ? setOpen('count') : void moveTo(next))}>
            {t('Move to {stage}', { stage: translateData(stageDisplay(next).label) })}
          </Button>
        )}
        {can('hand-over') && (
          <Button variant="primary" pending={pending} onClick={() => setOpen('hand-over')}>
            {to_return ? t('Return the clothes') : t('Hand over')}
          </Button>
        )}
        {can('receive') && (order.left_to_pay ?? 0) > 0 && (
          <Button variant="secondary" onClick={() => setOpen('receive')}>
            {t('Take a payment')}
          </Button>
        )}
        {can('attempt') && (
          <Button variant="secondary" onClick={() => setOpen('attempt')}>
            {t('Failed visit')}
          </Button>
        )}
        {can('assign') && (
          <Button variant="secondary" onClick={() => setOpen('assign')}>
            {t('Rider')}
          </Button>
        )}
        {can('reschedule') && (
          <Button variant="secondary" onClick={() => setOpen('reschedule')}>
            {t('Another day')}
          </Button>
        )}
        <Link to={staffLinks.labels(orderid)} className={buttonStyles('secondary')}>
          {t('Labels')}
        </Link>
        {can('move-back') && (
          <Button variant="quiet" onClick={() => setOpen('move-back')}>
            {before ? t('Back to {stage}', { stage: translateData(stageDisplay(before).label) }) : t('Not returned')}
          </Button>
        )}
        {can('cancel') && (
          <Button variant="quiet" onClick={() => setOpen('cancel')}>
            {t('Cancel the order')}
          </Button>
        )}
      </div>
      <OrderActionDialogs {...{ order, pending, change, open, onOpen: setOpen }} />
    </Card>
  );
}

/** Disappears when the time to undo is over. */
function UndoNotice({ order, pending, onUndo }: { order: DeskOrder; pending: boolean; onUndo(): void }) {
  const { t } = useLanguage();
  const { undo_seconds: seconds, version } = order;
  const [expired, setExpired] = useState<number>();
  useEffect(() => {
    if (seconds === null) return;
    const timer = setTimeout(() => setExpired(version), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds, version]);
  if (seconds === null || expired === version) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="info"
        live
        action={
          <Button variant="secondary" size="small" pending={pending} onClick={onUndo}>
            {t('Undo')}
          </Button>
        }
      >
        {t('You can undo this for a minute. The customer’s page shows it at once, and the SMS is sent afterwards.')}
      </Notice>
    </div>
  );
}
