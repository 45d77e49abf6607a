import type { Language } from '../../../i18n/language.tsx';

/** Returns '₹38 per kg'. */
export const formatRate = ({ t, translateData, rupees }: Language, ratePaise: number, unit: string) =>
  t('{amount} per {unit}', { amount: rupees(ratePaise), unit: translateData(unit) });
