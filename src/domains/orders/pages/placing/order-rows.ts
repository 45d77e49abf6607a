/** The lines of an order, the same on every ordering screen. */
import { serverClock } from '../../../../web/server-clock.ts';
import type { DefinitionRow } from '../../../../ui/definition-table.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { figuresOf, type Draft } from '../draft/cart-state.ts';
import { choicesOf, orderMessages, TIMESLOT } from '../../contract.ts';
import { perUnit, shownChoices, shownPickupDay } from '../draft/order-words.ts';

export const programRows = ({ service, area }: Draft): DefinitionRow[] =>
  service && area !== 'none'
    ? [
        { label: 'Wash Program', value: service.name },
        { label: 'Area', value: areaNames[area] },
        ...shownChoices(choicesOf(service.programid)),
      ]
    : [];

export const pickupRows = ({ pickupDay, slotChosen }: Draft): DefinitionRow[] =>
  pickupDay && slotChosen
    ? [
        { label: 'Pickup day', value: shownPickupDay(pickupDay, serverClock.now()) },
        { label: 'Pickup timeslot', value: TIMESLOT },
      ]
    : [];

const WEIGHED_LATER: readonly DefinitionRow[] = [
  { label: 'Items', value: orderMessages.atPickup },
  { label: 'Weight (kg)', value: orderMessages.atPickup },
  { label: 'Amount', value: orderMessages.atPickup },
];

/** What it costs, as far as that is known before the clothes were weighed. */
export function figureRows(draft: Draft): DefinitionRow[] {
  const figures = figuresOf(draft);
  if (!figures || !draft.service) return [];
  const { unit } = draft.service;
  const rate = { label: 'Rate', value: perUnit(figures.ratePaise, unit) };
  if (!figures.offer) return [...WEIGHED_LATER, { ...rate, emphasis: true }];
  return [
    ...WEIGHED_LATER,
    rate,
    { label: 'Offer', value: `${figures.offer.percent}% off` },
    { label: 'Rate after offer', value: perUnit(figures.orderRatePaise, unit), emphasis: true },
  ];
}
