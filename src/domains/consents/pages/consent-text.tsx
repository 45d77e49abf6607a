import { Link } from 'react-router';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { links } from '../../../shared/links.ts';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { CONSENT_TEXTS, type ConsentPurpose } from '../contract.ts';

/** The text above the button with which the customer agrees. */
export function ConsentText({ purpose }: { purpose: ConsentPurpose }) {
  const { t } = useLanguage();
  const policy = (
    <Link to={links.privacy()} className={textLinkStyles}>
      {t('privacy policy')}
    </Link>
  );
  return (
    <p className="text-sm text-ink-soft">
      <RichText text={CONSENT_TEXTS[purpose]} parts={{ policy }} />
    </p>
  );
}
