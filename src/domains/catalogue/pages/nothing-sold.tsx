import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** A laundry whose owner has set no rates yet (`npm run catalogue`). */
export function NothingSold() {
  const { t } = useLanguage();
  return (
    <Notice tone="info">
      <p>{t('We are getting ready. What we wash and what it costs will be listed here soon.')}</p>
    </Notice>
  );
}
