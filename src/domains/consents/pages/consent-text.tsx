import { Link } from 'react-router';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { links } from '../../../shared/links.ts';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { CONSENT_TEXTS, type ConsentPurpose } from '../contract.ts';

interface ConsentTextProps {
  purpose: ConsentPurpose;
  /** Called before the link leaves the page. */
  onLeave?: () => void;
}

/** The text above the button with which the customer agrees. */
export function ConsentText({ purpose, onLeave }: ConsentTextProps) {
  const { t } = useLanguage();
  const policy = (
    <Link to={links.privacy()} className={textLinkStyles} onClick={onLeave}>
      {t('privacy policy')}
    </Link>
  );
  return (
    <p className="text-sm text-ink-soft">
      <RichText text={CONSENT_TEXTS[purpose]} parts={{ policy }} />
    </p>
  );
}
