import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Message } from '../../../../i18n/messages.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { OrderSpinner } from './order-spinner.tsx';
import { standaloneLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { showToast, TOAST_MS } from '../../../../ui/feedback/toast.ts';
import { links } from '../../../../shared/links.ts';
import { REDIRECT_MS } from '../../../../browser/redirects.ts';

/**
 * Shows a spinner, then `alert`, and navigates to home after a delay (specification section 4,
 * /overview).
 */
export function DraftMissing({ alert }: { alert?: Message }) {
  const { t } = useLanguage();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => {
      if (alert) showToast({ text: alert, theme: 'red', durationMs: TOAST_MS.long });
      void navigate(links.home(), { replace: true });
    }, REDIRECT_MS.draftMissingToHome);
    return () => clearTimeout(timer);
  }, [alert, navigate]);
  return (
    <div className="text-center">
      <OrderSpinner />
      <Link to={links.home()} className={standaloneLinkStyles}>
        {t('Go to home')}
      </Link>
    </div>
  );
}
