/** How the parts of an order are put into words on every ordering screen. */
import type { Language } from '../../../../i18n/language.tsx';
import { defineMessages, msg, type MessageKey } from '../../../../i18n/messages.ts';
import type { DefinitionRow } from '../../../../ui/layout/definition-table.tsx';
import { serverClock } from '../../../../browser/server-clock.ts';
import { kolkataDay } from '../../../../lib/dates.ts';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, TIMESLOT, type ServiceChoices } from '../../contract.ts';
import { figuresOf, placeOf, type Draft, type MissingPart } from './cart-state.ts';

export const HINTS: Readonly<Record<MissingPart, MessageKey>> = {
  program: orderMessages.hintProgram,
  // The cart asks for the area first; only /stages, opened by its address, meets a draft without one.
  area: msg('* Please select your area'),
  slot: orderMessages.hintSlot,
  address: orderMessages.hintAddress,
};

const CHOICE_NAMES = defineMessages({ surfexcel: 'Surf Excel', softtouch: 'Soft Touch', steam: 'Steam' });
const CHOICE_LABELS = defineMessages({ detergent: 'Detergent', conditioner: 'Conditioner', iron: 'Iron' });
const CHOICES = ['detergent', 'conditioner', 'iron'] as const;

/** What the service uses: 'Detergent', 'Surf Excel'. */
export function shownChoices({ t }: Language, choices: ServiceChoices): DefinitionRow[] {
  return CHOICES.flatMap((option) => {
    const choice = choices[option];
    return choice === '' ? [] : [{ label: t(CHOICE_LABELS[option]), value: t(CHOICE_NAMES[choice]) }];
  });
}

/** '₹38 per kg' */
export const perUnit = ({ t, translateData, rupees }: Language, ratePaise: number, unit: string) =>
  t('{amount} per {unit}', { amount: rupees(ratePaise), unit: translateData(unit) });

/** 'Today, Nov 21, 2026' */
export const shownPickupDay = ({ t, day }: Language, pickupDay: string, now: Date) =>
  pickupDay === kolkataDay(now) ? t('Today, {day}', { day: day(pickupDay) }) : day(pickupDay);

/** What each step of /stages says while it is closed. */
export function stepSummaries(language: Language, draft: Draft, userid: string | null): readonly [string, string, string] {
  const { t, translateData } = language;
  const { service, area, slotChosen, pickupDay } = draft;
  const figures = figuresOf(draft);
  const place = placeOf(draft, userid);
  return [
    service && figures && area !== 'none'
      ? [translateData(service.name), translateData(areaNames[area]), perUnit(language, figures.orderRatePaise, service.unit)].join(', ')
      : t('Wash, Wash + Iron or Iron'),
    slotChosen
      ? [pickupDay && shownPickupDay(language, pickupDay, serverClock.now()), translateData(TIMESLOT)].filter(Boolean).join(', ')
      : t('When we come to you'),
    place ? `${place.name}, ${place.address1}` : t('Where we come to'),
  ];
}
