import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Told } from '../../../../languages/text.ts';
import { useLanguage } from '../../../../languages/language.tsx';
import { OrderLoader } from './order-loader.tsx';
import { standaloneLinkLook } from '../../../../ui/text-link-look.ts';
import { showToast } from '../../../../ui/toast.ts';
import { links } from '../../../../web/links.ts';
import { REDIRECT_MS } from '../../../../web/redirects.ts';

const ALERT_MS = 5000;

/** There is nothing to order here: a loader, and after its delay home. `alert` says why (specification section 4, /overview). */
export function DraftMissing({ alert }: { alert?: Told }) {
  const { t } = useLanguage();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => {
      if (alert) showToast({ text: alert, theme: 'red', durationMs: ALERT_MS });
      void navigate(links.home(), { replace: true });
    }, REDIRECT_MS.draftMissingToHome);
    return () => clearTimeout(timer);
  }, [alert, navigate]);
  return (
    <div className="text-center">
      <OrderLoader />
      <Link to={links.home()} className={standaloneLinkLook}>
        {t('Go to home')}
      </Link>
    </div>
  );
}
