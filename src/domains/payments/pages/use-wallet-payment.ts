import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { rupees } from '../../../contract/define-call.ts';
import { msg, type ErrorMessage } from '../../../i18n/messages.ts';
import { invariant } from '../../../lib/invariant.ts';
import { asPaise, formatAmount, type Paise } from '../../../lib/money.ts';
import { CallRefused, ConnectionLost } from '../../../contract/call-failures.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useQuery, type Query } from '../../../browser/use-query.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { useOrderEvents } from '../../orders/pages/following/use-order-events.ts';
import { refreshSession } from '../../profile/pages/refresh-session.ts';
import {
  paymentError,
  paymentMessages as messages,
  payWithWallet,
  walletPayment,
  type OrderPayments,
  type WalletPayment,
} from '../contract.ts';
import { readOnlinePayment } from './read-online-payment.ts';

/**
 * The amounts of a possible or finished payment with the online payment that is not confirmed yet,
 * or the error that prevents it.
 */
export type WalletPaymentView = { payment: WalletPayment; online: OrderPayments['online'] } | { error: ErrorMessage };

const onError = (error: unknown) => alertProblem(error, { doing: 'loading a wallet payment' });

/** Returns true if another amount is to be paid: the page asks to check it. */
const isChanged = (view: WalletPaymentView | undefined, amount: Paise) =>
  view !== undefined && 'payment' in view && !view.payment.already_paid && view.payment.walletpayment !== amount;

interface WalletPaymentQuery {
  query: Query<WalletPaymentView>;
  paying: boolean;
  /** True once a payment of this page has succeeded. */
  isPaidNow: boolean;
  pay(payment: WalletPayment): void;
}

/**
 * Loads the wallet payment of an order and returns `pay`, which pays it. Shows the outcome as a
 * toast, refreshes the session and reloads the payment after each attempt.
 */
export function useWalletPayment(userid: string, orderid: string): WalletPaymentQuery {
  const { brand } = useSiteConfig();
  const query = useQuery({
    queryKey: [userid, orderid],
    async queryFn({ signal }): Promise<WalletPaymentView> {
      const [result, online] = await Promise.all([
        fetchSend(walletPayment, { userid, orderid }, { signal }),
        readOnlinePayment({ userid, orderid }, signal),
      ]);
      if (result.response !== 'success') return { error: toErrorMessage(result) };
      const [payment] = result.data;
      invariant(payment, 'a wallet payment is a list of one');
      return { payment, online: online?.state === 'pending' ? online : null };
    },
    onError(error) {
      // The page shows it beside the amounts.
      if (!(isLoaded.current && error instanceof ConnectionLost)) onError(error);
    },
  });
  const isLoaded = useRef(false);
  useEffect(() => {
    isLoaded.current = query.status === 'success';
  }, [query.status]);
  const [paying, setPaying] = useState(false);
  const [isPaidNow, setPaidNow] = useState(false);
  const isKnown = query.status === 'success' && !('error' in query.data && query.data.error.code === 'order-not-found');
  // Every event of the order is newer than version 0. A payment loads the amounts itself.
  useOrderEvents(isKnown ? { orderid, version: 0 } : null, () => {
    if (!paying) void query.refetch();
  });

  const pay = async ({ wallet, walletpayment }: WalletPayment) => {
    setPaying(true);
    const failure = { text: paymentError('wallet-payment-failed', { email: brand.email }), durationMs: TOAST_MS.short };
    const body = { userid, orderid, walletpayment, walletbalance: z.encode(rupees, asPaise(wallet - walletpayment)) };
    const result = await fetchSend(payWithWallet, body).catch((error: unknown) => ({ error }));
    if ('response' in result && result.response === 'success') setPaidNow(true);
    // If the response was lost, only the server knows whether the payment was made.
    const shown = await query.refetch();
    setPaying(false);
    const isPaid = ('response' in result && result.response === 'success') || (shown && 'payment' in shown && shown.payment.already_paid);
    if (isPaid) {
      showToast({ text: msg(messages.paid, { amount: formatAmount(walletpayment), orderid }), theme: 'green', durationMs: TOAST_MS.short });
      refreshSession().catch(onError);
    } else if ('error' in result) {
      // A refusal explains itself, except that of an unexpected error.
      const isExplained = result.error instanceof CallRefused && result.error.status !== 500;
      alertProblem(result.error, { doing: 'paying from the wallet' }, isExplained ? undefined : failure);
    } else if (result.response !== 'success' && !isChanged(shown, walletpayment)) {
      showToast({ text: toErrorMessage(result), theme: 'red', durationMs: TOAST_MS.short });
    }
  };
  return { query, paying, isPaidNow, pay: (payment) => void pay(payment) };
}
