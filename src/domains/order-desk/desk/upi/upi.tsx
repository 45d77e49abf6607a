/** The UPI payments of a day, which only a look at the bank's statement confirms. */
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { serverClock } from '../../../../browser/server-clock.ts';
import { useQuery } from '../../../../browser/use-query.ts';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { kolkataDay } from '../../../../lib/dates.ts';
import type { Paise } from '../../../../lib/money.ts';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { standaloneLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { Money } from '../../../../ui/layout/money.tsx';
import { LoadState } from '../../../staff/desk/load-state.tsx';
import { staffRead } from '../../../staff/desk/session.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { StaffPage } from '../../../staff/desk/staff-page.tsx';
import type { BegunUpi } from '../begun-upi.ts';
import { UpiCheck, begunUpiText } from './upi-check.tsx';
import { useChange, type SendChange } from '../use-change.ts';
import { listUpiPayments, type UpiPayments } from '../upi-contract.ts';

export function Component() {
  const { t } = useLanguage();
  const [params, setParams] = useSearchParams();
  const today = kolkataDay(serverClock.now());
  const day = params.get('day') ?? today;
  const query = useQuery<UpiPayments>({
    queryKey: [day],
    queryFn: ({ signal }) => staffRead(listUpiPayments, { day }, { signal }),
    onError: (error) => showProblem(error, 'loading the UPI payments'),
  });
  return (
    <StaffPage
      title={t('UPI payments')}
      width="text"
      text={t(
        "Only your bank's statement shows whether they came. Note what it has, and reverse on the page of the order what is missing there.",
      )}
    >
      <TextField
        type="date"
        error={null}
        label={t('Day')}
        value={day}
        max={today}
        onChange={({ target }) => setParams(target.value ? { day: target.value } : {}, { preventScrollReset: true })}
      />
      <LoadState
        query={query}
        loading={t('Loading the payments')}
        failed={t('The payments could not be loaded')}
        shapes={['block', 'block']}
      />
      {query.status === 'success' && (
        <>
          <Begun begun={query.data.begun} onNoted={query.refetch} />
          <Payments {...query.data} />
        </>
      )}
    </StaffPage>
  );
}

/** The payments that customers reported, and the codes that they opened. */
function Begun({ begun, onNoted }: { begun: readonly BegunUpi[]; onNoted(): Promise<unknown> }) {
  const language = useLanguage();
  const { t } = language;
  const { pending, change: changeOrder } = useChange({ onOrder: () => {}, onConflict: () => {} });
  // Also after a refusal: another person may have settled the payment.
  const change: SendChange = async (request) => {
    const isDone = await changeOrder(request);
    await onNoted();
    return isDone;
  };
  if (begun.length === 0) return null;
  return (
    <section aria-labelledby="begun">
      <h2 id="begun" className="text-lg font-bold">
        {t('Begun by customers, not noted yet')}
      </h2>
      <ul className="mt-3 space-y-3">
        {begun.map((payment) => (
          <PaymentCard key={payment.reference} {...payment} details={[begunUpiText(language, payment), payment.reference]}>
            <div className="mt-3">
              <UpiCheck {...{ payment, pending, change }} />
            </div>
          </PaymentCard>
        ))}
      </ul>
    </section>
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
          <PaymentCard
            key={payment.tid}
            {...payment}
            details={[formatDayTime(language, payment.received_at), payment.received_by, payment.note]}
          >
            {payment.reversal && (
              <p className="mt-1 text-sm font-medium text-bad-ink">{t('Reversed: {reason}', { reason: payment.reversal.reason })}</p>
            )}
          </PaymentCard>
        ))}
      </ul>
    </section>
  );
}

interface PaymentCardProps {
  amount: Paise;
  orderid: string;
  details: readonly (string | null)[];
  children: ReactNode;
}

/** A payment with its order, in a list. */
function PaymentCard({ amount, orderid, details, children }: PaymentCardProps) {
  const { t } = useLanguage();
  return (
    <Card as="li">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-semibold">
          <Money amountPaise={amount} />
        </p>
        <Link to={staffLinks.order(orderid)} className={standaloneLinkStyles}>
          {t('Order {orderid}', { orderid })}
        </Link>
      </div>
      <p className="mt-1 text-sm text-ink-soft [overflow-wrap:anywhere]">{details.filter(Boolean).join(' · ')}</p>
      {children}
    </Card>
  );
}
