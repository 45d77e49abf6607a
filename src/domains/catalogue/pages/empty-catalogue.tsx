import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** Shown until the owner of the laundry has set rates (`npm run catalogue`). */
export function EmptyCatalogue() {
  const { t } = useLanguage();
  return (
    <Notice tone="info">
      <p>{t('We are getting ready. What we wash and what it costs will be listed here soon.')}</p>
    </Notice>
  );
}
