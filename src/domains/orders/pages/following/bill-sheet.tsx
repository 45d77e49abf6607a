import { Outlet } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { WasherIcon } from '../../../../ui/icons/order.tsx';
import { officeAddress } from '../../../../shared/brand.ts';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { AddressLines } from '../../../addresses/pages/address-lines.tsx';
import { costRows } from './cost-rows.tsx';
import type { OrderContext } from './order-view.tsx';

/**
 * The sheet of the bill, with the amounts of the order's page. The outlet contains its payments.
 */
export function BillSheet({ order, userid }: OrderContext) {
  const language = useLanguage();
  const { t, day } = language;
  const { brand } = useSiteConfig();
  return (
    <article className="space-y-4">
      <Card>
        <header className="flex flex-wrap items-start justify-between gap-4 border-b border-line pb-4">
          <div>
            <p className="flex items-center gap-2 text-xl font-extrabold tracking-tight">
              <WasherIcon />
              {brand.name}
            </p>
            <p className="mt-1 text-sm text-ink-soft">
              {brand.provider}
              <br />
              {officeAddress(brand, language)}
              <br />
              {brand.mobile} · {brand.email}
            </p>
          </div>
          <div className="text-sm sm:text-end">
            <p className="text-ink-soft">{t('Billed to')}</p>
            <p className="font-semibold">{order.name}</p>
            <p className="text-ink-soft">
              <AddressLines address={order} />
            </p>
          </div>
        </header>
        <DefinitionTable
          rows={[
            { label: t('Order No'), value: order.orderid },
            { label: t('Order Date'), value: day(order.order_date) },
            { label: t('Delivered'), value: order.delivered_date === null ? '' : day(order.delivered_date) },
            { label: t('Wash Program'), value: language.translateData(order.program_name) },
            { label: t('Items'), value: order.total_items ?? '' },
            ...costRows(language, order),
          ]}
        />
      </Card>
      <Outlet context={{ order, userid } satisfies OrderContext} />
      <p className="text-center text-sm text-ink-soft">{t('Thank you for choosing {brand}!', { brand: brand.name })}</p>
    </article>
  );
}
