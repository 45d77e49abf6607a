import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { fetchSend } from '../../../browser/client.ts';
import { endTabSession } from '../../../browser/session-user.ts';
import { serverClock } from '../../../browser/server-clock.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { links } from '../../../shared/links.ts';
import { asPaise } from '../../../lib/money.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Money } from '../../../ui/layout/money.tsx';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { stageDisplay, type Order } from '../../orders/contract.ts';
import { orderStatusText, ProgramIcon, StageBadge, weightText } from '../../orders/pages/following/order-card.tsx';
import { isPayableStage } from '../../orders/rules.ts';
import { isLate } from '../../orders/visit-rules.ts';
import { getOrderPayments } from '../../payments/contract.ts';
import { RecentCard } from './recent-card.tsx';

const onError = (error: unknown) => {
  if (error instanceof CallRefused && error.code === 'login-required') endTabSession();
  else if (!(error instanceof CallRefused || error instanceof ConnectionLost))
    reportProblem(error, { doing: 'loading the payments of an order' });
};

/** An order that is not delivered: its stage, the next step, and the amount due. */
export function OrderUnderWay({ order, userid }: { order: Order; userid: string | undefined }) {
  const language = useLanguage();
  const { t, translateData } = language;
  const { orderid } = order;
  const isPayable = isPayableStage(order.washing_stage);
  const query = useQuery({
    queryKey: [userid, orderid, String(isPayable)],
    async queryFn({ signal }) {
      if (!isPayable) return null;
      const result = await fetchSend(getOrderPayments, { userid, orderid }, { signal });
      return result.response === 'success' ? result.data : null;
    },
    onError,
  });
  const payments = query.status === 'success' ? query.data : null;
  const reported = payments?.upi?.reported_at ? payments.upi.amount : 0;
  const due = payments && payments.rest !== null ? asPaise(Math.max(0, payments.rest - reported)) : null;
  const isChecked = due === 0 && payments?.rest !== 0;
  return (
    <RecentCard
      actions={
        <div className="flex items-end justify-between gap-3">
          <p className="text-sm text-ink-soft">
            {due === null
              ? !isPayable && weightText(language, order)
              : isChecked
                ? t('Paid by UPI, being checked')
                : due === 0
                  ? t('Paid')
                  : t('Left to pay')}
            {due !== null && due > 0 && (
              <span className="block text-lg leading-6 font-bold text-ink">
                <Money amountPaise={due} />
              </span>
            )}
          </p>
          <div className="flex shrink-0 gap-2">
            <Link to={links.order(orderid)} className={buttonStyles('secondary', 'small')}>
              {t('Track')}
              <span className="sr-only"> {orderid}</span>
            </Link>
            {due !== null && due > 0 && (
              <Link to={links.orderPayment(orderid)} className={buttonStyles('primary', 'small')}>
                {t('Pay')}
                <span className="sr-only"> {orderid}</span>
              </Link>
            )}
          </div>
        </div>
      }
    >
      <div className="flex items-center gap-3">
        <ProgramIcon programid={order.programid} />
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 className="font-semibold wrap-break-word">{translateData(order.program_name)}</h2>
          <span className="shrink-0">
            <StageBadge order={order} />
          </span>
        </div>
      </div>
      {!order.to_return && (
        <div className="mt-4">
          <progress
            className="bar"
            max={100}
            value={stageDisplay(order.washing_stage).progress}
            aria-label={t('Progress of order {orderid}', { orderid })}
          />
        </div>
      )}
      <p className="mt-3 text-sm font-medium">
        {isLate(order, serverClock.now()) ? (
          <span className="text-warn">{t('We are late, please call us')}</span>
        ) : (
          orderStatusText(language, order)
        )}
      </p>
    </RecentCard>
  );
}
