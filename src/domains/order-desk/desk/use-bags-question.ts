import { useLanguage } from '../../../i18n/language.tsx';
import type { MessageKey } from '../../../i18n/messages.ts';

/** Returns what a dialog asks before it submits another number of bags than that of the pickup. */
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
