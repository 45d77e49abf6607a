/** The lines of an order, the same on every ordering screen. */
import type { Language } from '../../../../i18n/language.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import type { DefinitionRow } from '../../../../ui/layout/definition-table.tsx';
import { areaNames } from '../../../catalogue/contract.ts';
import { figuresOf, type Draft } from '../draft/cart-state.ts';
import { choicesOf, orderMessages, TIMESLOT } from '../../contract.ts';
import { perUnit, shownChoices, shownPickupDay } from '../draft/order-words.ts';

export const programRows = (language: Language, { service, area }: Draft): DefinitionRow[] =>
  service && area !== 'none'
    ? [
        { label: 'Wash Program', value: language.say(service.name) },
        { label: 'Area', value: language.say(areaNames[area]) },
        ...shownChoices(language, choicesOf(service.programid)),
      ]
    : [];

export const pickupRows = (language: Language, { pickupDay, slotChosen }: Draft): DefinitionRow[] =>
  pickupDay && slotChosen
    ? [
        { label: 'Pickup day', value: shownPickupDay(language, pickupDay, serverClock.now()) },
        { label: 'Pickup timeslot', value: language.t(TIMESLOT) },
      ]
    : [];

const weighedLater = ({ t }: Language): DefinitionRow[] => [
  { label: 'Items', value: t(orderMessages.atPickup) },
  { label: 'Weight (kg)', value: t(orderMessages.atPickup) },
  { label: 'Amount', value: t(orderMessages.atPickup) },
];

/** What it costs, as far as that is known before the clothes were weighed. */
export function figureRows(language: Language, draft: Draft): DefinitionRow[] {
  const figures = figuresOf(draft);
  if (!figures || !draft.service) return [];
  const { unit } = draft.service;
  const rate: DefinitionRow = { label: 'Rate', value: perUnit(language, figures.ratePaise, unit) };
  if (!figures.offer) return [...weighedLater(language), { ...rate, emphasis: true }];
  return [
    ...weighedLater(language),
    rate,
    { label: 'Offer', value: language.t('{percent}% off', { percent: figures.offer.percent }) },
    { label: 'Rate after offer', value: perUnit(language, figures.orderRatePaise, unit), emphasis: true },
  ];
}
