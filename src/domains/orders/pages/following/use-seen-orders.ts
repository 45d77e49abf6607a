import { useEffect, useMemo } from 'react';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { serverClock } from '../../../../browser/server-clock.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { stageDisplay, type Order } from '../../contract.ts';
import { isCancelledStage, isPayableStage, leftToPay } from '../../rules.ts';
import { isLate, promisedBack } from '../../visit-rules.ts';
import { historyText } from './history-texts.ts';
import { isPickedUp, orderStatusText, pickupText, weightText } from './order-card.tsx';
import { storeSeenOrders, type OrderSummary } from '../offline/seen-orders.ts';

/** Stores the orders that a page shows, and again in the new language after a change of it. */
export function useStoreSeenOrders(orders: readonly Order[] | undefined) {
  const language = useLanguage();
  // Each response is another array.
  const seenAt = useMemo(() => orders && systemClock.now().getTime(), [orders]);
  useEffect(() => {
    if (!orders || seenAt === undefined) return;
    storeSeenOrders(orders.map((order) => ({ order, seenAt, summary: summaryOf(language, order) })));
  }, [orders, seenAt, language]);
}

function summaryOf(language: Language, order: Order): OrderSummary {
  const { t, rupees, translateData } = language;
  const { washing_stage: stage, total_amount: amount, hand_over_code: code, stages, history } = order;
  const now = serverClock.now();
  const promised = promisedBack(order, now);
  const label = isPickedUp(order) ? t('Collected') : translateData(stageDisplay(stage).label);
  const nextStep = isLate(order, now) ? t('We are late, please call us') : orderStatusText(language, order);
  const enteredAt = stages.findLast((entry) => entry.stage === stage)?.entered_at;
  const isCancelled = isCancelledStage(stage);
  return {
    language: language.code,
    title: translateData(order.program_name),
    rows: [
      { label: t('Order No'), value: order.orderid },
      {
        label: t('Order Status'),
        value: [label, ...(enteredAt === undefined ? [] : [formatDayTime(language, enteredAt)])].join(' · '),
      },
      { label: t('Next step'), value: nextStep },
      ...(code === null ? [] : [{ label: t('Hand-over code'), value: code }]),
      ...(order.attempt ? [{ label: t('Failed visit'), value: formatDayTime(language, order.attempt.at) }] : []),
      ...(promised === null ? [] : [{ label: t('Back by'), value: formatDayTime(language, promised) }]),
      { label: t('Pickup'), value: pickupText(language, order) },
      { label: t('Weight (kg)'), value: weightText(language, order) },
      ...(amount === null || isCancelled ? [] : [{ label: t('Final Amount'), value: rupees(amount) }]),
      ...(amount === null || !isPayableStage(stage)
        ? []
        : [
            {
              label: order.has_reported_upi ? t('Paid by UPI, being checked') : t('Left to pay'),
              value: rupees(leftToPay(order)),
            },
          ]),
      ...history
        .filter(({ reason }) => reason !== undefined)
        .map((entry) => ({ label: formatDayTime(language, entry.at), value: historyText(language, entry) })),
    ].filter(({ value }) => value !== ''),
  };
}
