import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { problemOfAmount, type AmountProblem } from '../../../lib/typed-money.ts';

export const TOO_MANY_DECIMALS = msg('At most two decimals');

const TEXTS: Readonly<Record<AmountProblem, MessageKey>> = {
  'misplaced-comma': msg('A comma only separates thousands, as in 1,710. Paise stand after a point, as in 10.50.'),
  'too-many-decimals': TOO_MANY_DECIMALS,
};

/**
 * Returns a function: the error of a field with an amount. If its text explains why the field has
 * an error, it replaces that error, which names the range.
 */
export function useAmountError() {
  const { t } = useLanguage();
  return <Error extends string | null | undefined>(text: string, error: Error): Error | string => {
    const problem = error ? problemOfAmount(text) : undefined;
    return problem ? t(TEXTS[problem]) : error;
  };
}
