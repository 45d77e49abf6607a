import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';

/** Specification section 8: reviews load failed. */
export function ReviewsFailed({ onRetry }: { onRetry?: () => void }) {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <Notice
      tone="bad"
      live
      action={
        onRetry && (
          <Button variant="secondary" size="small" onClick={onRetry}>
            {t('Try again')}
          </Button>
        )
      }
    >
      <p>
        {t("Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {email}", {
          email: brand.email,
        })}
      </p>
    </Notice>
  );
}
