import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { PhoneIcon } from '../../../ui/icons/contact.tsx';

export function CallLink({ mobile }: { mobile: string }) {
  const { t } = useLanguage();
  return (
    <a href={`tel:+91${mobile}`} className={buttonStyles('secondary', 'small')} aria-label={t('Call {mobile}', { mobile })}>
      <PhoneIcon small />
      <span className="tabular-nums">{mobile}</span>
    </a>
  );
}
