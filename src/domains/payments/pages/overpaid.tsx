import { useLanguage, type Language } from '../../../i18n/language.tsx';
import type { Paise } from '../../../lib/money.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import type { DefinitionRow } from '../../../ui/layout/definition-table.tsx';
import { Money } from '../../../ui/layout/money.tsx';

/**
 * Returns the row of the part of the payments that exceeds the cost of an order. It has the sign of
 * a discount, because it is no amount due. Its label names it as past: the wallet may have been
 * emptied since.
 */
export const overpaidRows = ({ t }: Language, overpaid: Paise, isGuest: boolean): DefinitionRow[] =>
  overpaid > 0
    ? [
        {
          label: isGuest ? t('Paid too much, goes to your wallet') : t('Paid too much, returned to your wallet'),
          value: <Money amountPaise={-overpaid} />,
        },
      ]
    : [];

/** How to use money that the wallet has or gets, or to have it paid back. */
export function PayBackNote({ isGuest }: { isGuest: boolean }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  const params = { mobile: brand.mobile };
  return (
    <p className="text-sm text-ink-soft">
      {isGuest
        ? t(
            'The wallet belongs to your mobile number. To use the money, sign up with it, or log in here if it has an account. To have it paid back instead, call us at {mobile}.',
            params,
          )
        : t('To have money of your wallet paid back, call us at {mobile}.', params)}
    </p>
  );
}
