/** What was paid for an order and what is left. Where it can be paid as well, the ways stand below. */
import { useOutletContext } from 'react-router';
import { defineMessages, type MessageKey } from '../../../i18n/messages.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { DefinitionTable, type DefinitionRow } from '../../../ui/layout/definition-table.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { fetchSend } from '../../../browser/client.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import type { Stage } from '../../orders/contract.ts';
import type { ShownOrder } from '../../orders/pages/following/order-view.tsx';
import { WalletPaymentLink } from '../../orders/pages/following/wallet-payment-link.tsx';
import { getOrderPayments, type OrderPayments, type PaymentMethod } from '../contract.ts';
import { PayTheRest } from './pay-the-rest.tsx';
import { UnfinishedPayment } from './unfinished-payment.tsx';

const onError = (error: unknown) => alertProblem(error, { doing: 'loading the payments of an order' });

export function PaidAndLeft({ isPayable }: { isPayable: boolean }) {
  const language = useLanguage();
  const { t } = language;
  const { order, userid } = useOutletContext<ShownOrder>();
  const { orderid } = order;
  const query = useQuery({
    queryKey: [userid, orderid],
    async queryFn({ signal }) {
      const answer = await fetchSend(getOrderPayments, { userid, orderid }, { signal });
      if (answer.response !== 'success') throw new Error(answer.message);
      return answer.data;
    },
    onError,
  });
  if (order.washing_stage === 'pickup') return null;
  if (query.status === 'loading') return <Waiting />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load the payments')} onRetry={query.retry} />;
  const { rest } = query.data;
  const isDelivered = order.washing_stage === ('delivered' satisfies Stage);
  if (rest === null) return null;
  const mayUseWallet = userid !== undefined && !query.data.paid.some(({ method }) => method === 'wallet');
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Payment')}</h2>
      <DefinitionTable
        rows={[...rowsOf(language, query.data), { label: t('Left to pay'), value: <Money amountPaise={rest} />, emphasis: true }]}
      />
      {isPayable && rest > 0 && (
        <div className="mt-1 space-y-4">
          {query.data.online && <UnfinishedPayment payment={query.data.online} />}
          {mayUseWallet && <WalletPaymentLink order={order} className={buttonStyles('secondary', 'regular', true)} />}
          <PayTheRest key={rest} {...{ orderid, userid, rest, isDelivered }} ways={query.data.ways} onStale={query.refetch} />
        </div>
      )}
    </Card>
  );
}

const NAMES: Readonly<Record<PaymentMethod, MessageKey>> = defineMessages({
  wallet: 'Wallet',
  cash: 'Cash',
  upi: 'UPI',
  gateway: 'Paid online',
});

const rowsOf = ({ t, day }: Language, { paid, returned }: OrderPayments): DefinitionRow[] => [
  ...paid.map(({ method, amount, paid_on }) => ({
    label: t('{method}, {day}', { method: t(NAMES[method]), day: day(paid_on) }),
    value: <Money amountPaise={amount} />,
  })),
  ...(returned > 0 ? [{ label: t('Paid too much, now in your wallet'), value: <Money amountPaise={returned} /> }] : []),
];

const Waiting = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading the payments')}>
      <Skeleton shape="block" />
    </SkeletonGroup>
  );
};
