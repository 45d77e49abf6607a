import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';

/** Specification section 8: programs load failed. */
export function ProgramsFailed() {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <Notice
      tone="bad"
      live
      action={
        // Loads the page again, because a script that hangs would be awaited again. The draft is in
        // session storage.
        <form method="get" data-native="yes">
          <button type="submit" className={buttonStyles('secondary', 'small')}>
            {t('Try again')}
          </button>
        </form>
      }
    >
      <p>
        {t("Sorry, we couldn't fetch washprograms from server, this is development error, kindly report it on {email}", {
          email: brand.email,
        })}
      </p>
    </Notice>
  );
}
