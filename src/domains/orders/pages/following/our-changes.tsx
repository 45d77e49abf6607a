import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDayTime, formatWeekday } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { links } from '../../../../shared/links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { stageDisplay, type Order, type Stage } from '../../contract.ts';
import { lastStageChange, type OrderHistoryEntry } from '../../history-contract.ts';
import { isCancelledStage, leftToPay } from '../../rules.ts';
import { ContactLinks } from './contact-links.tsx';
import { movedPickup } from './moved-pickup.ts';
import { reversedPaymentText } from './history-texts.ts';

/** Changes of the laundry that the customer has to know now, with what to do about them. */
export function OurChanges({ order, onReschedule }: { order: Order; onReschedule(): void }) {
  const { history, washing_stage: stage } = order;
  const stageChange = lastStageChange(history);
  const returned = history.findLast(({ kind }) => kind === 'returned' || kind === 'returned-without-code');
  const reversal = history.findLast(({ kind }) => kind === 'payment-reversed');
  // A reported payment may be the missing one.
  const due = order.has_reported_upi ? 0 : leftToPay(order);
  const pickupMove = movedPickup(order);
  // A live region announces what appears in it.
  return (
    <div aria-live="polite" className="space-y-4 empty:hidden">
      {stageChange?.kind === 'delivered-without-code' && stage === ('delivered' satisfies Stage) && (
        <WithoutCode order={order} entry={stageChange} />
      )}
      {order.returned_date !== null && returned?.kind === 'returned-without-code' && <WithoutCode order={order} entry={returned} />}
      {(stage === ('delivery' satisfies Stage) || order.to_return) && order.hand_over_code === null && <CodeLocked order={order} />}
      {due > 0 && reversal && <PaymentReversed order={order} entry={reversal} due={due} />}
      {stageChange?.kind === 'moved-back' && !isCancelledStage(stage) && <MovedBack entry={stageChange} />}
      {pickupMove && <PickupMoved entry={pickupMove} onReschedule={onReschedule} />}
    </div>
  );
}

/** The words of the staff, and when they wrote them. */
function Reason({ entry: { at, reason }, children }: { entry: OrderHistoryEntry; children?: ReactNode }) {
  const language = useLanguage();
  const time = formatDayTime(language, at);
  return (
    <>
      <p className="wrap-anywhere">{reason === undefined ? time : language.t('{text}: {reason}', { text: time, reason })}</p>
      {children}
    </>
  );
}

function WithoutCode({ order: { orderid }, entry }: { order: Order; entry: OrderHistoryEntry }) {
  const { t } = useLanguage();
  return (
    <Notice
      tone="warn"
      title={t('Handed over without your code')}
      action={
        <Link to={links.claims(orderid, 'missing')} className={buttonStyles('secondary', 'small')}>
          {t('I did not get my clothes')}
        </Link>
      }
    >
      <Reason entry={entry}>
        <p>{t('If you did not get them, tell us: a person looks for them and answers within 48 hours. We pay for what is lost.')}</p>
      </Reason>
    </Notice>
  );
}

function PaymentReversed({ order: { orderid }, entry, due }: { order: Order; entry: OrderHistoryEntry; due: number }) {
  const language = useLanguage();
  const { t, rupees } = language;
  return (
    <Notice
      tone="warn"
      title={reversedPaymentText(language, entry)}
      action={
        <div className="flex flex-wrap gap-3">
          <Link to={links.orderPayment(orderid)} className={buttonStyles('primary', 'small')}>
            {t('Pay {amount}', { amount: rupees(due) })}
          </Link>
          <Link to={links.claims(orderid, 'amount')} className={buttonStyles('secondary', 'small')}>
            {t('Is this wrong? Tell us')}
          </Link>
        </div>
      }
    >
      <Reason entry={entry}>
        {entry.given_back && entry.amount !== undefined && (
          <p>{t('We gave you {amount} back in cash.', { amount: rupees(entry.amount) })}</p>
        )}
        <p>{t('{amount} is due.', { amount: rupees(due) })}</p>
      </Reason>
    </Notice>
  );
}

function CodeLocked({ order: { orderid } }: { order: Order }) {
  const { t } = useLanguage();
  return (
    <Notice
      tone="warn"
      title={t('Your hand-over code does not work any more')}
      action={
        <div className="flex flex-wrap gap-3">
          <ContactLinks orderid={orderid} />
        </div>
      }
    >
      {t('A wrong code was entered too often. Please call us: we check who is at your door, and you see a new code here.')}
    </Notice>
  );
}

function MovedBack({ entry }: { entry: OrderHistoryEntry }) {
  const { t, translateData } = useLanguage();
  return (
    <Notice tone="info" title={t('We moved your order back to {stage}', { stage: translateData(stageDisplay(entry.stage ?? '').label) })}>
      <Reason entry={entry} />
    </Notice>
  );
}

function PickupMoved({ entry, onReschedule }: { entry: OrderHistoryEntry; onReschedule(): void }) {
  const language = useLanguage();
  const { t } = language;
  const { from_date: from = '', pickup_date: to = '' } = entry;
  return (
    <Notice
      tone="warn"
      title={t('We moved the pickup from {from} to {to}', { from: formatWeekday(language, from), to: formatWeekday(language, to) })}
      action={
        <Button variant="secondary" size="small" onClick={onReschedule}>
          {t('Choose another day')}
        </Button>
      }
    >
      <Reason entry={entry} />
    </Notice>
  );
}
