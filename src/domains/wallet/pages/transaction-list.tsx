import { Link } from 'react-router';
import type { TextKey } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { EmptyBasketArt } from '../../../ui/art/empty.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { textLinkLook } from '../../../ui/actions/link-styles.ts';
import { links } from '../../../browser/links.ts';
import { useLoadMore } from '../../../browser/use-paginated-query.ts';
import { walletMessages, type MovementKind, type WalletTransaction } from '../contract.ts';
import type { TransactionPages } from './loading-transactions.ts';

interface TransactionListProps {
  shown: TransactionPages;
  loadingMore: boolean;
  loadMore(): Promise<void>;
}

export function TransactionList({ shown: { transactions, mayHaveMore }, loadingMore, loadMore }: TransactionListProps) {
  const { t } = useLanguage();
  const { list, showMore } = useLoadMore({ shown: transactions.length, loading: loadingMore, loadMore });
  if (transactions.length === 0) {
    return (
      <EmptyState art={<EmptyBasketArt />} title={t(walletMessages.none)} text={t('Bonuses and payments will stand here.')} action={null} />
    );
  }
  return (
    <>
      <Card>
        <ul ref={list} className="-my-3 divide-y divide-line">
          {transactions.map((transaction) => (
            <TransactionRow key={transaction.tid} transaction={transaction} />
          ))}
        </ul>
      </Card>
      <output className="sr-only">{t('{count} transactions are shown', { count: transactions.length })}</output>
      {mayHaveMore && (
        <Button variant="secondary" wide pending={loadingMore} onClick={showMore}>
          {t('Load more transactions')}
        </Button>
      )}
    </>
  );
}

const KIND_NAMES: Readonly<Record<MovementKind, TextKey>> = {
  promotion: 'Promotion',
  compensation: 'Compensation',
  change: 'Change',
  cashback: 'Cashback',
  paid: 'Paid',
};

/** Only 'paid' takes from the wallet (specification section 4, "Transactions"). */
function TransactionRow({ transaction }: { transaction: WalletTransaction }) {
  const { t_type: kind, t_date: date, t_amount: amount, t_order: orderid } = transaction;
  const { t, day } = useLanguage();
  return (
    <li tabIndex={-1} className="flex items-baseline justify-between gap-4 py-3">
      <div>
        <p className="font-medium">{t(KIND_NAMES[kind])}</p>
        <p className="text-sm text-ink-soft">
          {day(date)}
          {orderid !== null && (
            <>
              <span aria-hidden="true"> · </span>
              <Link to={links.order(orderid)} className={textLinkLook}>
                {t('Order {orderid}', { orderid })}
              </Link>
            </>
          )}
        </p>
      </div>
      <p className="font-semibold">
        <Money amountPaise={amount} direction={kind === 'paid' ? 'debit' : 'credit'} />
      </p>
    </li>
  );
}
