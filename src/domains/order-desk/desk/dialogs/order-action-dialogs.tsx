import { useState, type ReactNode } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { stageDisplay } from '../../../orders/contract.ts';
import { DialogDraft } from '../../../staff/desk/dialog-draft.tsx';
import { deleteDraft } from '../../../staff/desk/draft-storage.ts';
import { useMe } from '../../../staff/desk/session.ts';
import { TextDialog } from '../../../staff/desk/text-dialog.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { AttemptDialog } from './attempt-dialog.tsx';
import { ChangedNotice } from './changed-notice.tsx';
import { bagsMessages, countBags, explainBags } from '../bags-contract.ts';
import { codeMessages, renewCode } from '../code-contract.ts';
import { cancelDeskOrder, deskError, move, moveBack, type DeskOrder } from '../contract.ts';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { RescheduleDialog } from './reschedule-dialog.tsx';
import { isAllowed, laterVisitDay, mayDo, nextOf, actionStateOf, upcomingSlotStart, type DeskAction } from '../rules.ts';
import { BagsField, COUNTED_BAGS, useBagsCount, useBagsQuestion, type BagsCount } from './bags-count.tsx';
import type { SendChange } from '../use-change.ts';
import { useOpenedVersion } from './use-opened-version.ts';
import { WeighDialog } from './weigh-dialog.tsx';

/** An action that a dialog asks about. */
export type OrderAction =
  | 'weigh'
  | 'receive'
  | 'count'
  | 'count-bags'
  | 'explain-bags'
  | 'hand-over'
  | 'hand-over-without-code'
  | 'move-back'
  | 'attempt'
  | 'reschedule'
  | 'cancel'
  | 'assign';

interface OrderActionDialogsProps {
  order: DeskOrder;
  pending: boolean;
  change: SendChange;
  open: OrderAction | undefined;
  onOpen(action: OrderAction | undefined): void;
}

/** The dialogs of the actions on an order, of which one can be open. */
export function OrderActionDialogs({ order, pending, change: send, open, onOpen }: OrderActionDialogsProps) {
  const onClose = () => onOpen(undefined);
  // A hand-over code is not stored.
  const draft = open === undefined || open === 'hand-over' ? undefined : `${order.orderid} ${open}`;
  const sendOpened = useOpenedVersion<unknown>(open && `${order.orderid} ${open}`, order.version, send);
  const change: SendChange = async (request) => {
    const isMade = await sendOpened(request);
    if (isMade && draft !== undefined) deleteDraft(draft);
    return isMade;
  };
  const opening = useOpenings(open);
  const dialog = { order, pending, change, onClose };
  const state = actionStateOf(order);
  const noticeOf = (action: OrderAction & DeskAction) => !isAllowed(state, action) && !pending && <ChangedNotice order={order} />;
  const visit = { ...state, pickup_date: order.pickup_date };
  const now = serverClock.now();
  const laterDay = laterVisitDay(visit, now);
  const count = useBagsCount(order);
  return (
    <DialogDraft name={draft}>
      <WeighDialog
        open={open === 'weigh'}
        weighed={{ weight: order.total_weight, items: order.total_items, bags: order.bags }}
        laterDay={laterDay}
        notice={noticeOf('weigh')}
        {...dialog}
      />
      <PaymentDialog
        open={open === 'receive'}
        begunUpi={order.begun_upi}
        begunOnline={order.begun_online}
        notice={noticeOf('receive')}
        {...dialog}
      />
      <CountDialog open={open === 'count'} {...dialog} />
      <CountAgainDialog open={open === 'count-bags'} {...dialog} />
      <ExplainBagsDialog open={open === 'explain-bags'} {...dialog} />
      <HandOver
        open={open === 'hand-over'}
        notice={noticeOf('hand-over')}
        count={count}
        onWithoutCode={() => onOpen('hand-over-without-code')}
        {...dialog}
      />
      <WithoutCodeDialog open={open === 'hand-over-without-code'} count={count} {...dialog} />
      <MoveBackDialog open={open === 'move-back'} {...dialog} />
      <CancelDialog open={open === 'cancel'} {...dialog} />
      <AttemptDialog
        key={`attempt ${opening}`}
        open={open === 'attempt'}
        stage={order.washing_stage}
        laterDay={laterDay}
        slotStart={upcomingSlotStart(visit, now)}
        notice={noticeOf('attempt')}
        {...dialog}
      />
      <RescheduleDialog key={`reschedule ${opening}`} open={open === 'reschedule'} notice={noticeOf('reschedule')} {...dialog} />
      {open === 'assign' && <AssignDialog notice={noticeOf('assign')} {...dialog} />}
    </DialogDraft>
  );
}

/** Counts the openings of dialogs. As a key it resets fields outside of the content of a dialog. */
function useOpenings(open: OrderAction | undefined): number {
  const [state, setState] = useState({ open, openings: 0 });
  if (open !== state.open) setState({ open, openings: state.openings + (open === undefined ? 0 : 1) });
  return state.openings;
}

interface DialogProps extends Omit<OrderActionDialogsProps, 'open' | 'onOpen'> {
  open: boolean;
  onClose(): void;
}

const targetOf = ({ orderid, version }: DeskOrder) => ({ orderid, version });

/** The bags are counted when the clothes go into the machine. */
function CountDialog({ order, pending, change, ...dialog }: DialogProps) {
  const { t, translateData } = useLanguage();
  const bagsQuestion = useBagsQuestion(order.bags, msg('Move all the same'));
  return (
    <TextDialog
      {...dialog}
      title={t('Count the bags')}
      label={t('Bags')}
      required={t('Enter the number of bags')}
      isPossible={(text) => COUNTED_BAGS.test(text)}
      submitLabel={t('Move to {stage}', { stage: translateData(stageDisplay('washing').label) })}
      pending={pending}
      digits={2}
      questionOf={bagsQuestion}
      onSubmit={(text, onRefusal) =>
        change({
          call: move,
          body: { ...targetOf(order), stage: 'washing', bags: Number(text) },
          live: ['version'],
          done: msg('Moved'),
          onRefusal,
        })
      }
    >
      {order.bags !== null && <p className="text-sm text-ink-soft">{t('Collected: {count}', { count: order.bags })}</p>}
    </TextDialog>
  );
}

function CountAgainDialog({ order, pending, change, ...dialog }: DialogProps) {
  const { t } = useLanguage();
  const bagsQuestion = useBagsQuestion(order.bags, msg('Note it all the same'));
  return (
    <TextDialog
      {...dialog}
      title={t('Count the bags again')}
      label={t('Bags')}
      required={t('Enter the number of bags')}
      isPossible={(text) => COUNTED_BAGS.test(text)}
      submitLabel={t('Note the count')}
      pending={pending}
      digits={2}
      questionOf={bagsQuestion}
      onSubmit={(text, onRefusal) =>
        change({
          call: countBags,
          body: { ...targetOf(order), bags: Number(text) },
          live: ['version'],
          done: bagsMessages.counted,
          onRefusal,
        })
      }
    >
      <CountedBags order={order} />
    </TextDialog>
  );
}

/** The explanation is for the laundry: the customer does not read it. */
function ExplainBagsDialog({ order, pending, change, ...dialog }: DialogProps) {
  const { t, formatMessage } = useLanguage();
  return (
    <TextDialog
      {...dialog}
      title={t('Explain the difference')}
      label={t('Explanation (only the laundry reads it)')}
      required={formatMessage(deskError('reason-required'))}
      submitLabel={t('Note the explanation')}
      pending={pending}
      onSubmit={(note, onRefusal) =>
        change({ call: explainBags, body: { ...targetOf(order), note }, live: ['version'], done: bagsMessages.explained, onRefusal })
      }
    >
      <CountedBags order={order} />
    </TextDialog>
  );
}

const CountedBags = ({ order: { bags, counted_bags: counted } }: { order: DeskOrder }) => {
  const { t } = useLanguage();
  if (bags === null || counted === null) return null;
  return <p className="text-sm text-ink-soft">{t('Bags: {bags} collected, {counted} counted', { bags, counted })}</p>;
};

/** The hand-over with the code, and what the owner and operators can do without it. */
function HandOver({ onWithoutCode, ...dialog }: DialogProps & { notice: ReactNode; count: BagsCount; onWithoutCode(): void }) {
  const { t } = useLanguage();
  const { role } = useMe();
  const { order, pending, change } = dialog;
  return (
    <HandOverDialog {...dialog} begunUpi={order.begun_upi} begunOnline={order.begun_online} triesLeft={order.code_tries_left}>
      {mayDo(role, 'hand-over-without-code') && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="small"
            pending={pending}
            onClick={() => void change({ call: renewCode, body: targetOf(order), done: codeMessages.renewed })}
          >
            {t('Make a new code')}
          </Button>
          <Button variant="quiet" size="small" onClick={onWithoutCode}>
            {order.to_return ? t('Return without the code') : t('Deliver without the code')}
          </Button>
        </div>
      )}
    </HandOverDialog>
  );
}

function WithoutCodeDialog({ order, count, pending, change, ...dialog }: DialogProps & { count: BagsCount }) {
  const { t } = useLanguage();
  const bagsQuestion = useBagsQuestion(order.bags, msg('Deliver all the same'));
  const { washing_stage: stage, to_return: toReturn } = order;
  const next = nextOf({ stage, to_return: toReturn }) ?? '';
  return (
    <ReasonDialog
      {...dialog}
      title={toReturn ? t('Return without the code') : t('Deliver without the code')}
      submitLabel={toReturn ? t('Returned') : t('Delivered')}
      pending={pending}
      questionOf={() => (COUNTED_BAGS.test(count.text) ? bagsQuestion(count.text) : undefined)}
      onSubmit={async (reason, onRefusal) => {
        if (!count.check()) return false;
        const isDone = await change({
          call: move,
          body: { ...targetOf(order), stage: next, reason, ...(count.text && { bags: Number(count.text) }) },
          live: ['version'],
          done: toReturn ? msg('Returned') : msg('Moved'),
          onRefusal,
        });
        if (isDone) count.clear();
        return isDone;
      }}
    >
      <BagsField bags={order.bags} count={count} />
    </ReasonDialog>
  );
}

function MoveBackDialog({ order, pending, change, ...dialog }: DialogProps) {
  const { t } = useLanguage();
  return (
    <ReasonDialog
      {...dialog}
      title={t('Move back')}
      submitLabel={t('Move back')}
      pending={pending}
      onSubmit={(reason, onRefusal) =>
        change({ call: moveBack, body: { ...targetOf(order), reason }, live: ['version'], done: msg('Moved back'), onRefusal })
      }
    />
  );
}

function CancelDialog({ order, pending, change, ...dialog }: DialogProps) {
  const { t, rupees } = useLanguage();
  const { amount_paid: paid, customer } = order;
  return (
    <ReasonDialog
      {...dialog}
      title={t('Cancel the order')}
      submitLabel={t('Cancel the order')}
      keepLabel={t('Keep the order')}
      pending={pending}
      onSubmit={(reason, onRefusal) =>
        change({
          call: cancelDeskOrder,
          body: { ...targetOf(order), reason },
          live: ['version'],
          done: msg('The order is cancelled'),
          onRefusal,
        })
      }
    >
      {paid > 0 && (
        <p className="text-sm">
          {customer.is_guest
            ? t('{amount} is paid. It goes into the wallet of the guest once they have an account.', { amount: rupees(paid) })
            : t('{amount} is paid. It goes into the wallet of the customer.', { amount: rupees(paid) })}
        </p>
      )}
      {order.total_weight !== null && <p className="text-sm text-ink-soft">{t('The laundry has the clothes: they have to go back.')}</p>}
    </ReasonDialog>
  );
}
