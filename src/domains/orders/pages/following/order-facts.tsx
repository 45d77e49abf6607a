import { formatDay } from '../../../../kit/dates.ts';
import { formatKilograms } from '../../../../kit/money.ts';
import { Card } from '../../../../ui/card.tsx';
import { DefinitionTable } from '../../../../ui/definition-table.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, type Order } from '../../contract.ts';

export function OrderFacts({ order }: { order: Order }) {
  const { total_items: items, total_weight: weight } = order;
  return (
    <Card as="section">
      <h2 className="font-semibold">Order details</h2>
      <DefinitionTable
        rows={[
          { label: 'Order No', value: order.orderid },
          { label: 'Order Date', value: formatDay(order.order_date) },
          { label: 'Wash Program', value: order.program_name },
          { label: 'Area', value: areaNames[order.area] },
          { label: 'Pickup', value: `${formatDay(order.pickup_date)}, ${order.timeslot}` },
          { label: 'Items', value: items ?? orderMessages.atPickup },
          { label: 'Weight (kg)', value: weight === null ? orderMessages.atPickup : formatKilograms(weight) },
        ]}
      />
    </Card>
  );
}
