import { useState } from 'react';
import { msg, type ErrorMessage } from '../../../i18n/messages.ts';
import { invariant } from '../../../lib/invariant.ts';
import { formatAmount } from '../../../lib/money.ts';
import { toErrorMessage } from '../../../contract/errors.ts';
import { showToast, TOAST_MS } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useQuery, type Query } from '../../../browser/use-query.ts';
import { useSiteConfig } from '../../../browser/site-config.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { refreshSession } from '../../profile/pages/refresh-session.ts';
import { paymentError, paymentMessages as messages, payWithWallet, walletPayment, type WalletPayment } from '../contract.ts';

/** The figures of the payment, or the reason why there are none. */
export type WalletPaymentView = { figures: WalletPayment } | { error: ErrorMessage };

const onError = (error: unknown) => alertProblem(error, { doing: 'loading a wallet payment' });

interface WalletPaymentQuery {
  query: Query<WalletPaymentView>;
  paying: boolean;
  pay(figures: WalletPayment): void;
}

/** Loads the figures of an order's wallet payment and pays it. After each attempt, successful or not, the figures are loaded again. */
export function useWalletPayment(userid: string, orderid: string): WalletPaymentQuery {
  const { brand } = useSiteConfig();
  const query = useQuery({
    queryKey: [userid, orderid],
    async queryFn({ signal }): Promise<WalletPaymentView> {
      const answer = await fetchSend(walletPayment, { userid, orderid }, { signal });
      if (answer.response !== 'success') return { error: toErrorMessage(answer) };
      const [figures] = answer.data;
      invariant(figures, 'a wallet payment is a list of one');
      return { figures };
    },
    onError,
  });
  const [paying, setPaying] = useState(false);

  const pay = async ({ wallet, walletpayment }: WalletPayment) => {
    setPaying(true);
    const failure = { text: paymentError('wallet-payment-failed', { email: brand.email }), durationMs: TOAST_MS.short };
    const body = { userid, orderid, walletpayment, walletbalance: (wallet - walletpayment) / 100 };
    const answer = await fetchSend(payWithWallet, body).catch((error: unknown) => ({ error }));
    // If the response was lost, only the server knows whether the payment was made.
    const shown = await query.refetch();
    setPaying(false);
    const isPaid = ('response' in answer && answer.response === 'success') || (shown && 'figures' in shown && shown.figures.already_paid);
    if (isPaid) {
      showToast({ text: msg(messages.paid, { amount: formatAmount(walletpayment), orderid }), theme: 'green', durationMs: TOAST_MS.short });
      refreshSession().catch(onError);
    } else if ('error' in answer) alertProblem(answer.error, { doing: 'paying from the wallet' }, failure);
    else showToast({ ...failure, theme: 'red' });
  };
  return { query, paying, pay: (figures) => void pay(figures) };
}
