import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useSiteConfig } from '../../../shared/site-config.ts';

/** Specification section 8: reviews load failed. */
export function ReviewsFailed() {
  const { t } = useLanguage();
  const { brand } = useSiteConfig();
  return (
    <Notice tone="bad" live>
      <p>
        {t("Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {email}", {
          email: brand.email,
        })}
      </p>
    </Notice>
  );
}
