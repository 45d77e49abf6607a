import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from '../../../browser/use-query.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg } from '../../../i18n/messages.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { useEvenings } from '../../evenings/pages/use-evenings.ts';
import { WITHOUT_LIMITS, offeredEvenings } from '../../evenings/rules.ts';
import { stageDisplay, type Stage } from '../../orders/contract.ts';
import { isStep, stageBefore } from '../../orders/rules.ts';
import { mayCall } from '../../staff/desk/contract.ts';
import { staffRead, useMe } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { assign, cancelDeskOrder, deskError, listRiders, move, moveBack, rescheduleOrder, type DeskOrder } from './contract.ts';
import { codeMessages, renewCode } from './code-contract.ts';
import { isAllowed, isHandOver, nextOf } from './rules.ts';
import { AttemptDialog } from './attempt-dialog.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { ChoiceDialog } from './choice-dialog.tsx';
import { TextDialog } from '../../staff/desk/text-dialog.tsx';
import { useBagsQuestion } from './use-bags-question.ts';
import type { SendChange } from './use-change.ts';
import { WeighDialog } from './weigh-dialog.tsx';

interface OrderActionsProps {
  order: DeskOrder;
  pending: boolean;
  change: SendChange;
}

type Open = 'weigh' | 'receive' | 'count' | 'hand-over' | 'deliver' | 'move-back' | 'attempt' | 'reschedule' | 'cancel' | 'assign';

/** The actions that stage and role allow now. The next step is the largest. */
export function OrderActions({ order, pending, change }: OrderActionsProps) {
  const { t, formatMessage, translateData } = useLanguage();
  const { role } = useMe();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { orderid, version, washing_stage: stage, to_return } = order;
  const step = { stage, to_return, isWeighed: order.total_weight !== null };
  const target = { orderid, version };
  const next = nextOf(step);
  const before = stageBefore(stage);
  const needsWeight = stage === 'pickup' && order.total_weight === null;
  const countsBags = next === 'washing' && order.bags !== null;
  const dialogOfMove = isHandOver(next) ? 'hand-over' : countsBags ? 'count' : undefined;
  const dialog = { pending, change, order, onClose: close };
  const bagsQuestion = useBagsQuestion(order.bags, msg('Move all the same'));
  const reasonRequired = formatMessage(deskError('reason-required'));
  const moveTo = (to: string) => change({ call: move, body: { ...target, stage: to }, done: msg('Moved') });
  return (
    <Card as="section">
      <h2 className="sr-only">{t('Actions')}</h2>
      <UndoNotice order={order} pending={pending} onUndo={() => void change({ call: moveBack, body: target, done: msg('Moved back') })} />
      <div className="flex flex-wrap gap-3">
        {isAllowed(step, 'weigh') && (
          <Button variant={needsWeight ? 'primary' : 'secondary'} onClick={() => setOpen('weigh')}>
            {needsWeight ? t('Weigh') : t('Weigh again')}
          </Button>
        )}
        {next && !needsWeight && isAllowed(step, 'move') && (
          <Button variant="primary" pending={pending} onClick={() => (dialogOfMove ? setOpen(dialogOfMove) : void moveTo(next))}>
            {isHandOver(next)
              ? to_return
                ? t('Return the clothes')
                : t('Hand over')
              : t('Move to {stage}', { stage: translateData(stageDisplay(next).label) })}
          </Button>
        )}
        {isAllowed(step, 'receive') && (order.left_to_pay ?? 0) > 0 && (
          <Button variant="secondary" onClick={() => setOpen('receive')}>
            {t('Take a payment')}
          </Button>
        )}
        {isAllowed(step, 'attempt') && (
          <Button variant="secondary" onClick={() => setOpen('attempt')}>
            {t('Failed visit')}
          </Button>
        )}
        {isAllowed(step, 'assign') && mayCall(role, 'staff/assign') && (
          <Button variant="secondary" onClick={() => setOpen('assign')}>
            {t('Rider')}
          </Button>
        )}
        {isAllowed(step, 'reschedule') && mayReschedule(order) && mayCall(role, 'staff/reschedule') && (
          <Button variant="secondary" onClick={() => setOpen('reschedule')}>
            {t('Another day')}
          </Button>
        )}
        <Link to={staffLinks.labels(orderid)} className={buttonStyles('secondary')}>
          {t('Labels')}
        </Link>
        {order.returned_date !== null && role !== 'rider' && (
          <Button variant="quiet" onClick={() => setOpen('move-back')}>
            {t('Not returned')}
          </Button>
        )}
        {before && role !== 'rider' && (
          <Button variant="quiet" onClick={() => setOpen('move-back')}>
            {t('Back to {stage}', { stage: translateData(stageDisplay(before).label) })}
          </Button>
        )}
        {isAllowed(step, 'cancel') && mayCall(role, 'staff/cancel') && (
          <Button variant="quiet" onClick={() => setOpen('cancel')}>
            {t('Cancel the order')}
          </Button>
        )}
      </div>
      <WeighDialog open={open === 'weigh'} weighed={{ weight: order.total_weight, items: order.total_items }} {...dialog} />
      <PaymentDialog open={open === 'receive'} {...dialog} />
      <HandOverDialog open={open === 'hand-over'} triesLeft={order.code_tries_left} {...dialog}>
        {role !== 'rider' && (
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="small"
              pending={pending}
              onClick={() => void change({ call: renewCode, body: target, done: codeMessages.renewed })}
            >
              {t('Make a new code')}
            </Button>
            <Button variant="quiet" size="small" onClick={() => setOpen('deliver')}>
              {to_return ? t('Return without the code') : t('Deliver without the code')}
            </Button>
          </div>
        )}
      </HandOverDialog>
      <TextDialog
        open={open === 'count'}
        title={t('Count the bags')}
        label={t('Bags')}
        required={t('Enter the number of bags')}
        submitLabel={t('Move to {stage}', { stage: translateData(stageDisplay('washing').label) })}
        pending={pending}
        digits={2}
        questionOf={bagsQuestion}
        onSubmit={(text, onRefusal) =>
          change({ call: move, body: { ...target, stage: 'washing', bags: Number(text) }, done: msg('Moved'), onRefusal })
        }
        onClose={close}
      >
        {order.bags !== null && <p className="text-sm text-ink-soft">{t('Collected: {count}', { count: order.bags })}</p>}
      </TextDialog>
      <TextDialog
        open={open === 'deliver'}
        title={to_return ? t('Return without the code') : t('Deliver without the code')}
        label={to_return ? t('Reason') : t('Reason (the customer reads it)')}
        required={reasonRequired}
        submitLabel={to_return ? t('Returned') : t('Delivered')}
        pending={pending}
        onSubmit={(reason, onRefusal) =>
          change({
            call: move,
            body: { ...target, stage: next ?? '', reason },
            done: to_return ? msg('Returned') : msg('Moved'),
            onRefusal,
          })
        }
        onClose={close}
      />
      <TextDialog
        open={open === 'move-back'}
        title={t('Move back')}
        label={t('Reason (the customer reads it)')}
        required={reasonRequired}
        submitLabel={t('Move back')}
        pending={pending}
        onSubmit={(reason, onRefusal) => change({ call: moveBack, body: { ...target, reason }, done: msg('Moved back'), onRefusal })}
        onClose={close}
      />
      <TextDialog
        open={open === 'cancel'}
        title={t('Cancel the order')}
        label={t('Reason (the customer reads it)')}
        required={reasonRequired}
        submitLabel={t('Cancel the order')}
        pending={pending}
        onSubmit={(reason, onRefusal) =>
          change({ call: cancelDeskOrder, body: { ...target, reason }, done: msg('The order is cancelled'), onRefusal })
        }
        onClose={close}
      >
        {order.total_weight !== null && <p className="text-sm text-ink-soft">{t('The laundry has the clothes: they have to go back.')}</p>}
      </TextDialog>
      <AttemptDialog open={open === 'attempt'} stage={stage} {...dialog} />
      <RescheduleDialog open={open === 'reschedule'} {...dialog} />
      {open === 'assign' && <AssignDialog {...dialog} />}
    </Card>
  );
}

/** Before the clothes are collected, and after a delivery that failed. */
const mayReschedule = ({ washing_stage: stage, total_weight: weight, history }: DeskOrder) =>
  stage === ('delivery' satisfies Stage)
    ? ['attempted', 'delivery-chosen'].includes(history.findLast(isStep)?.kind ?? '')
    : weight === null;

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
        {t('You can undo this for a minute. The customer hears of it afterwards.')}
      </Notice>
    </div>
  );
}

interface DialogProps extends OrderActionsProps {
  open: boolean;
  onClose(): void;
}

function RescheduleDialog({ open, order, pending, change, onClose }: DialogProps) {
  const { t, day: formatDay, formatMessage } = useLanguage();
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const isDelivery = order.washing_stage === ('delivery' satisfies Stage);
  const current = isDelivery ? order.wished_day : order.pickup_date;
  const { orderid, version } = order;
  const evenings = useEvenings(open ? orderid : undefined);
  const offered = offeredEvenings(evenings?.[order.area] ?? WITHOUT_LIMITS, serverClock.now());
  const days = [...new Set([...(current === null ? [] : [current]), ...offered.map((evening) => evening.day)])].toSorted();
  const isFull = (value: string) => value !== current && offered.some((row) => row.day === value && row.status === 'full');
  const [chosen, setChosen] = useState<string>();
  const day = chosen ?? current ?? days[0] ?? '';
  return (
    <ChoiceDialog
      open={open}
      title={t('Another day')}
      label={isDelivery ? t('Delivery day') : t('Pickup day')}
      value={day}
      options={days.map((value) => ({ value, label: isFull(value) ? t('{day}: full', { day: formatDay(value) }) : formatDay(value) }))}
      pending={pending}
      onChoose={setChosen}
      onSubmit={async () => {
        setReasonMissing(reason.trim() === '');
        if (reason.trim() === '') return false;
        return change({
          call: rescheduleOrder,
          body: { orderid, version, pickup_date: day, reason: reason.trim() },
          done: isDelivery ? msg('The delivery day is noted') : msg('The pickup day is changed'),
        });
      }}
      onClose={onClose}
    >
      <TextField
        label={t('Reason (the customer reads it)')}
        error={isReasonMissing ? formatMessage(deskError('reason-required')) : null}
        value={reason}
        autoComplete="off"
        maxLength={200}
        onChange={({ target }) => {
          setReason(target.value);
          setReasonMissing(false);
        }}
      />
    </ChoiceDialog>
  );
}

function AssignDialog({ order, pending, change, onClose }: Omit<DialogProps, 'open'>) {
  const { t } = useLanguage();
  const [rider, setRider] = useState(order.rider?.personid ?? '');
  const { orderid, version } = order;
  const people = useQuery({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(listRiders, {}, { signal }),
    onError: (error) => showProblem(error, 'listing the riders'),
  });
  const listed = people.status === 'success' ? people.data : [];
  return (
    <ChoiceDialog
      open
      title={t('Rider')}
      label={t('Who goes?')}
      value={rider}
      options={[{ value: '', label: t('Nobody yet') }, ...listed.map(({ personid, name }) => ({ value: personid, label: name }))]}
      pending={pending}
      onChoose={setRider}
      onSubmit={() => change({ call: assign, body: { orderid, version, rider: rider || null }, done: msg('The rider is changed') })}
      onClose={onClose}
    />
  );
}
