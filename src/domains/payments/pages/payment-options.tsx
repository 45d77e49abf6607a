import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Paise } from '../../../lib/money.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { links } from '../../../shared/links.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { startPayment, type OrderPayments, type StartedPayment } from '../contract.ts';
import { startedPayment } from './started-payment.ts';

/** Loaded only for UPI payments. */
const QrCode = lazy(() => import('./qr-code.tsx'));

interface PaymentOptionsProps {
  orderid: string;
  userid: string | undefined;
  rest: Paise;
  methods: OrderPayments['ways'];
  /** The rider takes no more payments. */
  isDelivered: boolean;
  /** Called if the unpaid amount differs from `rest`. */
  onStale(): Promise<unknown>;
}

/**
 * The payment methods for the unpaid amount. Until delivery the customer can also pay the rider.
 */
export function PaymentOptions({ orderid, userid, rest, methods, isDelivered, onStale }: PaymentOptionsProps) {
  const { t } = useLanguage();
  const [upi, setUpi] = useState<StartedPayment>();
  const [starting, setStarting] = useState<OrderPayments['ways'][number]>();

  const start = async (method: 'upi' | 'gateway') => {
    setStarting(method);
    try {
      const result = await fetchSend(startPayment, { userid, orderid, method, amount: rest });
      if (result.response !== 'success') {
        showToast({ text: toErrorMessage(result), theme: 'red' });
        await onStale();
        return;
      }
      startedPayment.set({ tid: result.data.tid, orderid });
      if (method === 'upi') setUpi(result.data);
      else window.location.assign(result.data.url);
    } catch (error) {
      alertProblem(error, { doing: 'starting a payment' });
    } finally {
      setStarting(undefined);
    }
  };

  return (
    <div className="space-y-4">
      <div className="grid gap-3 sm:grid-cols-2">
        {methods.includes('gateway') && (
          <Button variant="primary" pending={starting === 'gateway'} onClick={() => void start('gateway')}>
            {t('Pay online')}
          </Button>
        )}
        {methods.includes('upi') && !upi && (
          <Button variant="secondary" pending={starting === 'upi'} onClick={() => void start('upi')}>
            {t('Pay by UPI')}
          </Button>
        )}
      </div>
      {upi && <UpiPayment payment={upi} />}
      {!isDelivered && <p className="text-sm text-ink-soft">{t('Or pay the rider in cash or by UPI when your clothes come back.')}</p>}
    </div>
  );
}

function UpiPayment({ payment: { tid, amount, url } }: { payment: StartedPayment }) {
  const { t } = useLanguage();
  const open = useRef<HTMLAnchorElement>(null);
  // The button that started the payment had the focus and was removed.
  useEffect(() => open.current?.focus(), []);
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <Suspense fallback={<Skeleton shape="card" />}>
        <QrCode text={url} label={t('QR code of the UPI payment')} />
      </Suspense>
      <p className="text-sm text-ink-soft">{t('Scan it with any UPI app, or open the app on this phone. The amount is filled in.')}</p>
      <a ref={open} href={url} className={buttonStyles('primary')}>
        {t('Open UPI app')}
      </a>
      <Link to={links.paymentResult(tid, amount)} className={standaloneLinkStyles}>
        {t('I have paid')}
      </Link>
    </div>
  );
}
