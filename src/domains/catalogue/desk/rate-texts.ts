import type { Language } from '../../../i18n/language.tsx';
import { defineMessages } from '../../../i18n/messages.ts';
import { asPaise, type Paise } from '../../../lib/money.ts';
import { AREAS, type Area } from '../contract.ts';
import type { DeskProgram } from './contract.ts';

export const SERVICE_NAMES = defineMessages({ wash: 'Wash', 'wash-iron': 'Wash + Iron', iron: 'Iron' });

/** The unit of every service. */
export const UNIT = 'kg';

/** Returns '₹38 per kg', as customers read it. */
export const rateText = ({ t, translateData, rupees }: Language, ratePaise: number, unit: string) =>
  t('{amount} per {unit}', { amount: rupees(ratePaise), unit: translateData(unit) });

/** Returns the rate that customers pay in each area. */
export const customerRates = ({ rate, surcharges }: Pick<DeskProgram, 'rate' | 'surcharges'>) =>
  Object.fromEntries(AREAS.map((area) => [area, asPaise(rate + surcharges[area])])) as Record<Area, Paise>;
