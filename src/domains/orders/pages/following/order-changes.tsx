import { useEffect, useRef, useState } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { formatDayTime, formatTime } from '../../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { msg, type ErrorMessage } from '../../../../i18n/messages.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { dismissToast, showToast, TOAST_MS } from '../../../../ui/feedback/toast.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { fromKolkataDateTime, kolkataDateTime } from '../../../../lib/dates.ts';
import { toErrorMessage } from '../../../../contract/errors.ts';
import type { Call } from '../../../../contract/define-call.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { useMutation } from '../../../../browser/use-mutation.ts';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { alertProblem } from '../../../error-reports/pages/problem.ts';
import { loadEvenings } from '../../../evenings/pages/use-evenings.ts';
import { calendarPath, cancelOrder, reschedule, undoCancel, type Order, type Stage } from '../../contract.ts';
import { chooseDelivery } from '../../delivery-contract.ts';
import { isCancelledStage, mayCancel, undoableUntil } from '../../rules.ts';
import type { EveningErrorCode } from '../../pickup-rules.ts';
import { isLate, promisedBack } from '../../visit-rules.ts';
import { useOrderAgain } from './delivered-actions.tsx';
import { bagsText, piecesText } from './history-texts.ts';
import { movedPickup } from './moved-pickup.ts';
import { PickupDayForm } from '../draft/pickup-day-form.tsx';

export interface OrderChangesProps {
  order: Order;
  /** Undefined for a guest. */
  userid: string | undefined;
  /** Loads the order again. */
  onChanged(): Promise<unknown>;
}

/** The changed day and status are above the buttons, on a phone out of view. */
const showTopOfOrder = () => window.scrollTo({ top: 0 });

type ChangeDialog = 'cancel' | 'reschedule';

/** Whether the order can be changed, is cancelled, or is collected, which ends both. */
const phaseOf = ({ washing_stage: stage, total_weight: weightGrams }: Order): 'changeable' | 'cancelled' | 'collected' =>
  isCancelledStage(stage) ? 'cancelled' : mayCancel({ stage, weightGrams }, 'customer') ? 'changeable' : 'collected';

/**
 * Until the pickup: changes its day and cancels the order. After a cancellation: undoes it within a
 * minute. If the clothes are collected while a dialog is open, explains why it is closed.
 */
export function OrderChanges(props: OrderChangesProps) {
  const phase = phaseOf(props.order);
  const [dialog, setDialog] = useState<ChangeDialog | null>(null);
  const [shown, setShown] = useState({ phase, closedDialog: dialog });
  if (shown.phase !== phase) {
    setShown({ phase, closedDialog: dialog });
    setDialog(null);
  }
  const region = useRef<HTMLDivElement>(null);
  const isFocusDue = useRef(false);
  const focused = useRef(shown);
  // Set when a change is sent: an event of the server can show it before its response arrives.
  const setFocusDue = (isDue: boolean) => {
    isFocusDue.current = isDue;
  };
  // The button that had the focus is gone, and its dialog, which kept the focus until now.
  useEffect(() => {
    if (focused.current === shown) return;
    focused.current = shown;
    if (!isFocusDue.current && shown.closedDialog === null) return;
    isFocusDue.current = false;
    region.current?.focus({ preventScroll: true });
    if (shown.phase === 'changeable') showTopOfOrder();
    else region.current?.scrollIntoView({ block: 'center' });
  }, [shown]);
  if (phase === 'collected' && shown.closedDialog === null) return null;
  return (
    <div ref={region} tabIndex={-1}>
      {phase === 'cancelled' && <CancelledNotice key={props.order.undo_seconds} {...props} setFocusDue={setFocusDue} />}
      {phase === 'changeable' && <PickupChanges {...props} {...{ dialog, setDialog, setFocusDue }} />}
      {phase === 'collected' && <TooLateNotice />}
    </div>
  );
}

/** In place of a dialog that was open when the clothes were collected. */
function TooLateNotice() {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <Notice tone="warn" live title={t('This order can no longer be cancelled or moved')}>
      {t('Our rider has picked up and weighed your clothes meanwhile. If you want to change something, please call us at {mobile}.', {
        mobile: brand.mobile,
      })}
    </Notice>
  );
}

interface CancellationProps extends OrderChangesProps {
  /** Whether the focus follows when the order is cancelled or active again. */
  setFocusDue(isDue: boolean): void;
}

/**
 * Returns `mutate`, which sends a cancellation or its undo, shows an error in a toast and loads the
 * order again. It resolves to true after a success only.
 */
function useCancellation<Body, Data>(
  call: Call<Body, Data>,
  { onChanged, setFocusDue }: Pick<CancellationProps, 'onChanged' | 'setFocusDue'>,
) {
  return useMutation({
    async mutationFn(body: Body) {
      setFocusDue(true);
      const response = await fetchSend(call, body);
      const isDone = response.response === 'success';
      if (!isDone) {
        setFocusDue(false);
        showToast({ text: toErrorMessage(response), theme: 'red', durationMs: TOAST_MS.long });
      }
      await onChanged();
      return isDone;
    },
    onError(error) {
      setFocusDue(false);
      alertProblem(error, { call: call.path });
    },
  });
}

interface PickupChangesProps extends CancellationProps {
  dialog: ChangeDialog | null;
  setDialog(dialog: ChangeDialog | null): void;
}

function PickupChanges({ order, userid, dialog, setDialog, onChanged, setFocusDue }: PickupChangesProps) {
  const { t, day, translateData } = useLanguage();
  const { orderid } = order;
  const closeDialog = () => setDialog(null);
  const cancellation = useCancellation(cancelOrder, { onChanged, setFocusDue });
  const cancel = async () => {
    // A toast about an earlier change of the order is out of date.
    if (await cancellation.mutate({ userid, orderid })) dismissToast();
    closeDialog();
  };
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Change of plans?')}</h2>
      <p className="mt-1 text-sm text-ink-soft">
        {t('Until our rider weighs your clothes you can choose another pickup day or cancel, without a charge.')}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {order.attempt === null && movedPickup(order) === undefined && (
          <Button variant="secondary" size="small" onClick={() => setDialog('reschedule')}>
            {t('Change pickup day')}
          </Button>
        )}
        {order.attempt === null && (
          <a href={calendarPath(orderid)} className={buttonStyles('secondary', 'small')}>
            {t('Add to calendar')}
          </a>
        )}
        <Button variant="quiet" size="small" onClick={() => setDialog('cancel')}>
          {t('Cancel order')}
        </Button>
      </div>
      <RescheduleDialog open={dialog === 'reschedule'} onClose={closeDialog} {...{ order, userid, onChanged }} />
      <ConfirmDialog
        open={dialog === 'cancel'}
        title={t('Cancel this order?')}
        message={t('The pickup on {day}, {timeslot}, will be cancelled. You can undo this for one minute.', {
          day: day(order.pickup_date),
          timeslot: translateData(order.timeslot),
        })}
        confirmLabel={t('Cancel order')}
        cancelLabel={t('Keep order')}
        pending={cancellation.pending}
        error={null}
        onConfirm={() => void cancel()}
        onCancel={closeDialog}
      />
    </Card>
  );
}

interface RescheduleDialogProps extends OrderChangesProps {
  open: boolean;
  onClose(): void;
}

const isOutForDelivery = ({ washing_stage: stage }: Order) => stage === ('delivery' satisfies Stage);

/** Chooses the day of the pickup, or of another delivery. */
export function RescheduleDialog({ open, onClose, ...props }: RescheduleDialogProps) {
  const { t } = useLanguage();
  return (
    <Dialog open={open} onClose={onClose} title={isOutForDelivery(props.order) ? t('Choose the delivery evening') : t('Change pickup day')}>
      <RescheduleForm {...props} onClose={onClose} />
    </Dialog>
  );
}

/** The errors that name another evening. */
const TAKEN: ReadonlySet<string> = new Set<EveningErrorCode>(['evening-full', 'evening-closed', 'evening-limit']);

function RescheduleForm({ order, userid, onChanged, onClose }: Omit<RescheduleDialogProps, 'open'>) {
  const { t, formatMessage } = useLanguage();
  const isDelivery = isOutForDelivery(order);
  const { attempt } = order;
  const current = isDelivery ? order.delivery_date : attempt ? null : order.pickup_date;
  const [chosen, setChosen] = useState(current ?? '');
  const [taken, setTaken] = useState<ErrorMessage | null>(null);
  const { pending, mutate } = useMutation<string>({
    async mutationFn(day) {
      const target = { userid, orderid: order.orderid };
      const response = isDelivery
        ? await fetchSend(chooseDelivery, { ...target, delivery_date: day })
        : await fetchSend(reschedule, { ...target, pickup_date: day });
      if (response.response !== 'success' && TAKEN.has(response.code)) {
        // Continues with the next free evening.
        setTaken(toErrorMessage(response));
        setChosen(String(response.params.pickupDay));
        await loadEvenings();
        return;
      }
      showToast(
        response.response === 'success'
          ? {
              text: isDelivery ? msg('We bring your clothes on {day, date}', { day }) : msg('Your pickup is now on {day, date}', { day }),
              theme: 'green',
              durationMs: TOAST_MS.long,
            }
          : { text: toErrorMessage(response), theme: 'red', durationMs: TOAST_MS.long },
      );
      await onChanged();
      onClose();
      showTopOfOrder();
    },
    onError: (error) => {
      alertProblem(error, { doing: 'choosing a day' });
      onClose();
    },
  });
  return (
    <PickupDayForm
      area={order.area}
      timeslot={order.timeslot}
      current={current}
      visit={order}
      chosen={chosen}
      onChoose={setChosen}
      onSubmit={() => void mutate(chosen)}
      submitLabel={isDelivery ? t('Choose this evening') : t('Change pickup day')}
      pending={pending}
      error={taken && formatMessage(taken)}
    />
  );
}

function CancelledNotice({ order, userid, onChanged, setFocusDue }: CancellationProps) {
  const language = useLanguage();
  const { t } = language;
  const { orderid, undo_seconds: undoSeconds, cancellation } = order;
  const byLaundry = cancellation?.by === 'laundry';
  const [isExpired, setExpired] = useState(undoSeconds === null);
  useEffect(() => {
    if (undoSeconds === null) return;
    const timer = setTimeout(() => setExpired(true), undoSeconds * 1000);
    return () => clearTimeout(timer);
  }, [undoSeconds]);
  const { pending, mutate } = useCancellation(undoCancel, { onChanged, setFocusDue });
  const undo = async () => {
    if (await mutate({ userid, orderid })) showToast({ text: msg('Your order is active again'), theme: 'green' });
  };
  const again = useOrderAgain(order);
  const action = isExpired ? (
    <Button variant="secondary" size="small" pending={again.pending} onClick={again.orderAgain}>
      {t('Order again')}
    </Button>
  ) : (
    <Button variant="secondary" size="small" pending={pending} onClick={() => void undo()}>
      {t('Undo')}
    </Button>
  );
  return (
    <Notice tone="info" live title={byLaundry ? t('We have cancelled your order') : t('This order is cancelled')} action={action}>
      {byLaundry && (
        <p>
          {formatDayTime(language, cancellation.at)}
          {cancellation.reason && `: ${cancellation.reason}`}
        </p>
      )}
      {!byLaundry && cancellation && isExpired && (
        <p>{t('You cancelled this order on {time}.', { time: formatDayTime(language, cancellation.at) })}</p>
      )}
      <p>
        {isExpired || !cancellation
          ? whatFollows(language, order)
          : t('You can undo this until {time}.', {
              time: formatTime(language, kolkataDateTime(undoableUntil(fromKolkataDateTime(cancellation.at)))),
            })}
      </p>
    </Notice>
  );
}

/** Returns what happens after a cancellation with the clothes, if the laundry had them. */
function whatFollows(language: Language, order: Order): string {
  const { t } = language;
  const { to_return: toReturn, returned_date: returned, back_by: promised } = order;
  if (returned !== null) return t('Your clothes were returned on {time}.', { time: formatDayTime(language, returned) });
  if (!toReturn || promised === null) return t('Our rider will not come. You can place a new order at any time.');
  const [items, bags] = [order.total_items ?? 0, order.bags];
  const clothes = [piecesText(language, items), ...(bags === null ? [] : [bagsText(language, bags)])].join(', ');
  const time = formatDayTime(language, promised);
  const now = serverClock.now();
  if (promisedBack(order, now) === null) return t('We still have your clothes ({clothes}).', { clothes });
  return isLate(order, now)
    ? t(
        'We still have your clothes ({clothes}). We wanted to bring them back by {time}, and we are sorry that we are late. Please call us.',
        {
          clothes,
          time,
        },
      )
    : t('We still have your clothes ({clothes}) and bring them back free of charge by {time}.', { clothes, time });
}
