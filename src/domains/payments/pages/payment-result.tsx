import { useEffect, type ReactNode } from 'react';
import { data, Link } from 'react-router';
import { formatTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { formatKilograms } from '../../../lib/money.ts';
import { LostSockArt } from '../../../ui/art/empty.tsx';
import { FoldedStackArt, PickupVanArt } from '../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { DefinitionTable } from '../../../ui/layout/definition-table.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { ToastOutlet } from '../../../ui/feedback/toast-outlet.tsx';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { LanguageSection } from '../../../site/language-choice.tsx';
import { BrandBar, MAIN_ID } from '../../../site/site-layout.tsx';
import { telephoneUrl } from '../../../shared/brand.ts';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { paymentMessages as messages, type PaymentDetails } from '../contract.ts';
import { isResultCode } from '../rules.ts';
import type { Route } from './+types/payment-result.ts';
import { paymentOfTab, startedPayment, type PaymentOfTab } from './started-payment.ts';
import { DismissedUpi, ReportedUpi, reportedUpiText } from './reported-upi.tsx';
import { usePaymentDetails, type PaymentResult } from './use-payment-details.ts';

/**
 * Throws a 404 for codes that are the first segment of a page, a file or a call. Returns null for
 * any other code, because only the tid is used.
 */
function requireResultCode({ params: { code } }: { params: { code: string } }) {
  if (!isResultCode(code)) throw data(null, { status: 404 });
  return null;
}
export const loader = (args: Route.LoaderArgs) => requireResultCode(args);
export const clientLoader = (args: Route.ClientLoaderArgs) => requireResultCode(args);

/** The URL grants access to the page: no search engine and no cache may store it. */
export const headers = () => ({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
export const handle: PageHandle = {
  acceptsParams: ({ code = '' }) => isResultCode(code),
  isShared: true,
  meta: (t, { brand }) => [
    { title: pageTitle(t('Payment'), brand) },
    { name: 'robots', content: 'noindex' },
    { name: 'referrer', content: 'no-referrer' },
  ],
};

export default function PaymentResultPage({ params: { tid } }: Route.ComponentProps) {
  return (
    <>
      <BrandBar />
      <PageBody id={MAIN_ID} width="text">
        <Result key={tid} tid={tid} />
      </PageBody>
      <LanguageSection />
      <ToastOutlet />
    </>
  );
}

function Result({ tid }: { tid: string }) {
  const { t } = useLanguage();
  const started = paymentOfTab(startedPayment.use(), tid);
  const query = usePaymentDetails(tid);
  if (query.status === 'loading') return <PaymentResultSkeleton />;
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your payment')} onRetry={query.retry} />;
  return (
    <div aria-live="polite">
      {query.data.status === 'received' ? <Received payment={query.data.payment} /> : <Unreceived started={started} result={query.data} />}
    </div>
  );
}

interface PaymentProps {
  payment: PaymentDetails;
}

function Received({ payment }: PaymentProps) {
  const language = useLanguage();
  const { t, day } = language;
  const { brand } = useSiteConfig();
  const { total_items: items, total_weight: weight } = payment;
  useEffect(() => {
    document.title = pageTitle(t(messages.received), brand);
  }, [t, brand]);
  return (
    <div className="space-y-6">
      <header className="flex flex-col items-center gap-3 text-center">
        <FoldedStackArt />
        <h1 className="text-title font-bold">{t(messages.received)}</h1>
        <p className="text-3xl font-bold">
          <Money amountPaise={payment.pg_amount} />
        </p>
        <p className="text-ink-soft">{t('Thank you, {name}.', { name: payment.name })}</p>
      </header>
      <Returned payment={payment} />
      <Card as="section">
        <h2 className="font-semibold">{t('Order details')}</h2>
        <DefinitionTable
          rows={[
            { label: t('Order No'), value: payment.orderid },
            { label: t('Items'), value: items ?? '-' },
            { label: t('Weight (kg)'), value: weight === null ? '-' : formatKilograms(weight) },
            { label: t('Final Amount'), value: <Money amountPaise={payment.total_amount} /> },
            { label: t('Paid now'), value: <Money amountPaise={payment.pg_amount} />, emphasis: true },
            { label: t('Payment date'), value: `${day(payment.pg_date)}, ${formatTime(language, payment.pg_date)}` },
            { label: t('Transaction'), value: <span className="wrap-anywhere">{payment.pg_transactionid}</span> },
          ]}
        />
      </Card>
      <Link to={links.order(payment.orderid)} className={buttonStyles('secondary', 'regular', true)}>
        {t('See your order')}
      </Link>
    </div>
  );
}

/** Where the money is if it was not owed, because of a cancellation or another payment. */
function Returned({
  payment: { returned, is_cancelled: isCancelled, is_paid_in_cash: isPaidInCash, is_held: isUnassigned },
}: PaymentProps) {
  const { t, rupees } = useLanguage();
  const { brand } = useSiteConfig();
  if (returned === 0) return null;
  const amount = rupees(returned);
  const title = isCancelled
    ? t('This order is cancelled')
    : isPaidInCash
      ? t('Our rider took cash for this order, too')
      : t('This order was paid already');
  return (
    <Notice tone="info" title={title}>
      <p>
        {isUnassigned
          ? t('{amount} goes to the wallet of your mobile number.', { amount })
          : t('{amount} of what you paid went into your wallet.', { amount })}{' '}
        {isUnassigned
          ? t('To have it paid back instead, call us at {mobile}.', { mobile: brand.mobile })
          : t('To have money of your wallet paid back, call us at {mobile}.', { mobile: brand.mobile })}
      </p>
    </Notice>
  );
}

interface UnreceivedProps {
  started: PaymentOfTab | undefined;
  result: Exclude<PaymentResult, { status: 'received' }>;
}

function Unreceived({ started, result }: UnreceivedProps) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <div className="flex flex-col items-center gap-3 py-8 text-center">
      {started && result.status === 'failed' && result.upi ? (
        <NotReceived
          title={t('This payment failed')}
          started={started}
          link={{ to: links.order(started.orderid), label: t('See your order') }}
        >
          <div className="space-y-4 text-start">
            <p>{t('If the money has left your account, write to {email}.', { email: brand.email })}</p>
            <ReportedUpi orderid={started.orderid} unpaid={result.unpaid} payment={result.upi} onPayAnyway={null} />
          </div>
        </NotReceived>
      ) : started && result.status === 'failed' ? (
        <NotReceived
          title={t('This payment failed')}
          started={started}
          link={{ to: links.orderPayment(started.orderid), label: t('Pay again') }}
        >
          {t('It was not completed, and your order is still to be paid. If the money has left your account, write to {email}.', {
            email: brand.email,
          })}
        </NotReceived>
      ) : started && result.status === 'dismissed' ? (
        <NotReceived
          title={t('This payment did not arrive')}
          started={started}
          link={{ to: links.orderPayment(started.orderid), label: t('See your order') }}
        >
          <div className="text-start">
            <DismissedUpi payment={result.payment} />
          </div>
        </NotReceived>
      ) : (
        <Pending started={started} result={result} />
      )}
    </div>
  );
}

/** The specified texts of a payment whose status is unknown. */
function Pending({ started, result }: UnreceivedProps) {
  const language = useLanguage();
  const { t } = language;
  return (
    <>
      <PickupVanArt />
      <h1 className="text-title font-bold">{t(messages.pending)}</h1>
      <WhatWasPaid started={started} />
      <p className="max-w-md">{t(messages.unconfirmed)}</p>
      <p className="font-semibold">{t(messages.calm)}</p>
      <p className="max-w-md text-sm text-ink-soft">
        {result.status === 'reported'
          ? reportedUpiText(language, result.amount, result.unpaid)
          : result.status === 'pending' && result.isPaid
            ? t('Your order is paid without it. If it arrives as well, we put it into your wallet.')
            : t('This page looks again by itself. If you have not paid, or the payment failed, you can pay again from your order.')}
      </p>
      {!started && (
        <p className="max-w-md text-sm text-ink-soft">
          {t('We cannot confirm yet which payment this link belongs to. If you followed a link of ours, check that it is complete.')}
        </p>
      )}
      <CallLink />
      <Link to={started ? links.order(started.orderid) : links.orders()} className={buttonStyles('secondary')}>
        {started ? t('See your order') : t('See your orders')}
      </Link>
    </>
  );
}

function CallLink() {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <a href={telephoneUrl(brand.mobile)} className={standaloneLinkStyles}>
      {t('Questions? Call {mobile}', { mobile: brand.mobile })}
    </a>
  );
}

function WhatWasPaid({ started }: { started: PaymentOfTab | undefined }) {
  const { t, rupees } = useLanguage();
  if (started?.amount === undefined) return null;
  return (
    <p className="text-lg font-semibold tabular-nums">
      {t('{amount} for order {orderid}', { amount: rupees(started.amount), orderid: started.orderid })}
    </p>
  );
}

interface NotReceivedProps {
  title: string;
  started: PaymentOfTab;
  link: { to: string; label: string };
  children: ReactNode;
}

/** A payment that is known not to have come. */
function NotReceived({ title, started, link, children }: NotReceivedProps) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  useEffect(() => {
    document.title = pageTitle(title, brand);
  }, [title, brand]);
  return (
    <>
      <LostSockArt />
      <h1 className="text-title font-bold">{title}</h1>
      <WhatWasPaid started={started} />
      <div className="w-full max-w-md">{children}</div>
      <CallLink />
      {/* Back, the gateway leads to this page: with its own entry it would be shown twice. */}
      <Link to={link.to} replace className={buttonStyles('primary')}>
        {link.label}
      </Link>
      {link.label !== t('See your order') && (
        <Link to={links.order(started.orderid)} className={buttonStyles('secondary')}>
          {t('See your order')}
        </Link>
      )}
    </>
  );
}

const PaymentResultSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your payment')}>
      <Skeleton shape="block" />
      <Skeleton shape="card" />
    </SkeletonGroup>
  );
};
