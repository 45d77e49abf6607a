import { useEffect, useRef, useState } from 'react';
import { serverClock } from '../../../../browser/server-clock.ts';
import { formatDayTime, formatTime } from '../../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { dismissToast, showToast, TOAST_MS } from '../../../../ui/feedback/toast.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { fromKolkataDateTime, kolkataDateTime } from '../../../../lib/dates.ts';
import { toErrorMessage } from '../../../../contract/errors.ts';
import type { Call } from '../../../../contract/define-call.ts';
import { fetchSend } from '../../../../browser/client.ts';
import { useMutation } from '../../../../browser/use-mutation.ts';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { alertProblem } from '../../../error-reports/pages/problem.ts';
import { calendarPath, cancelOrder, undoCancel, type Order } from '../../contract.ts';
import { undoableUntil } from '../../rules.ts';
import { isLate, promisedBack } from '../../visit-rules.ts';
import { useOrderAgain } from './delivered-actions.tsx';
import { bagsText, piecesText } from './history-texts.ts';
import { showTopOfOrder, type ChangeDialogs, type OrderChangesProps } from './change-dialogs.ts';
import { movedPickup } from './moved-pickup.ts';
import { RescheduleDialog } from './reschedule-dialog.tsx';

/**
 * Until the pickup: changes its day and cancels the order. After a cancellation: undoes it within a
 * minute. Shows the dialogs of the page. If the order goes on while one is open, explains why it is
 * closed.
 */
export function OrderChanges({ dialogs, ...props }: OrderChangesProps & { dialogs: ChangeDialogs }) {
  const { phase, open, closedIn } = dialogs;
  const region = useRef<HTMLDivElement>(null);
  const isFocusDue = useRef(false);
  const focusedPhase = useRef(phase);
  // Set when a change is sent: an event of the server can show it before its response arrives.
  const setFocusDue = (isDue: boolean) => {
    isFocusDue.current = isDue;
  };
  // The button that had the focus is gone, and its dialog, which kept the focus until now.
  useEffect(() => {
    if (focusedPhase.current === phase) return;
    focusedPhase.current = phase;
    if (!isFocusDue.current && closedIn === null) return;
    isFocusDue.current = false;
    region.current?.focus({ preventScroll: true });
    if (phase === 'pickup') showTopOfOrder();
    else region.current?.scrollIntoView({ block: 'center' });
  }, [phase, closedIn]);
  const isTooLate = closedIn !== null && (phase === 'delivery' || phase === 'none');
  return (
    <>
      {(phase === 'pickup' || phase === 'cancelled' || isTooLate) && (
        <div ref={region} tabIndex={-1}>
          {phase === 'cancelled' && <CancelledNotice key={props.order.undo_seconds} {...props} setFocusDue={setFocusDue} />}
          {phase === 'pickup' && <PickupChanges {...props} {...{ dialogs, setFocusDue }} />}
          {isTooLate && <TooLateNotice wasDelivery={closedIn === 'delivery'} />}
        </div>
      )}
      <RescheduleDialog open={open === 'reschedule'} onClose={dialogs.close} {...props} />
    </>
  );
}

/** In place of a dialog that was open when the order went on. */
function TooLateNotice({ wasDelivery }: { wasDelivery: boolean }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const { mobile } = brand;
  return (
    <Notice
      tone="warn"
      live
      title={wasDelivery ? t('The delivery can no longer be moved') : t('This order can no longer be cancelled or moved')}
    >
      {wasDelivery
        ? t('Your order is no longer out for delivery. If you want to change something, please call us at {mobile}.', { mobile })
        : t('Our rider has picked up and weighed your clothes meanwhile. If you want to change something, please call us at {mobile}.', {
            mobile,
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
  dialogs: ChangeDialogs;
}

function PickupChanges({ order, userid, dialogs, onChanged, setFocusDue }: PickupChangesProps) {
  const { t, day, translateData } = useLanguage();
  const { orderid } = order;
  const cancellation = useCancellation(cancelOrder, { onChanged, setFocusDue });
  const cancel = async () => {
    // A toast about an earlier change of the order is out of date.
    if (await cancellation.mutate({ userid, orderid })) dismissToast();
    dialogs.close();
  };
  // After a failed visit or a move by the laundry, the notice above offers the days.
  const canChangeDay = order.attempt === null && movedPickup(order) === undefined;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Change of plans?')}</h2>
      <p className="mt-1 text-sm text-ink-soft">
        {canChangeDay
          ? t('Until our rider weighs your clothes you can choose another pickup day or cancel, without a charge.')
          : t('Until our rider weighs your clothes you can cancel, without a charge.')}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {canChangeDay && (
          <Button variant="secondary" size="small" onClick={() => dialogs.show('reschedule')}>
            {t('Change pickup day')}
          </Button>
        )}
        {order.attempt === null && (
          <a href={calendarPath(orderid)} className={buttonStyles('secondary', 'small')}>
            {t('Add to calendar')}
          </a>
        )}
        <Button variant="quiet" size="small" onClick={() => dialogs.show('cancel')}>
          {t('Cancel order')}
        </Button>
      </div>
      <ConfirmDialog
        open={dialogs.open === 'cancel'}
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
        onCancel={dialogs.close}
      />
    </Card>
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
