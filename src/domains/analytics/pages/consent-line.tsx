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
  const question = t('May we count your visit, without your name or number?');
  if (!counting || consent !== 'not-asked') return null;
  const answer = (value: 'yes' | 'no', label: string) => (
    <Button variant="quiet" size="small" onClick={() => setConsent(value, question)}>
      {label}
    </Button>
  );
  return (
    <section aria-label={t('Counting visits')} className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p>{question}</p>
      <span>
        {answer('yes', t('Yes'))}
        {answer('no', t('No'))}
      </span>
    </section>
  );
}
