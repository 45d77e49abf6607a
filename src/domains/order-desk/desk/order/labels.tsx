/** Labels for the bags of an order, printed by the browser. The code opens the order on a phone. */
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from '../../../../browser/use-query.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import QrCode from '../../../payments/pages/qr-code.tsx';
import { LoadState } from '../../../staff/desk/load-state.tsx';
import { staffRead } from '../../../staff/desk/session.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { StaffPage } from '../../../staff/desk/staff-page.tsx';
import { shortCode } from '../short-code.ts';
import { getDeskOrder, MAX_BAGS, type DeskOrder } from '../contract.ts';

export function Component() {
  const { orderid = '' } = useParams();
  const { t } = useLanguage();
  const query = useQuery<DeskOrder>({
    queryKey: [orderid],
    queryFn: ({ signal }) => staffRead(getDeskOrder, { orderid }, { signal }),
    onError: (error) => showProblem(error, 'loading an order'),
  });
  return (
    <StaffPage title={t('Labels')} width="text">
      <LoadState query={query} loading={t('Loading the order')} failed={t('The order could not be loaded')} shapes={['block']} />
      {query.status === 'success' && <Labels order={query.data} />}
    </StaffPage>
  );
}

function Labels({ order }: { order: DeskOrder }) {
  const { t } = useLanguage();
  const [text, setText] = useState(String(order.bags ?? 1));
  const count = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0;
  const isPossible = count >= 1;
  return (
    <>
      <div data-noprint className="flex flex-wrap items-end gap-3">
        <div className="w-28">
          <TextField
            label={t('Bags')}
            error={isPossible ? null : t('1 to {max}', { max: MAX_BAGS })}
            hint={isPossible ? t('1 to {max}', { max: MAX_BAGS }) : undefined}
            value={text}
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        {isPossible && (
          <Button variant="primary" onClick={() => window.print()}>
            {t('Print')}
          </Button>
        )}
        <Link to={staffLinks.order(order.orderid)} className={buttonStyles('quiet')}>
          {t('Back to the order')}
        </Link>
      </div>
      <ol data-print className="grid gap-4 sm:grid-cols-2">
        {Array.from({ length: count }, (_, index) => (
          <BagLabel key={index + 1} order={order} bag={index + 1} count={count} />
        ))}
      </ol>
    </>
  );
}

/** Dark on white, as on paper (console.css). */
function BagLabel({ order, bag, count }: { order: DeskOrder; bag: number; count: number }) {
  const { t, day, translateData } = useLanguage();
  const { orderid } = order;
  return (
    <li className="flex break-inside-avoid items-center gap-4 rounded-card border border-current p-4">
      <div className="w-28 shrink-0">
        <QrCode
          text={new URL(staffLinks.order(orderid), window.location.origin).href}
          label={t('QR code of the order {orderid}', { orderid })}
        />
      </div>
      <div className="min-w-0 text-sm">
        <p className="text-2xl font-bold tabular-nums">{shortCode(orderid)}</p>
        <p className="text-base font-semibold">{t('Bag {bag} of {count}', { bag, count })}</p>
        <p className="[overflow-wrap:anywhere]">{order.name}</p>
        <p>
          {translateData(areaNames[order.area])} · {translateData(order.program_name)}
        </p>
        <p>{day(order.pickup_date)}</p>
        <p className="font-mono text-xs">{orderid}</p>
      </div>
    </li>
  );
}
