import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { PageBody } from '../../../../ui/layout/container.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Split } from '../../../../ui/layout/split.tsx';
import { links } from '../../../../shared/links.ts';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import { unindexedPage } from '../../../../site/page-meta.tsx';
import type { Stage } from '../../contract.ts';
import type { Route } from './+types/bill.ts';
import { BackToOrder } from './back-to-order.tsx';
import { BillSheet } from './bill-sheet.tsx';
import { FetchedOrder, OrderSkeleton } from './fetched-order.tsx';
import { RequireCustomerOrGuest } from './require-customer-or-guest.tsx';
import { ReceiptPicture } from '../../../../ui/art/screens/receipt.tsx';

export const handle = unindexedPage(msg('Bill'));

/** The bill of a delivered order, for print or download. docs/decisions/0011. */
export default function BillPage({ params: { orderid } }: Route.ComponentProps) {
  const { t } = useLanguage();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="text" picture={<ReceiptPicture />} title={t('Bill')} back={<BackToOrder orderid={orderid} />}>
        <RequireCustomerOrGuest delay="orderToLogin" alertTitle={t('User not found')} fallback={<OrderSkeleton />}>
          {(userid) => (
            <FetchedOrder key={`${userid} ${orderid}`} userid={userid} orderid={orderid}>
              {(order) =>
                order.washing_stage === ('delivered' satisfies Stage) ? (
                  <>
                    <div className="mb-4 text-end print:hidden">
                      <Button variant="secondary" size="small" onClick={() => window.print()}>
                        {t('Print or save')}
                      </Button>
                    </div>
                    <BillSheet order={order} userid={userid} />
                  </>
                ) : (
                  <BillNotReady orderid={orderid} />
                )
              }
            </FetchedOrder>
          )}
        </RequireCustomerOrGuest>
      </Split>
    </PageBody>
  );
}

const BillNotReady = ({ orderid }: { orderid: string }) => {
  const { t } = useLanguage();
  return (
    <Notice
      tone="info"
      title={t('This bill is not ready yet')}
      action={
        <Link to={links.order(orderid)} className={buttonStyles('secondary', 'small')}>
          {t('See your order')}
        </Link>
      }
    >
      {t('You will find it here once your order is delivered.')}
    </Notice>
  );
};
