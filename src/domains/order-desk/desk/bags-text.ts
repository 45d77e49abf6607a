import type { Language } from '../../../i18n/language.tsx';

/** Returns '2 bags'. The pages of customers have another catalogue, and so their own function. */
export const bagsText = ({ plural }: Language, bags: number): string =>
  plural(bags, { one: '{count} bag', other: '{count} bags' }, { count: bags });
