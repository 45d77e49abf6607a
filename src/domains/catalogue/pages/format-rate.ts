import type { Language } from '../../../i18n/language.tsx';
import type { Area } from '../contract.ts';
import type { Service } from '../rules.ts';

/** Returns '₹38 per kg'. */
export const formatRate = ({ t, translateData, rupees }: Language, ratePaise: number, unit: string) =>
  t('{amount} per {unit}', { amount: rupees(ratePaise), unit: translateData(unit) });

/** Returns the rate in the area, or without an area 'from' the lowest rate. */
export function formatRateIn(area: Area | 'none', language: Language, { rates, unit }: Pick<Service, 'rates' | 'unit'>) {
  if (area !== 'none') return formatRate(language, rates[area], unit);
  return language.t('from {rate}', { rate: formatRate(language, Math.min(...Object.values(rates)), unit) });
}
