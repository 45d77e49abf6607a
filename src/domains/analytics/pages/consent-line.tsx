import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { setConsent, useConsent } from './consent.ts';

/**
 * Asks for consent in one line at the end of the page, where it neither moves nor covers content.
 */
export function ConsentLine() {
  const { t } = useLanguage();
  const { counting } = useSiteConfig();
  const consent = useConsent();
  if (!counting || consent !== 'not-asked') return null;
  return (
    <section aria-label={t('Counting visits')} className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p>{t('May we count your visit, without your name or number?')}</p>
      <Button variant="quiet" size="small" onClick={() => setConsent('yes')}>
        {t('Yes')}
      </Button>
      <Button variant="quiet" size="small" onClick={() => setConsent('no')}>
        {t('No')}
      </Button>
    </section>
  );
}
