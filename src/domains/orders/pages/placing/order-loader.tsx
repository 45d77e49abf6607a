import { useLanguage } from '../../../../i18n/language.tsx';
import { Spinner } from '../../../../ui/feedback/spinner.tsx';

/** While it is not known yet what there is to show. */
export function OrderLoader({ label }: { label?: string }) {
  const { t } = useLanguage();
  return (
    <>
      <h1 className="sr-only">{t('Your order')}</h1>
      <Spinner label={label ?? t('Looking for your order')} />
    </>
  );
}
