import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { asPaise, formatAmount, formatKilograms } from '../../../lib/money.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { BottomBar } from '../../../ui/layout/bottom-bar.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { DefinitionTable, type DefinitionRow } from '../../../ui/layout/definition-table.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { links } from '../../../shared/links.ts';
import { paymentError, type OrderPayments, type WalletPayment } from '../contract.ts';
import { overpaidRows } from './overpaid.tsx';
import { UnfinishedPayment } from './unfinished-payment.tsx';
import { formatRate } from '../../catalogue/pages/format-rate.ts';

interface WalletPaymentDetailsProps {
  orderid: string;
  payment: WalletPayment;
  /** An online payment of the order that is not confirmed yet. */
  online: OrderPayments['online'];
  paying: boolean;
  /** This page has paid, not one before. */
  isPaidNow: boolean;
  /** The amount is not the one that the customer saw first. */
  isChanged: boolean;
  onPay(payment: WalletPayment): void;
}

/** Shows the balance and the order, with the button to pay or the reason why it is disabled. */
export function WalletPaymentDetails({ orderid, payment, online, paying, isPaidNow, isChanged, onPay }: WalletPaymentDetailsProps) {
  const language = useLanguage();
  const { t, formatMessage, rupees } = language;
  const isPaid = payment.already_paid;
  const isCovered = payment.wallet >= payment.walletpayment;
  const result = useRef<HTMLDivElement>(null);
  const changed = useRef<HTMLDivElement>(null);
  const wasPaying = useRef(false);
  // The focused button was removed: the result gets the focus.
  useEffect(() => {
    if (wasPaying.current && isPaid) {
      result.current?.focus({ preventScroll: true });
      // The balance has changed.
      window.scrollTo({ top: 0 });
    } else if (wasPaying.current && !paying) changed.current?.focus();
    wasPaying.current = paying;
  }, [paying, isPaid]);

  return (
    <div className="space-y-6">
      <Card as="section">
        <h2 className="text-sm text-ink-soft">{t('Wallet balance')}</h2>
        <p className="mt-1 text-title font-bold">
          <Money amountPaise={payment.wallet} />
        </p>
      </Card>
      {isPaid && (
        <div ref={result} tabIndex={-1} className="outline-none">
          <Notice tone="good" live>
            {isPaidNow
              ? t('You have paid ₹{amount} for this order with wallet', { amount: formatAmount(payment.walletpayment) })
              : t('You had already paid ₹{amount} for this order with wallet', { amount: formatAmount(payment.walletpayment) })}
          </Notice>
        </div>
      )}
      {online && !isPaid && <UnfinishedPayment payment={online} mayPayAgain />}
      {/* Before the details: on a phone, the bar of the buttons would hide it below them. */}
      {!isPaid && !isCovered && (
        <Notice tone="warn" live action={<OtherWays orderid={orderid} />}>
          {formatMessage(paymentError('insufficient-balance'))}
        </Notice>
      )}
      {isChanged && !isPaid && isCovered && (
        <div ref={changed} tabIndex={-1}>
          <Notice tone="warn" live>
            {t('The amount is now {amount}. Please check it and pay.', { amount: rupees(payment.walletpayment) })}
          </Notice>
        </div>
      )}
      <Card as="section">
        <h2 className="font-semibold">{t('Order details')}</h2>
        <DefinitionTable rows={rowsOf(language, orderid, payment)} />
      </Card>
      <BottomBar>
        <Link to={links.orders()} className={buttonStyles('secondary')}>
          {isPaid ? t('Your orders') : t('Cancel')}
        </Link>
        {!isPaid && (
          <Button variant={online ? 'secondary' : 'primary'} pending={paying} disabled={!isCovered} onClick={() => onPay(payment)}>
            {t('Pay')}
          </Button>
        )}
        {isPaid && (
          <Link to={links.order(orderid)} className={buttonStyles('primary')}>
            {t('See your order')}
          </Link>
        )}
      </BottomBar>
    </div>
  );
}

function OtherWays({ orderid }: { orderid: string }) {
  const { t } = useLanguage();
  return (
    <div className="flex flex-wrap gap-2">
      <Link to={links.order(orderid)} className={buttonStyles('primary', 'small')}>
        {t('Pay another way')}
      </Link>
      <Link to={links.refer()} className={buttonStyles('secondary', 'small')}>
        {t('₹50 for every friend')}
      </Link>
    </div>
  );
}

function rowsOf(language: Language, orderid: string, payment: WalletPayment): DefinitionRow[] {
  const {
    program_name: program,
    order_rate: rate,
    unit,
    offer_rate: percentOff,
    total_weight: weight,
    total_amount: total,
    walletpayment: part,
    left,
    returned = asPaise(0),
    already_paid: isPaid,
  } = payment;
  const paidOtherwise = asPaise(total + returned - part - left);
  const { t, translateData } = language;
  return [
    { label: t('Order No'), value: orderid },
    { label: t('Wash Program'), value: translateData(program) },
    { label: percentOff > 0 ? t('Rate after offer') : t('Rate'), value: formatRate(language, rate, unit) },
    { label: t('Weight (kg)'), value: formatKilograms(weight) },
    { label: t('Final Amount'), value: <Money amountPaise={total} /> },
    ...(paidOtherwise > 0 ? [{ label: t('Paid another way'), value: <Money amountPaise={paidOtherwise} /> }] : []),
    { label: isPaid ? t('Paid from the wallet') : t('From the wallet'), value: <Money amountPaise={part} />, emphasis: true },
    ...overpaidRows(language, returned, false),
    { label: t('Left for UPI or cash'), value: <Money amountPaise={left} /> },
  ];
}
