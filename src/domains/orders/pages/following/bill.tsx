import { Link } from 'react-router';
import { Button } from '../../../../ui/button.tsx';
import { buttonLook } from '../../../../ui/button-look.ts';
import { PageBody } from '../../../../ui/container.tsx';
import { ChevronLeftIcon } from '../../../../ui/icons/chevron.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { backLook, PageHeading } from '../../../../ui/page-heading.tsx';
import { links } from '../../../../web/links.ts';
import { MAIN_ID } from '../../../../web/site-layout.tsx';
import { site } from '../../../../web/site.ts';
import type { Stage } from '../../contract.ts';
import type { Route } from './+types/bill.ts';
import { BillSheet } from './bill-sheet.tsx';
import { FoundOrder, WaitingOrder } from './found-order.tsx';
import { OrdererGate } from './orderer-gate.tsx';

export const meta = () => [{ title: `Bill · ${site().brand.name}` }, { name: 'robots', content: 'noindex' }];

/** The bill of a delivered order, to be printed or saved as a file. docs/decisions/0011. */
export default function BillPage({ params: { orderid } }: Route.ComponentProps) {
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading
        title="Bill"
        back={
          <Link to={links.order(orderid)} className={`${backLook} print:hidden`}>
            <ChevronLeftIcon small />
            Your order
          </Link>
        }
        actions={
          <span className="print:hidden">
            <Button variant="secondary" size="small" onClick={() => window.print()}>
              Print or save
            </Button>
          </span>
        }
      />
      <OrdererGate after="orderToLogin" alerting={{ title: 'User not found' }} waiting={<WaitingOrder />}>
        {(userid) => (
          <FoundOrder key={`${userid} ${orderid}`} userid={userid} orderid={orderid}>
            {(order) =>
              order.washing_stage === ('delivered' satisfies Stage) ? (
                <BillSheet order={order} userid={userid} />
              ) : (
                <NotYet orderid={orderid} />
              )
            }
          </FoundOrder>
        )}
      </OrdererGate>
    </PageBody>
  );
}

const NotYet = ({ orderid }: { orderid: string }) => (
  <Notice
    tone="info"
    title="This bill is not ready yet"
    action={
      <Link to={links.order(orderid)} className={buttonLook('secondary', 'small')}>
        See your order
      </Link>
    }
  >
    You will find it here once your order is delivered.
  </Notice>
);
