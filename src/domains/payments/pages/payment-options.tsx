import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import type { Paise } from '../../../lib/money.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { startPayment, type OrderPayments, type StartedPayment } from '../contract.ts';
import { startedPayment } from './started-payment.ts';

/** Loaded only for UPI payments. */
const QrCode = lazy(() => import('./qr-code.tsx'));

type Method = OrderPayments['ways'][number];

interface PaymentOptionsProps {
  orderid: string;
  userid: string | undefined;
  rest: Paise;
  methods: readonly Method[];
  /** The newest online payment, if it was not received. */
  unfinished: OrderPayments['online'];
  begunUpi: OrderPayments['upi'];
  /** The rider takes no more payments. */
  isDelivered: boolean;
  /** Called if the unpaid amount differs from `rest`. */
  onStale(): Promise<unknown>;
  /** Another way to pay, below these. */
  children: ReactNode;
}

/** A device that may have a UPI app. Others show its QR code to one that has. */
const isPhone = () => window.matchMedia('(pointer: coarse)').matches;

/**
 * The payment methods for the unpaid amount, on phones the UPI app first. Until delivery the
 * customer can also pay the rider.
 */
export function PaymentOptions({
  orderid,
  userid,
  rest,
  methods,
  unfinished,
  begunUpi,
  isDelivered,
  onStale,
  children,
}: PaymentOptionsProps) {
  const language = useLanguage();
  const { t } = language;
  const [onPhone] = useState(isPhone);
  const [upi, setUpi] = useState<StartedPayment>();
  const [starting, setStarting] = useState<Method>();

  const start = async (method: Method) => {
    setStarting(method);
    try {
      const result = await fetchSend(startPayment, { userid, orderid, method, amount: rest });
      if (result.response !== 'success') {
        showToast({ text: toErrorMessage(result), theme: 'red' });
        await onStale();
        return;
      }
      startedPayment.set({ tid: result.data.tid, orderid, amount: result.data.amount });
      if (method === 'upi') setUpi(result.data);
      if (method === 'gateway' || onPhone) window.location.assign(result.data.url);
    } catch (error) {
      alertProblem(error, { doing: 'starting a payment' });
    } finally {
      setStarting(undefined);
    }
  };

  const inOrder: readonly Method[] = onPhone ? ['upi', 'gateway'] : ['gateway', 'upi'];
  const isUnconfirmed = unfinished?.state === 'pending' || begunUpi !== null;
  const offered = inOrder.filter((method) => methods.includes(method) && !(method === 'upi' && upi));
  return (
    <div className="space-y-4">
      {unfinished && <UnfinishedPayment payment={unfinished} />}
      {begunUpi && !upi && <BegunUpi payment={begunUpi} />}
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
        {offered.map((method, index) => (
          <Button
            key={method}
            variant={index === 0 && !isUnconfirmed ? 'primary' : 'secondary'}
            pending={starting === method}
            onClick={() => void start(method)}
          >
            {buttonText(language, method, rest, onPhone)}
          </Button>
        ))}
      </div>
      {upi && <UpiPayment payment={upi} />}
      {children}
      {!isDelivered && <p className="text-sm text-ink-soft">{t('Or pay the rider in cash or by UPI when your clothes come back.')}</p>}
    </div>
  );
}

function buttonText({ t, rupees }: Language, method: Method, rest: Paise, onPhone: boolean): string {
  const amount = rupees(rest);
  if (method === 'gateway') return t('Pay {amount} online', { amount });
  return onPhone ? t('Pay {amount} with a UPI app', { amount }) : t('Pay {amount} by UPI', { amount });
}

/**
 * Shows a pending or failed online payment. A payment also fails if its page expires without a
 * payment.
 */
function UnfinishedPayment({ payment }: { payment: NonNullable<OrderPayments['online']> }) {
  const { t, day, rupees } = useLanguage();
  const { brand } = useSiteConfig();
  const { tid, amount, state, begun_on } = payment;
  const params = { amount: rupees(amount), day: day(begun_on) };
  if (state === 'failed') {
    return (
      <Notice tone="warn" live title={t('Your online payment of {amount} from {day} was not completed', params)}>
        {t('You can pay again. If the money has left your account, write to {email}.', { email: brand.email })}
      </Notice>
    );
  }
  const action = (
    <Link to={links.paymentResult(tid, amount)} className={standaloneLinkStyles}>
      {t('See how it stands')}
    </Link>
  );
  return (
    <Notice tone="info" title={t('Your online payment of {amount} from {day} is not confirmed yet', params)} action={action}>
      {t('If you have paid, you need not pay again: it may take 24 hours. If you have not, you can still pay.')}
    </Notice>
  );
}

/** The laundry notes UPI payments by hand: the customer can have paid already. */
function BegunUpi({ payment: { tid, amount, begun_on } }: { payment: NonNullable<OrderPayments['upi']> }) {
  const { t, day, rupees } = useLanguage();
  const action = (
    <Link to={links.paymentResult(tid, amount)} className={standaloneLinkStyles}>
      {t('See how it stands')}
    </Link>
  );
  return (
    <Notice
      tone="info"
      title={t('Your UPI payment of {amount} from {day} is not confirmed yet', { amount: rupees(amount), day: day(begun_on) })}
      action={action}
    >
      {t('If you have paid, you need not pay again: it may take 24 hours. If you have not, you can still pay.')}
    </Notice>
  );
}

function UpiPayment({ payment: { tid, amount, url } }: { payment: StartedPayment }) {
  const { t, rupees } = useLanguage();
  const open = useRef<HTMLAnchorElement>(null);
  // The link names the payee: the UPI apps show the same.
  const payee = new URL(url).searchParams;
  // The button that started the payment had the focus and was removed.
  useEffect(() => open.current?.focus(), []);
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <Suspense fallback={<Skeleton shape="card" />}>
        <QrCode text={url} label={t('QR code of the UPI payment')} />
      </Suspense>
      <p className="wrap-anywhere">
        <span className="block font-semibold">{t('{amount} to {payee}', { amount: rupees(amount), payee: payee.get('pn') ?? '' })}</span>
        <span className="text-sm text-ink-soft">{payee.get('pa')}</span>
      </p>
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
