import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useLocation, useOutletContext } from 'react-router';
import { defineMessages, type MessageKey } from '../../../i18n/messages.ts';
import { formatDayTime, formatTime } from '../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { asPaise, type Paise } from '../../../lib/money.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { DefinitionTable, type DefinitionRow } from '../../../ui/layout/definition-table.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { fetchSend } from '../../../browser/client.ts';
import { requireData } from '../../../contract/call-failures.ts';
import { links } from '../../../shared/links.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import type { Order, Stage } from '../../orders/contract.ts';
import type { HistoryKind } from '../../orders/history-contract.ts';
import { isMovedBack } from '../../orders/pages/following/order-progress.tsx';
import { historyText } from '../../orders/pages/following/history-texts.ts';
import type { OrderContext } from '../../orders/pages/following/order-view.tsx';
import { isCancelledStage, isPayableStage } from '../../orders/rules.ts';
import { WalletPaymentLink } from '../../orders/pages/following/wallet-payment-link.tsx';
import { getOrderPayments, type OrderPayments, type PaymentMethod } from '../contract.ts';
import { overpaidRows, PayBackNote } from './overpaid.tsx';
import { PaymentOptions } from './payment-options.tsx';
import { DismissedUpi, ReportedUpi } from './reported-upi.tsx';
import { readOnlinePayment } from './read-online-payment.ts';
import { usePaymentPolls } from './use-payment-polls.ts';

const onError = (error: unknown) => alertProblem(error, { doing: 'loading the payments of an order' });

const PAYMENT_HASH = links.orderPayment('').slice(links.order('').length);

interface PaymentSummaryProps {
  /** Shows the payment methods too. */
  showsMethods: boolean;
}

/**
 * Shows the payments of an order and the unpaid amount, or the refund of a cancelled order.
 * Nothing before the order is weighed.
 */
export function PaymentSummary({ showsMethods }: PaymentSummaryProps) {
  const context = useOutletContext<OrderContext>();
  const { washing_stage: stage, amount_paid: paid, total_amount: total } = context.order;
  // An order that is weighed again can be paid already.
  if (!isPayableStage(stage) && !isCancelledStage(stage) && paid === 0)
    return total !== null && <PaidLater order={context.order} amount={total} />;
  return <LoadedPaymentSummary {...context} showsMethods={showsMethods} />;
}

function LoadedPaymentSummary({ order, userid, showsMethods }: OrderContext & PaymentSummaryProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { orderid, version } = order;
  const card = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  const query = useQuery({
    queryKey: [userid, orderid],
    queryFn: async ({ signal }) => requireData(await fetchSend(getOrderPayments, { userid, orderid }, { signal })),
    onError,
  });
  // The card does not exist when the router scrolls to the hash.
  const isLinked = query.status === 'success' && hash === PAYMENT_HASH;
  useEffect(() => {
    if (isLinked) card.current?.scrollIntoView({ block: 'center' });
  }, [isLinked]);
  useRefetchAfterChange(version, () => void query.refetch());
  const pending = query.status === 'success' && query.data.online?.state === 'pending' ? query.data.online.tid : undefined;
  // Without this check, the status of the gateway arrives with its event or the hourly job.
  const refetchIfSettled = async () => {
    const online = await readOnlinePayment({ userid, orderid });
    if (online !== undefined && (online?.tid !== pending || online?.state !== 'pending')) await query.refetch();
  };
  usePaymentPolls(refetchIfSettled, pending !== undefined);
  if (query.status === 'loading') return <PaymentSummarySkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load the payments')} onRetry={query.retry} />;
  const { rest: unpaid, returned: overpaid, wallet } = query.data;
  const isGuest = userid === undefined;
  const isDelivered = order.washing_stage === ('delivered' satisfies Stage);
  if (unpaid === null) return <PaidSoFar order={order} payments={query.data} isGuest={isGuest} />;
  if (isCancelledStage(order.washing_stage)) return <Refund orderid={orderid} payments={query.data} isGuest={isGuest} />;
  return (
    <div ref={card}>
      <Card as="section">
        <h2 className="font-semibold">{t('Payment')}</h2>
        {query.isRefetchError && <LoadingFailed live title={t('We could not load the payments')} onRetry={query.refetch} />}
        <DefinitionTable
          rows={[
            ...paidRows(language, query.data),
            ...overpaidRows(language, overpaid, isGuest),
            ...unpaidRows(language, unpaid, query.data.upi),
          ]}
        />
        <ReversedPayments order={order} isReportable={showsMethods} />
        {showsMethods && unpaid === 0 && (
          <div className="mt-2 space-y-4 empty:hidden">
            {overpaid > 0 && <PayBackNote isGuest={isGuest} />}
            <UpiOfPaidOrder orderid={orderid} payments={query.data} />
          </div>
        )}
        {showsMethods && unpaid > 0 && (
          <div className="mt-1 space-y-4">
            <PaymentOptions
              key={unpaid}
              {...{ orderid, userid, unpaid, isDelivered }}
              methods={query.data.ways}
              unfinished={query.data.online}
              begunUpi={query.data.upi}
              dismissedUpi={query.data.dismissed_upi}
              onStale={query.refetch}
            >
              {wallet && !wallet.covered && (
                <p className="text-sm text-ink-soft">
                  {t('Your wallet pays half of an order at once: {amount} of this one. It has {balance}.', {
                    amount: rupees(wallet.pays),
                    balance: rupees(wallet.balance),
                  })}
                </p>
              )}
              {wallet?.covered && (
                <WalletPaymentLink
                  order={order}
                  className={buttonStyles('secondary', 'regular', true)}
                  note={t('It pays {amount} of this. Balance {balance}', { amount: rupees(wallet.pays), balance: rupees(wallet.balance) })}
                />
              )}
            </PaymentOptions>
          </div>
        )}
      </Card>
    </div>
  );
}

/** Why payments that the customer saw before do not count any more. */
function ReversedPayments({ order: { orderid, history }, isReportable }: { order: Order; isReportable: boolean }) {
  const language = useLanguage();
  const entries = history.filter(({ kind }) => kind === ('payment-reversed' satisfies HistoryKind));
  if (entries.length === 0) return null;
  return (
    <div className="mt-2 space-y-1 text-sm">
      {entries.map((entry) => (
        <div key={`${entry.at} ${entry.amount}`}>
          <p className="wrap-anywhere">{historyText(language, entry)}</p>
          <p className="text-ink-soft">{formatDayTime(language, entry.at)}</p>
        </div>
      ))}
      {isReportable && (
        <Link to={links.claims(orderid, 'amount')} className={standaloneLinkStyles}>
          {language.t('Is this wrong? Tell us')}
        </Link>
      )}
    </div>
  );
}

/** A UPI payment that the customer reported, of an order without an unpaid amount. */
function UpiOfPaidOrder({ orderid, payments: { upi, dismissed_upi: dismissed } }: { orderid: string; payments: OrderPayments }) {
  if (upi) return <ReportedUpi orderid={orderid} unpaid={asPaise(0)} payment={upi} onPayAnyway={null} />;
  return dismissed && <DismissedUpi payment={dismissed} />;
}

/** The cost of a weighed order before the queue: until then its weight can be corrected. */
function PaidLater({ order, amount }: { order: Order; amount: Paise }) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Payment')}</h2>
      <DefinitionTable rows={[{ label: t('Left to pay'), value: <Money amountPaise={amount} />, emphasis: true }]} />
      {amount > 0 && (
        <p className="text-sm text-ink-soft">
          {isMovedBack(order)
            ? t('You can pay here once we go on with your order, or the rider in cash or by UPI when your clothes come back.')
            : t('You can pay here once your clothes are in our laundry, or the rider in cash or by UPI when they come back.')}
        </p>
      )}
    </Card>
  );
}

/** Returns true if the laundry has corrected the weight since it moved the order back. */
const isWeighedAgain = ({ history }: Order) => {
  const lastIndexOf = (searched: HistoryKind) => history.findLastIndex(({ kind }) => kind === searched);
  return lastIndexOf('corrected') > lastIndexOf('moved-back');
};

interface PaidSoFarProps {
  order: Order;
  payments: OrderPayments;
  isGuest: boolean;
}

/**
 * The payments of an order that the laundry weighs again. Its amount is not due before the queue,
 * but what a correction makes too much is in the wallet at once.
 */
function PaidSoFar({ order, payments, isGuest }: PaidSoFarProps) {
  const language = useLanguage();
  const { t } = language;
  if (payments.paid.length === 0) return null;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Payment')}</h2>
      <DefinitionTable rows={[...paidRows(language, payments), ...overpaidRows(language, payments.returned, isGuest)]} />
      <p className="text-sm text-ink-soft">
        {isWeighedAgain(order)
          ? t('We have weighed this order again. What you have paid counts.')
          : t('We check the weight of this order again. What you have paid counts.')}
      </p>
    </Card>
  );
}

/**
 * The payments of a cancelled order, which the wallet has, that of a guest once an account has the
 * order. Shows only a reported UPI payment if nothing is paid.
 */
function Refund({ orderid, payments, isGuest }: { orderid: string; payments: OrderPayments; isGuest: boolean }) {
  const language = useLanguage();
  const { t } = language;
  const upi = <UpiOfPaidOrder orderid={orderid} payments={payments} />;
  if (payments.paid.length === 0) return upi;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Payment')}</h2>
      <DefinitionTable
        rows={[
          ...paidRows(language, payments),
          {
            label: isGuest ? t('Goes to your wallet') : t('Returned to your wallet'),
            value: <Money amountPaise={payments.returned} />,
            emphasis: true,
          },
        ]}
      />
      <div className="space-y-4">
        {(isGuest || payments.returned > 0) && <PayBackNote isGuest={isGuest} />}
        {upi}
      </div>
    </Card>
  );
}

/** Calls `refetch` after each change of `version`, and not for the first one. */
function useRefetchAfterChange(version: number, refetch: () => void) {
  const loadedVersion = useRef(version);
  const refetchNow = useEffectEvent(refetch);
  useEffect(() => {
    if (loadedVersion.current === version) return;
    loadedVersion.current = version;
    refetchNow();
  }, [version]);
}

const NAMES: Readonly<Record<PaymentMethod, MessageKey>> = defineMessages({
  wallet: 'Wallet',
  cash: 'Cash',
  upi: 'UPI',
  gateway: 'Paid online',
});

/** Returns the rows of the unpaid amount and of a UPI payment that the customer reported. */
function unpaidRows({ t }: Language, unpaid: Paise, upi: OrderPayments['upi']): DefinitionRow[] {
  const reported = upi !== null && upi.reported_at !== null ? Math.min(upi.amount, unpaid) : 0;
  const unreported = asPaise(unpaid - reported);
  return [
    ...(reported > 0
      ? [{ label: t('Paid by UPI, being checked'), value: <Money amountPaise={asPaise(reported)} />, emphasis: unreported === 0 }]
      : []),
    ...(reported > 0 && unreported === 0 ? [] : [{ label: t('Left to pay'), value: <Money amountPaise={unreported} />, emphasis: true }]),
  ];
}

const paidRows = (language: Language, { paid }: OrderPayments): DefinitionRow[] =>
  paid.map(({ method, amount, paid_on }) => ({
    label: language.t('{method}, {day}, {time}', {
      method: language.t(NAMES[method]),
      day: language.day(paid_on),
      time: formatTime(language, paid_on),
    }),
    value: <Money amountPaise={amount} />,
  }));

const PaymentSummarySkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading the payments')}>
      <Skeleton shape="block" />
    </SkeletonGroup>
  );
};
