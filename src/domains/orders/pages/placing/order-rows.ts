/** The table rows of an order, shared by the ordering screens. */
import type { Language } from '../../../../i18n/language.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import type { DefinitionRow } from '../../../../ui/layout/definition-table.tsx';
import { formatRate } from '../../../catalogue/pages/format-rate.ts';
import { areaNames } from '../../../catalogue/contract.ts';
import { calculateRates, type Draft } from '../draft/cart-state.ts';
import { orderMessages, TIMESLOT } from '../../contract.ts';
import { choicesOf } from '../../choices-contract.ts';
import { formatEstimate, choiceRows, formatPickupDay } from '../draft/order-labels.ts';

/** Empty if the draft has no service or no area. */
export const programRows = (language: Language, { service, area }: Draft): DefinitionRow[] =>
  service && area !== 'none'
    ? [
        { label: language.t('Wash Program'), value: language.translateData(service.name) },
        { label: language.t('Area'), value: language.translateData(areaNames[area]) },
        ...choiceRows(language, choicesOf(service.programid)),
      ]
    : [];

/** Empty until day and timeslot are chosen. */
export const pickupRows = (language: Language, { pickupDay, slotChosen }: Draft): DefinitionRow[] =>
  pickupDay && slotChosen
    ? [
        { label: language.t('Pickup day'), value: formatPickupDay(language, pickupDay, serverClock.now()) },
        { label: language.t('Pickup timeslot'), value: language.translateData(TIMESLOT) },
      ]
    : [];

const rowsUntilWeighed = ({ t }: Language, estimate: string | null): DefinitionRow[] => [
  { label: t('Items'), value: t(orderMessages.atPickup) },
  { label: t('Weight (kg)'), value: t(orderMessages.atPickup) },
  { label: t('Amount'), value: t(orderMessages.atPickup) },
  ...(estimate === null ? [] : [{ label: t('Estimate'), value: estimate }]),
];

/**
 * Returns the rate, the offer, and placeholders for the values that the scale determines. Empty if
 * the draft has no service or no area.
 */
export const rateRows = (language: Language, draft: Draft): DefinitionRow[] =>
  draft.service && draft.area !== 'none'
    ? [...rowsUntilWeighed(language, formatEstimate(language, draft)), ...priceRows(language, draft)]
    : [];

/** Returns the rate and the offer. Empty if the draft has no service or no area. */
export function priceRows(language: Language, draft: Draft): DefinitionRow[] {
  const rates = calculateRates(draft);
  if (!rates || !draft.service) return [];
  const { unit } = draft.service;
  const rate: DefinitionRow = { label: language.t('Rate'), value: formatRate(language, rates.ratePaise, unit) };
  if (!rates.offer) return [{ ...rate, emphasis: true }];
  return [
    rate,
    { label: language.t('Offer'), value: language.t('{percent}% off', { percent: rates.offer.percent }) },
    { label: language.t('Rate after offer'), value: formatRate(language, rates.orderRatePaise, unit), emphasis: true },
  ];
}
