import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import type { Paise } from '../../../lib/money.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { Sheet } from '../../../ui/overlays/sheet.tsx';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { reportPaid, startPayment, type OrderPayments, type StartedPayment } from '../contract.ts';
import { DismissedUpi, ReportedUpi } from './reported-upi.tsx';
import { startedPayment } from './started-payment.ts';
import { UnfinishedPayment } from './unfinished-payment.tsx';

/** Loaded only for UPI payments. */
const QrCode = lazy(() => import('./qr-code.tsx'));

type Method = OrderPayments['ways'][number];
type UpiToReport = Pick<StartedPayment, 'tid' | 'amount'>;

interface PaymentOptionsProps {
  orderid: string;
  userid: string | undefined;
  unpaid: Paise;
  methods: readonly Method[];
  /** The newest online payment, if it was not received. */
  unfinished: OrderPayments['online'];
  begunUpi: OrderPayments['upi'];
  dismissedUpi: OrderPayments['dismissed_upi'];
  /** The rider takes no more payments. */
  isDelivered: boolean;
  /** Called if the server has another unpaid amount. */
  onStale(): Promise<unknown>;
  /** Another way to pay, below these. */
  children: ReactNode;
}

/** Returns true if the device may have a UPI app. Other devices show the QR code. */
const isPhone = () => window.matchMedia('(pointer: coarse)').matches;

/**
 * The payment methods for the unpaid amount, on phones the UPI app first. Until delivery the
 * customer can also pay the rider.
 */
export function PaymentOptions({
  orderid,
  userid,
  unpaid,
  methods,
  unfinished,
  begunUpi,
  dismissedUpi,
  isDelivered,
  onStale,
  children,
}: PaymentOptionsProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  const navigate = useNavigate();
  const [onPhone] = useState(isPhone);
  const [upi, setUpi] = useState<StartedPayment>();
  const [isUpiOpen, setUpiOpen] = useState(false);
  /** The payment that the customer is asked about, before it is reported. */
  const [asked, setAsked] = useState<UpiToReport | null>(null);
  const [paysAnyway, setPaysAnyway] = useState(false);
  const region = useKeptFocus();
  const [starting, setStarting] = useState<Method>();

  const start = async (method: Method) => {
    setStarting(method);
    try {
      const result = await fetchSend(startPayment, { userid, orderid, method, amount: unpaid });
      if (result.response !== 'success') {
        showToast({ text: toErrorMessage(result), theme: 'red' });
        await onStale();
        return;
      }
      startedPayment.set({ tid: result.data.tid, orderid, amount: result.data.amount });
      if (method === 'upi') {
        setUpi(result.data);
        setAsked(null);
        setUpiOpen(true);
      }
      if (method === 'gateway' || onPhone) window.location.assign(result.data.url);
    } catch (error) {
      alertProblem(error, { doing: 'starting a payment' });
    } finally {
      setStarting(undefined);
    }
  };

  /** The result page shows what happens next. */
  const report = useMutation<UpiToReport>({
    async mutationFn({ tid, amount }) {
      startedPayment.set({ tid, orderid, amount });
      const result = await fetchSend(reportPaid, { userid, orderid, tid });
      if (result.response === 'success') await navigate(links.paymentResult(tid, amount));
      else showToast({ text: toErrorMessage(result), theme: 'red' });
    },
    onError: (error) => alertProblem(error, { doing: 'reporting a payment' }),
  });

  const inOrder: readonly Method[] = onPhone ? ['upi', 'gateway'] : ['gateway', 'upi'];
  const offered = inOrder.filter((method) => methods.includes(method));
  const isChecked = begunUpi !== null && begunUpi.reported_at !== null;
  // The customer paid by UPI after the online payment failed. The two notices would contradict.
  const isReplaced = isChecked && unfinished?.state === 'failed' && unfinished.begun_on <= (begunUpi.reported_at ?? '');
  const closeUpi = () => {
    setUpiOpen(false);
    // The payment has begun.
    void onStale();
  };
  return (
    <div ref={region} tabIndex={-1} className="space-y-4">
      {unfinished && !isReplaced && <UnfinishedPayment payment={unfinished} mayPayAgain={!isChecked} />}
      {isChecked && <ReportedUpi {...{ orderid, unpaid }} payment={begunUpi} onPayAnyway={paysAnyway ? null : () => setPaysAnyway(true)} />}
      {dismissedUpi && !isChecked && <DismissedUpi payment={dismissedUpi} />}
      {(!isChecked || paysAnyway) && (
        <>
          <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
            {offered.map((method, index) => (
              <Button
                key={method}
                variant={index === 0 && !isChecked && unfinished?.state !== 'pending' ? 'primary' : 'secondary'}
                pending={starting === method}
                onClick={() => void start(method)}
              >
                {buttonText(language, method, unpaid, onPhone)}
              </Button>
            ))}
          </div>
          {children}
          {begunUpi && !isChecked && (
            <p className="flex flex-wrap items-center gap-x-3 text-sm">
              {t('Have you paid {amount} by UPI already?', { amount: rupees(begunUpi.amount) })}
              <Button
                variant="quiet"
                size="small"
                onClick={() => {
                  setAsked(begunUpi);
                  setUpiOpen(true);
                }}
              >
                {t('I have paid')}
              </Button>
            </p>
          )}
          {offered.length > 0 && <MoneyBackNote />}
          {!isDelivered && <p className="text-sm text-ink-soft">{t('Or pay the rider in cash or by UPI when your clothes come back.')}</p>}
        </>
      )}
      <Sheet
        open={isUpiOpen}
        onClose={closeUpi}
        title={
          asked
            ? t('Have you paid {amount} by UPI already?', { amount: rupees(asked.amount) })
            : t('Pay {amount} by UPI', { amount: rupees(unpaid) })
        }
      >
        {asked ? (
          <ReportQuestion
            pending={report.pending}
            onPaid={() => void report.mutate(asked)}
            onBack={() => (asked === upi ? setAsked(null) : closeUpi())}
          />
        ) : (
          upi && <UpiPayment payment={upi} onPaid={() => setAsked(upi)} />
        )}
      </Sheet>
    </div>
  );
}

/** Where a refund goes, before the customer pays. docs/decisions/0131. */
function MoneyBackNote() {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <p className="text-sm text-ink-soft">
      {t(
        'If you pay too much, or your order is cancelled after you paid, the money goes to the wallet of your mobile number. To have it in your bank account instead, call us at {mobile}.',
        {
          mobile: brand.mobile,
        },
      )}
    </p>
  );
}

function buttonText({ t, rupees }: Language, method: Method, unpaid: Paise, onPhone: boolean): string {
  const amount = rupees(unpaid);
  if (method === 'gateway') return t('Pay {amount} online', { amount });
  return onPhone ? t('Pay {amount} with a UPI app', { amount }) : t('Pay {amount} by UPI', { amount });
}

interface ReportQuestionProps {
  pending: boolean;
  onPaid(): void;
  onBack(): void;
}

/** Asks before a report, which hides the payment methods until the laundry has checked it. */
function ReportQuestion({ pending, onPaid, onBack }: ReportQuestionProps) {
  const { t } = useLanguage();
  const back = useRef<HTMLButtonElement>(null);
  // The button that leads here from the QR code is removed.
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <p className="text-ink-soft">
        {t('We check it against our bank statement. Only confirm if your UPI app shows that the payment succeeded.')}
      </p>
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        <Button ref={back} variant="secondary" wide data-autofocus onClick={onBack}>
          {t('Back')}
        </Button>
        <Button variant="primary" wide pending={pending} onClick={onPaid}>
          {t('Yes, I have paid')}
        </Button>
      </div>
    </>
  );
}

interface UpiPaymentProps {
  payment: StartedPayment;
  onPaid(): void;
}

function UpiPayment({ payment: { amount, url }, onPaid }: UpiPaymentProps) {
  const { t, rupees } = useLanguage();
  const app = useRef<HTMLAnchorElement>(null);
  // The button that leads back from the question is removed.
  useEffect(() => app.current?.focus(), []);
  // The link names the payee: the UPI apps show the same.
  const payee = new URL(url).searchParams;
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
      <a ref={app} href={url} className={buttonStyles('primary')} data-autofocus>
        {t('Open UPI app')}
      </a>
      <Button variant="secondary" onClick={onPaid}>
        {t('I have paid')}
      </Button>
    </div>
  );
}
