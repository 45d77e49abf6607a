import { useLanguage } from '../../../../i18n/language.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, type Order } from '../../contract.ts';

export function OrderFacts({ order }: { order: Order }) {
  const { t, say, day } = useLanguage();
  const { total_items: items, total_weight: weight } = order;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Order details')}</h2>
      <DefinitionTable
        rows={[
          { label: 'Order No', value: order.orderid },
          { label: 'Order Date', value: day(order.order_date) },
          { label: 'Wash Program', value: say(order.program_name) },
          { label: 'Area', value: say(areaNames[order.area]) },
          { label: 'Pickup', value: `${day(order.pickup_date)}, ${say(order.timeslot)}` },
          { label: 'Items', value: items ?? t(orderMessages.atPickup) },
          { label: 'Weight (kg)', value: weight === null ? t(orderMessages.atPickup) : formatKilograms(weight) },
        ]}
      />
    </Card>
  );
}
