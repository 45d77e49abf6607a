import { useId, type Ref } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Paise } from '../../../lib/money.ts';
import { telephoneUrl } from '../../../shared/brand.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';

interface GiveUpMoneyProps {
  ref: Ref<HTMLInputElement>;
  loss: Paise;
  checked: boolean;
  onChange(checked: boolean): void;
}

/** The consent of a customer who would lose money. */
export function GiveUpMoney({ ref, loss, checked, onChange }: GiveUpMoneyProps) {
  const { t, rupees } = useLanguage();
  const { mobile } = useSiteConfig().brand;
  const id = useId();
  return (
    <div className="relative flex items-start gap-3 rounded-card border border-edge bg-surface p-4 has-checked:border-accent-ink has-checked:bg-accent-soft">
      <input
        ref={ref}
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={`${id}-loss`}
        className="relative z-1 mt-0.5 size-5 shrink-0 accent-accent-ink"
      />
      <div>
        <label htmlFor={id} className="font-semibold after:absolute after:inset-0">
          {t('I give up {amount}', { amount: rupees(loss) })}
        </label>
        <p id={`${id}-loss`} className="text-sm text-ink-soft">
          {t('This money is in your wallet, and would be lost with the account.')}
        </p>
        <p className="text-sm">
          {t('To have it paid back, call us:')}{' '}
          <a href={telephoneUrl(mobile)} className={`${textLinkStyles} relative z-1 inline-flex min-h-11 items-center tabular-nums`}>
            {mobile}
          </a>
        </p>
      </div>
    </div>
  );
}
