import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';

/** Missing while the laundry has no app. */
export function AppPromo() {
  const { t } = useLanguage();
  const { stores } = useSiteConfig().brand;
  if (Object.keys(stores).length === 0) return null;
  return (
    <section
      aria-labelledby="app-title"
      className="below-fold flex flex-wrap items-center justify-between gap-4 rounded-card bg-sunk p-[min(1.25rem,7vw)] sm:p-8"
    >
      <div className="min-w-0 basis-64 grow">
        <h2 id="app-title" className="text-xl font-bold">
          {t('Laundry day in your pocket')}
        </h2>
        <p className="text-sm text-ink-soft">{t('Order and follow your laundry in our app for Android and iPhone.')}</p>
      </div>
      <Link to={links.downloadApp()} className={buttonStyles('secondary')}>
        {t('Get the app')}
      </Link>
    </section>
  );
}
