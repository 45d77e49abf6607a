import { useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { stageDisplay } from '../../../orders/contract.ts';
import { isAwaitingPickup } from '../../../orders/phase-rules.ts';
import { stageBefore } from '../../../orders/rules.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { move, type DeskOrder } from '../contract.ts';
import { erasureError } from '../../../accounts/desk/contract.ts';
import { OrderActionDialogs, type OrderAction } from '../dialogs/order-action-dialogs.tsx';
import { UndoNotice } from '../dialogs/undo-notice.tsx';
import { isAllowed, mayDo, nextOf, actionStateOf, type DeskAction } from '../rules.ts';
import type { SendChange } from '../use-change.ts';

interface OrderActionsProps {
  order: DeskOrder;
  pending: boolean;
  change: SendChange;
}

/**
 * The undo notice, the actions that order and role allow now, and the link to the labels. None of
 * them for the order of an erased customer.
 */
export function OrderActions({ order, pending, change }: OrderActionsProps) {
  const { t, translateData, formatMessage } = useLanguage();
  const { role } = useMe();
  const [open, setOpen] = useState<OrderAction>();
  const { orderid, version, washing_stage: stage, to_return } = order;
  const state = actionStateOf(order);
  const can = (action: DeskAction) => isAllowed(state, action) && mayDo(role, action);
  /** The change that runs: only its own button shows that. */
  const [running, setRunning] = useState<'move' | 'undo' | 'dialog'>();
  const changeAs =
    (source: typeof running): SendChange =>
    (request) => {
      setRunning(source);
      return change(request);
    };
  const target = { orderid, version };
  const next = nextOf(state);
  const before = stageBefore(stage);
  const needsWeight = isAwaitingPickup(stage, order.total_weight);
  const countsBags = next === 'washing' && order.bags !== null;
  const moveTo = (to: string) => changeAs('move')({ call: move, body: { ...target, stage: to }, done: msg('Moved') });
  const weighButton = can('weigh') && (
    <Button key="weigh" variant={needsWeight ? 'primary' : 'secondary'} onClick={() => setOpen('weigh')}>
      {needsWeight ? t('Weigh') : t('Weigh again')}
    </Button>
  );
  const nextButtons = [
    next && can('move') && (
      <Button
        key="move"
        variant="primary"
        pending={pending && running === 'move'}
        onClick={() => (countsBags ? setOpen('count') : void moveTo(next))}
      >
        {t('Move to {stage}', { stage: translateData(stageDisplay(next).label) })}
      </Button>
    ),
    can('hand-over') && (
      <Button key="hand-over" variant="primary" onClick={() => setOpen('hand-over')}>
        {to_return ? t('Return the clothes') : t('Hand over')}
      </Button>
    ),
  ];
  if (order.customer.is_erased) return <Notice tone="info">{formatMessage(erasureError('customer-erased'))}</Notice>;
  return (
    <Card as="section">
      <h2 className="sr-only">{t('Actions')}</h2>
      <div className="mb-4 empty:hidden">
        <UndoNotice order={order} pending={pending && running === 'undo'} change={changeAs('undo')} />
      </div>
      <div className="grid grid-cols-2 gap-3 max-sm:*:first:col-span-2 sm:flex sm:flex-wrap">
        {/* The next step is first. By its key, a button keeps the focus that a dialog returns. */}
        {needsWeight ? [weighButton, ...nextButtons] : [...nextButtons, weighButton]}
        {order.bags_differ && can('count-bags') && (
          <Button variant="secondary" onClick={() => setOpen('count-bags')}>
            {t('Count the bags again')}
          </Button>
        )}
        {order.may_explain_bags && (
          <Button variant="secondary" onClick={() => setOpen('explain-bags')}>
            {t('Explain the difference')}
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
      <OrderActionDialogs {...{ order, pending, open, onOpen: setOpen }} change={changeAs('dialog')} />
    </Card>
  );
}
