import { useLanguage } from '../../../../i18n/language.tsx';
import { Spinner } from '../../../../ui/feedback/spinner.tsx';

/** Shown until session and draft are read. */
export function OrderSpinner({ label }: { label?: string }) {
  const { t } = useLanguage();
  return (
    <>
      <h1 className="sr-only">{t('Your order')}</h1>
      <Spinner label={label ?? t('Looking for your order')} />
    </>
  );
}
