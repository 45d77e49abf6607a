import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { EmptyBasketArt } from '../../../ui/art/empty.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { links } from '../../../shared/links.ts';
import { fetchSend } from '../../../browser/client.ts';
import { usePaginatedQuery } from '../../../browser/use-paginated-query.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { walletMessages, type WalletTransaction } from '../contract.ts';
import { MOVEMENT_CAUSE_NAMES, MOVEMENT_NAMES } from './movement-names.ts';
import { fetchPage, nextOffset, transactionId } from './transactions-query.ts';

interface TransactionListProps {
  userid: string;
  firstPage: readonly WalletTransaction[];
}

export function TransactionList({ userid, firstPage }: TransactionListProps) {
  const { t, plural } = useLanguage();
  const query = usePaginatedQuery({
    firstPage,
    queryFn: (request) => fetchPage(fetchSend, userid, request),
    getNextPageParam: nextOffset,
    getRows: (rows) => rows,
    getRowId: transactionId,
    onError: (error) => alertProblem(error, { doing: 'loading transactions' }),
  });
  const { rows, listRef } = query;
  if (rows.length === 0) {
    return (
      <EmptyState
        art={<EmptyBasketArt />}
        title={t(walletMessages.none)}
        text={t('Your bonuses and payments will appear here.')}
        action={null}
      />
    );
  }
  return (
    <>
      <Card>
        <ul ref={listRef} className="-my-3 divide-y divide-line">
          {rows.map((transaction) => (
            <TransactionRow key={transaction.tid} transaction={transaction} />
          ))}
        </ul>
      </Card>
      <output className="sr-only">
        {plural(rows.length, { one: '{count} transaction is shown', other: '{count} transactions are shown' }, { count: rows.length })}
      </output>
      <LoadMore query={query} label={t('Load more transactions')} />
    </>
  );
}

function TransactionRow({ transaction }: { transaction: WalletTransaction }) {
  const { t_type: kind, t_date: date, t_amount: amount, t_order: orderid, t_cause: cause } = transaction;
  // A process of the version before does not send it.
  const paidBack = transaction.t_paid_back ?? null;
  const { t, day } = useLanguage();
  return (
    <li tabIndex={-1} className="flex items-baseline justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium">{paidBack === null ? t(MOVEMENT_NAMES[kind]) : t('Paid back to you')}</p>
        {paidBack !== null && <p className="text-sm wrap-anywhere">{paidBack}</p>}
        {cause !== null && <p className="text-sm">{t(MOVEMENT_CAUSE_NAMES[cause])}</p>}
        <p className="text-sm text-ink-soft">
          {day(date)}
          {orderid !== null && (
            <>
              <span aria-hidden="true"> · </span>
              <Link to={links.order(orderid)} className={textLinkStyles}>
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
