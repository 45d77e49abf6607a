import { useLanguage } from '../../../../i18n/language.tsx';
import type { MessageKey } from '../../../../i18n/messages.ts';

/** A typed number of bags. */
export const COUNTED_BAGS = /^\d{1,2}$/;

/**
 * Returns a function: the question of a dialog before it submits another number of bags than
 * `bags`, which were counted at the pickup, or undefined. Null: they were not counted.
 */
export function useBagsQuestion(bags: number | null, submitLabel: MessageKey) {
  const { t } = useLanguage();
  return (text: string) =>
    bags === null || Number(text) === bags
      ? undefined
      : {
          question: t('Bags collected: {bags}. You counted {counted}.', { bags, counted: Number(text) }),
          submitLabel: t(submitLabel),
        };
}
