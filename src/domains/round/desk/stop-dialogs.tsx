import { useState } from 'react';
import { Link } from 'react-router';
import { serverClock } from '../../../browser/server-clock.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { telephoneUrl } from '../../../shared/brand.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { PhoneIcon } from '../../../ui/icons/contact.tsx';
import { AttemptDialog } from '../../order-desk/desk/dialogs/attempt-dialog.tsx';
import { ListedChangedNotice } from '../../order-desk/desk/dialogs/changed-notice.tsx';
import { MAX_WRONG_CODES, type DeskOrder, type ListedOrder } from '../../order-desk/desk/contract.ts';
import { useBagsCount } from '../../order-desk/desk/dialogs/bags-count.tsx';
import { HandOverDialog } from '../../order-desk/desk/dialogs/hand-over-dialog.tsx';
import { PaymentDialog } from '../../order-desk/desk/dialogs/payment-dialog.tsx';
import { isAllowed, laterVisitDay, mayDo } from '../../order-desk/desk/rules.ts';
import type { DoorBody, SendDoorChange } from '../../order-desk/desk/use-change.ts';
import { useOpenedVersion } from '../../order-desk/desk/dialogs/use-opened-version.ts';
import { WeighDialog } from '../../order-desk/desk/dialogs/weigh-dialog.tsx';
import { DialogDraft } from '../../staff/desk/dialog-draft.tsx';
import { deleteDraft } from '../../staff/desk/draft-storage.ts';
import { useMe } from '../../staff/desk/session.ts';
import { PhotoDialog } from './photo-dialog.tsx';
import { useQueuedChange } from './use-queued-change.ts';

/** An action that a dialog asks about. */
export type StopAction = 'weigh' | 'receive' | 'hand-over' | 'attempt' | 'photo';

interface StopDialogsProps {
  action: StopAction;
  open: boolean;
  /** The stop as it was when the dialog was opened. */
  opened: ListedOrder;
  /** The stop now, or undefined if it has left the round. */
  current: ListedOrder | undefined;
  onClose(): void;
  /** Called with the order after a change. */
  onOrder(order: DeskOrder): void;
}

/**
 * The dialog of a stop. It is rendered outside the card: if the stop leaves the round, the dialog
 * stays open with the typed values and shows the reason.
 */
export function StopDialogs({ action, open, opened, current, onClose, onOrder }: StopDialogsProps) {
  const stop = current ?? opened;
  const { pending, change: send } = useQueuedChange(stop, onOrder);
  const [isDone, setDone] = useState(false);
  // A hand-over code is not stored.
  const draft = action === 'hand-over' ? undefined : `${stop.orderid} ${action}`;
  const sendOpened = useOpenedVersion<DoorBody>(open ? `${stop.orderid} ${action}` : undefined, stop.version, send);
  const change: SendDoorChange = async (request) => {
    const isAccepted = await sendOpened(request);
    if (isAccepted && draft !== undefined) deleteDraft(draft);
    setDone(isAccepted);
    return isAccepted;
  };
  const isPossible = current !== undefined && (action === 'photo' || isAllowed({ ...current, isReturned: false }, action));
  const notice = !isPossible && !pending && !isDone && <ListedChangedNotice orderid={stop.orderid} />;
  const dialog = { order: stop, notice, pending, change, onClose };
  // Stops that a phone stored before an upgrade do not have it.
  const begunOnline = stop.begun_online ?? null;
  const count = useBagsCount(stop);
  const laterDay = laterVisitDay(stop, serverClock.now());
  return (
    <DialogDraft name={draft}>
      <WeighDialog open={open && action === 'weigh'} weighed={stop} laterDay={laterDay} {...dialog} />
      <PaymentDialog open={open && action === 'receive'} begunUpi={stop.reported_upi} begunOnline={begunOnline} {...dialog} />
      <AttemptDialog open={open && action === 'attempt'} stage={stop.stage} laterDay={laterDay} {...dialog} />
      <PhotoDialog open={open && action === 'photo'} order={stop} onClose={onClose} />
      <HandOverDialog
        open={open && action === 'hand-over'}
        begunUpi={stop.reported_upi}
        begunOnline={begunOnline}
        count={count}
        triesLeft={Math.max(0, MAX_WRONG_CODES - stop.wrong_codes)}
        {...dialog}
      >
        <WithoutCode orderid={stop.orderid} />
      </HandOverDialog>
    </DialogDraft>
  );
}

/** Leads to the people and the screen that can hand over without the code. The round cannot. */
function WithoutCode({ orderid }: { orderid: string }) {
  const { t } = useLanguage();
  const { role } = useMe();
  const { brand } = useSiteConfig();
  if (mayDo(role, 'hand-over-without-code')) {
    return (
      <Link to={staffLinks.order(orderid)} className={`${standaloneLinkStyles} text-sm`}>
        {t('Without the code: hand over on the page of the order, with a reason')}
      </Link>
    );
  }
  return (
    <div className="space-y-2 text-sm">
      <p>{t('Without the code, only the owner or an operator can hand over, with a reason. Call the laundry:')}</p>
      <a href={telephoneUrl(brand.mobile)} className={buttonStyles('secondary', 'small')}>
        <PhoneIcon small />
        {t('Call {mobile}', { mobile: brand.mobile })}
      </a>
    </div>
  );
}
