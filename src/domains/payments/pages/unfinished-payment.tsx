import { Link } from 'react-router';
import { formatDay } from '../../../kit/dates.ts';
import { formatRupees } from '../../../kit/money.ts';
import { Notice } from '../../../ui/notice.tsx';
import { standaloneLinkLook } from '../../../ui/text-link-look.ts';
import { links } from '../../../web/links.ts';
import { site } from '../../../web/site.ts';
import type { OrderPayments } from '../contract.ts';

/** An online payment that was begun and has not come: how it stands and what to do now. What failed may be an attempt or a page that nobody paid at for a day. */
export function UnfinishedPayment({ payment }: { payment: NonNullable<OrderPayments['online']> }) {
  const { tid, amount, state, begun_on: day } = payment;
  const which = `Your online payment of ${formatRupees(amount)} from ${formatDay(day)}`;
  if (state === 'failed') {
    return (
      <Notice tone="warn" title={`${which} was not completed`}>
        You can pay again. If the money has left your account, write to {site().brand.email}.
      </Notice>
    );
  }
  const action = (
    <Link to={links.paymentResult(tid, amount)} className={standaloneLinkLook}>
      See how it stands
    </Link>
  );
  return (
    <Notice tone="info" title={`${which} is not confirmed yet`} action={action}>
      If you have paid, you need not pay again: it may take 24 hours. If you have not, you can still pay.
    </Notice>
  );
}
