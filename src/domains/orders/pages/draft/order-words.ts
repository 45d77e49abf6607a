/** How the parts of an order are put into words on every ordering screen. */
import { serverClock } from '../../../../web/server-clock.ts';
import { formatDay, kolkataDay } from '../../../../kit/dates.ts';
import { formatRupees } from '../../../../kit/money.ts';
import { areaNames } from '../../../catalogue/contract.ts';
import { orderMessages, TIMESLOT, type ServiceChoices } from '../../contract.ts';
import { figuresOf, placeOf, type Draft, type MissingPart } from './cart-state.ts';

export const HINTS: Readonly<Record<MissingPart, string>> = {
  program: orderMessages.hintProgram,
  // The cart asks for the area first; only /stages, opened by its address, meets a draft without one.
  area: '* Please select your area',
  slot: orderMessages.hintSlot,
  address: orderMessages.hintAddress,
};

const CHOICE_NAMES = { surfexcel: 'Surf Excel', softtouch: 'Soft Touch', steam: 'Steam' } as const;
const CHOICE_LABELS: Readonly<Record<keyof ServiceChoices, string>> = { detergent: 'Detergent', conditioner: 'Conditioner', iron: 'Iron' };
const CHOICES = ['detergent', 'conditioner', 'iron'] as const;

/** What the service uses: 'Detergent', 'Surf Excel'. */
export function shownChoices(choices: ServiceChoices): { label: string; value: string }[] {
  return CHOICES.flatMap((option) => {
    const choice = choices[option];
    return choice === '' ? [] : [{ label: CHOICE_LABELS[option], value: CHOICE_NAMES[choice] }];
  });
}

/** '₹38 per kg' */
export const perUnit = (ratePaise: number, unit: string) => `${formatRupees(ratePaise)} per ${unit}`;

/** 'Today, Nov 21, 2026' */
export const shownPickupDay = (pickupDay: string, now: Date) =>
  pickupDay === kolkataDay(now) ? `Today, ${formatDay(pickupDay)}` : formatDay(pickupDay);

/** What each step of /stages says while it is closed. */
export function stepSummaries(draft: Draft, userid: string | null): readonly [string, string, string] {
  const { service, area, slotChosen, pickupDay } = draft;
  const figures = figuresOf(draft);
  const place = placeOf(draft, userid);
  return [
    service && figures && area !== 'none'
      ? `${service.name}, ${areaNames[area]}, ${perUnit(figures.orderRatePaise, service.unit)}`
      : 'Wash, Wash + Iron or Iron',
    slotChosen ? [pickupDay && shownPickupDay(pickupDay, serverClock.now()), TIMESLOT].filter(Boolean).join(', ') : 'When we come to you',
    place ? `${place.name}, ${place.address1}` : 'Where we come to',
  ];
}
