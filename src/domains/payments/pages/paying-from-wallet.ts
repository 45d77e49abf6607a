import { useCallback, useState } from 'react';
import { asTold, type Told } from '../../../i18n/messages.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useLoaded, type Loading } from '../../../browser/use-query.ts';
import { useSiteConfig } from '../../../browser/site-config.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { refreshSession } from '../../profile/pages/refresh-session.ts';
import { paymentMessages as messages, payWithWallet, walletPayment, type WalletPayment } from '../contract.ts';

const ALERT_MS = 3000;

/** What the page shows: the figures, or the server's sentence why there are none. */
export type Shown = { figures: WalletPayment; isPaid: boolean } | { refusal: Told };

const tellFailure = (error: unknown) => alertProblem(error, { doing: 'loading a wallet payment' });

/** The figures of an order's wallet payment, and the one thing that can be done with them. After a try, good or bad, the server's truth is read again. */
export function useWalletPayment(userid: string, orderid: string): Loading<Shown> & { paying: boolean; pay(figures: WalletPayment): void } {
  const { brand } = useSiteConfig();
  const load = useCallback(
    async (signal?: AbortSignal): Promise<Shown> => {
      const answer = await fetchSend(walletPayment, { userid, orderid }, signal && { signal });
      const [figures] = answer.data ?? [];
      return figures ? { figures, isPaid: answer.message === messages.alreadyPaid } : { refusal: asTold(answer.message) };
    },
    [userid, orderid],
  );
  const loading = useLoaded(load, tellFailure);
  const [paying, setPaying] = useState(false);

  const pay = async ({ wallet, walletpayment }: WalletPayment) => {
    setPaying(true);
    const failure = { text: messages.failed(brand.email), durationMs: ALERT_MS };
    const body = { userid, orderid, walletpayment, walletbalance: (wallet - walletpayment) / 100 };
    const answer = await fetchSend(payWithWallet, body).catch((error: unknown) => ({ error }));
    // An answer that was lost says nothing of the payment; what the server shows now does.
    const shown = await loading.reload();
    setPaying(false);
    const isPaid = ('response' in answer && answer.response === 'success') || (shown && 'figures' in shown && shown.isPaid);
    if (isPaid) {
      showToast({ text: messages.paid(walletpayment, orderid), theme: 'green', durationMs: ALERT_MS });
      refreshSession().catch(tellFailure);
    } else if ('error' in answer) alertProblem(answer.error, { doing: 'paying from the wallet' }, failure);
    else showToast({ ...failure, theme: 'red' });
  };
  return { ...loading, paying, pay: (figures) => void pay(figures) };
}
