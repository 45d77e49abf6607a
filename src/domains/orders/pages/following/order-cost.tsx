import { Link } from 'react-router';
import { formatKilograms, formatRupees } from '../../../../kit/money.ts';
import { Card } from '../../../../ui/card.tsx';
import { DefinitionTable, type DefinitionRow } from '../../../../ui/definition-table.tsx';
import { Money } from '../../../../ui/money.tsx';
import { standaloneLinkLook } from '../../../../ui/text-link-look.ts';
import { links } from '../../../../web/links.ts';
import { orderMessages, type Order, type Stage } from '../../contract.ts';

/** Rate times weight, what the offer takes off, and the Final Amount: three lines that add up, or say that the scale decides. */
export function OrderCost({ order }: { order: Order }) {
  return (
    <Card as="section">
      <h2 className="font-semibold">Amount</h2>
      <DefinitionTable rows={costRows(order)} />
      {order.washing_stage === ('delivered' satisfies Stage) && (
        <Link to={links.bill(order.orderid)} className={`${standaloneLinkLook} mt-2`}>
          See the bill
        </Link>
      )}
    </Card>
  );
}

/** Also on the bill. */
export function costRows(order: Order): DefinitionRow[] {
  const { order_cost: cost, total_amount: final, total_weight: weight, offer_rate: percent, unit } = order;
  const rate = formatRupees(order.program_rate);
  if (cost === null || final === null || weight === null) {
    return [
      { label: `${rate} × weight (${unit})`, value: orderMessages.atPickup },
      ...(percent > 0 ? [{ label: 'Offer', value: `${percent}% off` }] : []),
      { label: 'Final Amount', value: <span className="text-sm font-medium">{orderMessages.atPickup}</span>, emphasis: true },
    ];
  }
  return [
    { label: `${rate} × ${formatKilograms(weight)} ${unit}`, value: <Money amountPaise={cost} /> },
    ...(percent > 0 ? [{ label: `Offer, ${percent}% off`, value: <Money amountPaise={final - cost} /> }] : []),
    { label: 'Final Amount', value: <Money amountPaise={final} />, emphasis: true },
  ];
}
