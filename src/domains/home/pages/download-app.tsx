import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { PickupVanArt } from '../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { PageBody } from '../../../ui/layout/container.tsx';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { downloadDestination } from '../rules.ts';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Get the app'), brand) },
    { name: 'description', content: t('{brand} for Android and iPhone.', { brand: brand.name }) },
    { name: 'robots', content: 'noindex' },
  ],
};

/**
 * Redirects phones to their app store and desktop browsers to the home page. The links are for
 * devices without a redirect and for redirects that fail.
 */
export default function DownloadApp() {
  const { t } = useLanguage();
  const navigate = useNavigate();
  const { name, stores } = useSiteConfig().brand;
  useEffect(() => {
    const destination = downloadDestination(navigator.userAgent, navigator.maxTouchPoints);
    if (destination === 'web') void navigate(links.home(), { replace: true });
    else if (destination !== 'choice' && stores[destination]) window.location.replace(stores[destination]);
  }, [navigate, stores]);
  return (
    <PageBody id={MAIN_ID} width="narrow">
      <div className="flex flex-col items-center gap-6 py-6 text-center">
        <PickupVanArt />
        <div className="space-y-2">
          <h1 className="text-title font-bold">{t('Get the {brand} app', { brand: name })}</h1>
          <p className="text-ink-soft">{t('We take you to the store of your phone. If nothing happens, choose it here.')}</p>
        </div>
        <div className="grid w-full gap-3">
          {stores.android && (
            <a href={stores.android} className={buttonStyles('primary', 'regular', true)}>
              {t('Android: Play store')}
            </a>
          )}
          {stores.ios && (
            <a href={stores.ios} className={buttonStyles('primary', 'regular', true)}>
              {t('iPhone and iPad: App Store')}
            </a>
          )}
          <Link to={links.home()} className={buttonStyles('secondary', 'regular', true)}>
            {t('Continue on the web')}
          </Link>
        </div>
      </div>
    </PageBody>
  );
}
