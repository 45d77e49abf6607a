import { useLanguage } from '../../../../i18n/language.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, type Order } from '../../contract.ts';

export function OrderFacts({ order }: { order: Order }) {
  const { t, translateData, day } = useLanguage();
  const { total_items: items, total_weight: weight } = order;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Order details')}</h2>
      <DefinitionTable
        rows={[
          { label: t('Order No'), value: order.orderid },
          { label: t('Order Date'), value: day(order.order_date) },
          { label: t('Wash Program'), value: translateData(order.program_name) },
          { label: t('Area'), value: translateData(areaNames[order.area]) },
          { label: t('Pickup'), value: `${day(order.pickup_date)}, ${translateData(order.timeslot)}` },
          { label: t('Items'), value: items ?? t(orderMessages.atPickup) },
          { label: t('Weight (kg)'), value: weight === null ? t(orderMessages.atPickup) : formatKilograms(weight) },
        ]}
      />
    </Card>
  );
}
