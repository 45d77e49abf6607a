/** The UPI payments of a day, which only a look at the bank's statement confirms. */
import { Link, useSearchParams } from 'react-router';
import { serverClock } from '../../../browser/server-clock.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { kolkataDay } from '../../../lib/dates.ts';
import { staffLinks } from '../../../shared/staff-links.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { staffSend } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { listUpiPayments, type UpiPayments } from './contract.ts';

export function Component() {
  const { t } = useLanguage();
  const [params, setParams] = useSearchParams();
  const today = kolkataDay(serverClock.now());
  const day = params.get('day') ?? today;
  const query = useQuery<UpiPayments>({
    queryKey: [day],
    async queryFn({ signal }) {
      const answer = await staffSend(listUpiPayments, { day }, { signal });
      if (answer.response !== 'success') throw new Error(answer.message);
      return answer.data;
    },
    onError: (error) => showProblem(error, 'loading the UPI payments'),
  });
  return (
    <StaffPage
      title={t('UPI payments')}
      width="reading"
      text={t("Noted by hand. Compare them with your bank's statement, and reverse on the page of the order what is missing there.")}
    >
      <TextField
        type="date"
        error={null}
        label={t('Day')}
        value={day}
        max={today}
        onChange={({ target }) => setParams(target.value ? { day: target.value } : {}, { replace: true })}
      />
      {query.status === 'loading' && (
        <SkeletonGroup label={t('Loading the payments')}>
          <Skeleton shape="block" />
          <Skeleton shape="block" />
        </SkeletonGroup>
      )}
      {query.status === 'error' && <LoadingFailed title={t('The payments could not be loaded')} onRetry={query.retry} />}
      {query.status === 'success' && <Payments {...query.data} />}
    </StaffPage>
  );
}

function Payments({ payments, total }: UpiPayments) {
  const language = useLanguage();
  const { t } = language;
  if (payments.length === 0) return <p className="text-ink-soft">{t('No UPI payment was noted on this day.')}</p>;
  return (
    <section aria-labelledby="total">
      <h2 id="total" className="text-lg font-bold">
        {t('Total')} <Money amountPaise={total} />
      </h2>
      <ul className="mt-3 space-y-3">
        {payments.map((payment) => (
          <Card as="li" key={payment.tid}>
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p className="font-semibold">
                <Money amountPaise={payment.amount} />
              </p>
              <Link to={staffLinks.order(payment.orderid)} className={standaloneLinkStyles}>
                {t('Order {orderid}', { orderid: payment.orderid })}
              </Link>
            </div>
            <p className="mt-1 text-sm text-ink-soft [overflow-wrap:anywhere]">
              {[formatDayTime(language, payment.received_at), payment.received_by, payment.note].filter(Boolean).join(' · ')}
            </p>
            {payment.reversal && (
              <p className="mt-1 text-sm font-medium text-bad-ink">{t('Reversed: {reason}', { reason: payment.reversal.reason })}</p>
            )}
          </Card>
        ))}
      </ul>
    </section>
  );
}
