/** Texts for the parts of an order, shared by the ordering screens. */
import type { Language } from '../../../../i18n/language.tsx';
import { defineMessages, msg, type MessageKey } from '../../../../i18n/messages.ts';
import type { DefinitionRow } from '../../../../ui/layout/definition-table.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import { kolkataDay } from '../../../../lib/dates.ts';
import { formatRate } from '../../../catalogue/pages/format-rate.ts';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, TIMESLOT } from '../../contract.ts';
import type { ServiceChoices } from '../../choices-contract.ts';
import { formatKilograms, type Paise } from '../../../../lib/money.ts';
import { estimateAmounts, type AmountRange } from '../../rules.ts';
import { calculateRates, deliveryAddressOf, type Draft, type ExpectedLoad, type MissingPart } from './cart-state.ts';

const HINTS: Readonly<Record<MissingPart, MessageKey>> = {
  program: orderMessages.hintProgram,
  // Only /stages, opened by its URL, can have a draft without an area: the cart starts with it.
  area: msg('* Please select your area'),
  slot: orderMessages.hintSlot,
  address: orderMessages.hintAddress,
  'address-in-area': msg('* Your order and its address are in different areas, please change one of them'),
};

/** Returns the hint about a missing part. `userid`: null for a guest. */
export const hintOf = (part: MissingPart, userid: string | null): MessageKey =>
  part === 'address' && userid !== null ? msg('* Please select a pickup & delivery address, or add a new one here') : HINTS[part];

const CHOICE_NAMES = defineMessages({ surfexcel: 'Surf Excel', softtouch: 'Soft Touch', steam: 'Steam' });
const CHOICE_LABELS = defineMessages({ detergent: 'Detergent', conditioner: 'Conditioner', iron: 'Iron' });
const CHOICES = ['detergent', 'conditioner', 'iron'] as const;

/** Returns one row for each option that is set: 'Detergent', 'Surf Excel'. */
export function choiceRows({ t }: Language, choices: ServiceChoices): DefinitionRow[] {
  return CHOICES.flatMap((option) => {
    const choice = choices[option];
    return choice === '' ? [] : [{ label: t(CHOICE_LABELS[option]), value: t(CHOICE_NAMES[choice]) }];
  });
}

/**
 * Returns '₹72 to ₹140', rounded outward to whole rupees, because paise would suggest a precision
 * that an estimate lacks. Returns one amount if both are equal.
 */
export function formatAmountRange({ t, rupees }: Language, { paiseLow, paiseHigh }: AmountRange): string {
  const [from, to] = [rupees(Math.floor(paiseLow / 100) * 100), rupees(Math.ceil(paiseHigh / 100) * 100)];
  return from === to || paiseLow === paiseHigh ? to : t('{from} to {to}', { from, to });
}

type Load = Pick<ExpectedLoad, 'gramsLow' | 'gramsHigh'>;

/** Returns '1.9 to 2.9 kg', or '7.53 kg' for a known weight. */
export function formatLoadWeight({ t }: Language, { gramsLow, gramsHigh }: Load): string {
  if (gramsLow === gramsHigh) return t('{weight} kg', { weight: formatKilograms(gramsLow) });
  const inHundredGrams = (hundredGrams: number) => formatKilograms(hundredGrams * 100);
  return t('{from} to {to} kg', { from: inHundredGrams(Math.floor(gramsLow / 100)), to: inHundredGrams(Math.ceil(gramsHigh / 100)) });
}

/** The load of the example if the customer made no estimate. */
const EXAMPLE_LOAD = { gramsLow: 5000, gramsHigh: 5000 };

/** Returns '₹72 to ₹140 for 1.9 to 2.9 kg'. */
export function formatLoadEstimate(language: Language, load: Load, ratePaise: Paise, offerPercent: number): string {
  return language.t('{amount} for {weight}', estimateValues(language, load, ratePaise, offerPercent));
}

const estimateValues = (language: Language, load: Load, ratePaise: Paise, offerPercent: number) => ({
  amount: formatAmountRange(language, estimateAmounts(load, [ratePaise], offerPercent)),
  weight: formatLoadWeight(language, load),
});

/**
 * Returns the amount for the expected load. Null without one, and until the service and the area
 * are chosen.
 */
export function formatEstimate(language: Language, draft: Draft): string | null {
  const rates = calculateRates(draft);
  if (!rates || !draft.expectedLoad) return null;
  return formatLoadEstimate(language, draft.expectedLoad, rates.ratePaise, rates.offer?.percent ?? 0);
}

/**
 * Returns the sentence with the cost of the expected load, or of an example of 5 kg without one.
 * Null until the service and the area are chosen.
 */
export function estimateSentence(language: Language, draft: Draft): string | null {
  const rates = calculateRates(draft);
  if (!rates) return null;
  const amount = formatEstimate(language, draft);
  if (amount !== null) return language.t('It costs about {amount}; you pay after we have weighed it.', { amount });
  const values = estimateValues(language, EXAMPLE_LOAD, rates.ratePaise, rates.offer?.percent ?? 0);
  return language.t('For example, {weight} cost about {amount}. You pay after we have weighed it.', values);
}

/** Returns 'Today, Nov 21, 2026', or the day alone if it is not today. */
export const formatPickupDay = ({ t, day }: Language, pickupDay: string, now: Date): string =>
  pickupDay === kolkataDay(now) ? t('Today, {day}', { day: day(pickupDay) }) : day(pickupDay);

/**
 * Returns the summaries of the closed steps of /stages, in their order. `userid`: null for a guest.
 */
export function stepSummaries(language: Language, draft: Draft, userid: string | null): readonly [string, string, string] {
  const { t, translateData } = language;
  const { service, area, slotChosen, pickupDay } = draft;
  const rates = calculateRates(draft);
  const address = deliveryAddressOf(draft, userid);
  const percentOff = rates?.offer && t('{percent}% off', { percent: rates.offer.percent });
  return [
    service && rates && area !== 'none'
      ? [translateData(service.name), translateData(areaNames[area]), formatRate(language, rates.orderRatePaise, service.unit), percentOff]
          .filter(Boolean)
          .join(', ')
      : t('Wash, Wash + Iron or Iron'),
    slotChosen
      ? [pickupDay && formatPickupDay(language, pickupDay, serverClock.now()), translateData(TIMESLOT)].filter(Boolean).join(', ')
      : t('When we come to you'),
    address ? `${address.name}, ${address.address1}` : t('Where we come to'),
  ];
}
