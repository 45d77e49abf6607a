import { Link } from 'react-router';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { mayCall } from '../../staff/desk/contract.ts';
import { useMe } from '../../staff/desk/session.ts';
import { MAX_MOVEMENTS, type Cash, type Holder } from './contract.ts';

/** The cash that each person holds. */
export function Holders({ cash: { holders }, onCount }: { cash: Cash; onCount(holder: Holder): void }) {
  const { t } = useLanguage();
  const { role } = useMe();
  const mayCount = (isMe: boolean) => mayCall(role, 'staff/handin') && (!isMe || role === 'owner');
  return (
    <section aria-labelledby="holders">
      <h2 id="holders" className="text-lg font-bold">
        {t('Who holds cash')}
      </h2>
      {holders.length === 0 && <p className="mt-2 text-ink-soft">{role === 'rider' ? t('You hold no cash.') : t('Nobody holds cash.')}</p>}
      <ul className="mt-3 space-y-3">
        {holders.map((holder) => (
          <Card as="li" key={holder.personid}>
            <div className="flex items-baseline justify-between gap-3">
              <p className="font-semibold [overflow-wrap:anywhere]">{holder.is_me ? t('You') : holder.name}</p>
              <p className="text-lg font-bold">
                <Money amountPaise={holder.held} />
              </p>
            </div>
            {mayCount(holder.is_me) && (
              <div className="mt-2">
                <Button variant="secondary" size="small" onClick={() => onCount(holder)}>
                  {holder.is_me ? t('Take to the bank') : t('Count')}
                </Button>
              </div>
            )}
            <Movements holder={holder} />
          </Card>
        ))}
      </ul>
    </section>
  );
}

/** The cash that a person received since the last hand-in, and the rest that was kept then. */
function Movements({ holder: { movements, kept, is_me: isMe } }: { holder: Holder }) {
  const language = useLanguage();
  const { t, plural } = language;
  const count = movements.length;
  const keptLine = (
    <>
      {t('Kept at the last hand-in')}
      <Money amountPaise={kept} />
    </>
  );
  if (count === 0) return <p className="mt-3 flex items-baseline justify-between gap-x-3 text-sm">{keptLine}</p>;
  return (
    <details open={isMe} className="mt-3">
      <summary className="cursor-pointer py-1 text-sm font-medium">
        {plural(count, { one: '{count} change since the last hand-in', other: '{count} changes since the last hand-in' }, { count })}
      </summary>
      <ul className="mt-1 divide-y divide-line text-sm">
        {movements.map(({ orderid, colleague, amount, at }) => (
          <li key={`${at} ${orderid} ${amount}`} className="flex items-baseline justify-between gap-x-3 py-2">
            <span className="flex min-w-0 flex-wrap gap-x-3">
              {orderid === null ? (
                <span className="[overflow-wrap:anywhere]">{t('Handed in by {name}', { name: colleague ?? '' })}</span>
              ) : (
                <Link to={staffLinks.order(orderid)} className="underline tabular-nums">
                  {t('Order {orderid}', { orderid })}
                </Link>
              )}
              <span className="text-ink-soft">{formatDayTime(language, at)}</span>
            </span>
            <Money amountPaise={Math.abs(amount)} {...(amount < 0 && { direction: 'debit' })} />
          </li>
        ))}
        {kept !== 0 && <li className="flex items-baseline justify-between gap-x-3 py-2">{keptLine}</li>}
      </ul>
      {count === MAX_MOVEMENTS && <p className="text-sm text-ink-soft">{t('Earlier changes are not listed.')}</p>}
    </details>
  );
}
