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
        { label: language.t('Wash Program'), value: language.translateData(service.name) },
        { label: language.t('Area'), value: language.translateData(areaNames[area]) },
        ...shownChoices(language, choicesOf(service.programid)),
      ]
    : [];

export const pickupRows = (language: Language, { pickupDay, slotChosen }: Draft): DefinitionRow[] =>
  pickupDay && slotChosen
    ? [
        { label: language.t('Pickup day'), value: shownPickupDay(language, pickupDay, serverClock.now()) },
        { label: language.t('Pickup timeslot'), value: language.translateData(TIMESLOT) },
      ]
    : [];

const weighedLater = ({ t }: Language): DefinitionRow[] => [
  { label: t('Items'), value: t(orderMessages.atPickup) },
  { label: t('Weight (kg)'), value: t(orderMessages.atPickup) },
  { label: t('Amount'), value: t(orderMessages.atPickup) },
];

/** What it costs, as far as that is known before the clothes were weighed. */
export function figureRows(language: Language, draft: Draft): DefinitionRow[] {
  const figures = figuresOf(draft);
  if (!figures || !draft.service) return [];
  const { unit } = draft.service;
  const rate: DefinitionRow = { label: language.t('Rate'), value: perUnit(language, figures.ratePaise, unit) };
  if (!figures.offer) return [...weighedLater(language), { ...rate, emphasis: true }];
  return [
    ...weighedLater(language),
    rate,
    { label: language.t('Offer'), value: language.t('{percent}% off', { percent: figures.offer.percent }) },
    { label: language.t('Rate after offer'), value: perUnit(language, figures.orderRatePaise, unit), emphasis: true },
  ];
}
