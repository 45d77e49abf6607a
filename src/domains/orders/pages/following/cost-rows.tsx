import type { Language } from '../../../../i18n/language.tsx';
import { formatKilograms } from '../../../../lib/money.ts';
import type { DefinitionRow } from '../../../../ui/layout/definition-table.tsx';
import { Money } from '../../../../ui/layout/money.tsx';
import { orderMessages, type Order } from '../../contract.ts';

type PricedOrder = Pick<Order, 'order_cost' | 'total_amount' | 'total_weight' | 'offer_rate' | 'unit' | 'program_rate'>;

/** Returns the rows of the amounts for the pages of the order and for the bill. */
export function costRows({ t, translateData, rupees }: Language, order: PricedOrder): DefinitionRow[] {
  const { order_cost: cost, total_amount: final, total_weight: weight, offer_rate: percent } = order;
  const unit = translateData(order.unit);
  const rate = rupees(order.program_rate);
  if (cost === null || final === null || weight === null) {
    return [
      { label: t('{rate} × weight ({unit})', { rate, unit }), value: t(orderMessages.atPickup) },
      ...(percent > 0 ? [{ label: t('Offer'), value: t('{percent}% off', { percent }) }] : []),
      { label: t('Final Amount'), value: <span className="text-sm font-medium">{t(orderMessages.atPickup)}</span>, emphasis: true },
    ];
  }
  return [
    { label: t('{rate} × {weight} {unit}', { rate, weight: formatKilograms(weight), unit }), value: <Money amountPaise={cost} /> },
    ...(percent > 0 ? [{ label: t('Offer, {percent}% off', { percent }), value: <Money amountPaise={final - cost} /> }] : []),
    { label: t('Final Amount'), value: <Money amountPaise={final} />, emphasis: true },
  ];
}
